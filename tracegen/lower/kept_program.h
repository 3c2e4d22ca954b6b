/* Compiled kernels that are kept on disk from run to run (tracegen/abi/kept_file.h). Private to tracegen/lower.
 *
 * The key is everything that decides a program: its bitcode, the kernel's name, what its images and samplers are, what
 * it is built for, this program itself, LLVM and PoCL's library. What is loaded gives the same traces as what is
 * compiled, to the byte. Programs with constants at places of their own (in the arena), with printf, and for dry runs
 * are not kept. */
#ifndef TRACEGEN_LOWER_KEPT_PROGRAM_H
#define TRACEGEN_LOWER_KEPT_PROGRAM_H

#include "tracegen/lower/ir/lowering.h"

/* Makes the key. Returns false, with an empty key, where such programs are not kept. The caller clears it. */
bool kept_program_key(const struct lowering *l, const char *bitcode, size_t length, struct bytes *key);
/* Fills l->program with what is kept under the key. Returns false, with the program as it was but for tables that
 * kernel_program_destroy frees, where nothing is. Cost: 1 to 3 ms. */
bool kept_program_load(struct lowering *l, const struct bytes *key);
/* Keeps a compiled program, whose native code is in l->object, and its code for SIMD groups, where `simd_object` is not
 * NULL; else what that code is made from. */
void kept_program_save(const struct lowering *l, const struct bytes *key, const struct bytes *simd_object);
/* Compiles the program's code for SIMD groups and keeps it, too. Returns 0, or -1 with l->error set. */
int kept_program_save_with_simd(struct lowering *l, const struct bytes *key);

#endif
