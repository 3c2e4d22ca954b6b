/* The optimised kernel, kept until a launch is long enough for SIMD groups. Private to tracegen/lower. */
#ifndef TRACEGEN_SIMD_SOURCE_H
#define TRACEGEN_SIMD_SOURCE_H

#include "tracegen/lower/ir/lowering.h"

#define SIMD_NAME "reassemble.simd" /* the function that runs SIMD groups */

/* Sets program->simd if the kernel can run in SIMD groups. Runs before the kernel is instrumented. Cost: a copy of the
 * module. */
int simd_source_keep(struct lowering *l);

/* Compiles the function for a later kernel_simd_compile, and copies its object file to *object. */
int simd_source_compile_into(struct kernel_simd *simd, struct bytes *object, struct error *error);
/* Appends what simd_source_keep has set, which is not compiled yet. */
void simd_source_write(const struct kernel_simd *simd, struct bytes *out);
/* Sets program->simd to what simd_source_write has written of a program with the same code; l->thread_safe_context and
 * l->layout are set. -1: the bytes are damaged, or out of memory. */
int simd_source_read(struct lowering *l, struct byte_reader *in);

#endif
