/* The function of a kernel that runs a SIMD group: SIMD_LANES work-items at once, neighbours along x. Private to
 * tracegen.
 *
 * Ownership: part of its kernel_program. Threads: as kernel_program. */
#ifndef TRACEGEN_KERNEL_SIMD_H
#define TRACEGEN_KERNEL_SIMD_H

#include "tracegen/abi/kernel_abi.h"

#define SIMD_LANES 8

struct simd_source;

struct kernel_simd {
  kernel_entry *entry; /* NULL: not compiled yet, or it needs more stack than there is */
  bool shadowed;       /* it can run work-groups whose undefined memory is checked (shadow.h) */
  int32_t
      *steps; /* by operation: bytes from a lane's address to the next lane's; the first lane's address is recorded */
  struct simd_source *source; /* NULL: already compiled */
  kernel_entry *ready;        /* compiled already, for kernel_simd_compile; NULL: it has to compile */
  void *image;                /* owned by native_image.c: the code, where it was kept; else NULL */
};

/* Compiles the function and sets simd->entry. A second call does nothing. */
int kernel_simd_compile(struct kernel_simd *simd, struct error *error);
void kernel_simd_destroy(struct kernel_simd *simd);

/* Generated code calls this for an access that is bad for some lane, and for every access in a work-group whose
 * undefined memory is checked. `address` is the first lane's. access_and_wrap >> 32 is 1 where an index wrapped
 * around between the lanes, whose addresses are then not affine. */
void emulation_check_simd(struct item_context *group, uint64_t access_and_wrap, uint64_t address);

#endif
