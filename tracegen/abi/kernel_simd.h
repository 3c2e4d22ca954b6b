/* A kernel's function that runs SIMD_LANES work-items at once, neighbours along x. Private to tracegen.
 *
 * Ownership: part of its kernel_program. Threads: those of the program. */
#ifndef TRACEGEN_KERNEL_SIMD_H
#define TRACEGEN_KERNEL_SIMD_H

#include "tracegen/abi/kernel_abi.h"

#define SIMD_LANES 8

struct simd_source;

struct kernel_simd {
  kernel_entry *entry; /* NULL: not compiled, or it needs more stack than there is */
  bool shadowed;       /* it can run work-groups in which reads of undefined memory are looked for (shadow.h) */
  int32_t *steps;      /* by operation: from a work-item's address to the next one's; what is recorded is the first's */
  struct simd_source *source; /* NULL: it has been compiled */
};

/* Sets the entry; the second time it does nothing. */
int kernel_simd_compile(struct kernel_simd *rows, struct error *error);
void kernel_simd_destroy(struct kernel_simd *rows);

/* What a row's function calls: an access that is bad for some lane, or in a work-group where every access is looked at,
 * with the first lane's address. access_and_wrap >> 32: an index has wrapped around between the lanes, whose addresses
 * are then no steps apart. */
void emulation_check_simd(struct item_context *row, uint64_t access_and_wrap, uint64_t address);

#endif
