/* What the parts of instrumentation share while one kernel is rewritten. Private to tracegen.
 *
 *   instrument.c    recording, queries, barriers, variables
 *   access_checks.c bounds of memory accesses
 *   division.c      integer divisions
 *   local_arrays.c  addresses of static local arrays
 *   item_loop.c     some work-items one behind the other
 *   simd_code.c      the same kernel for many work-items at once (simd.h) */
#ifndef TRACEGEN_INSTRUMENT_H
#define TRACEGEN_INSTRUMENT_H

#include "tracegen/lower/lower.h"

struct instrumenter {
  struct lowering *l;
  LLVMBuilderRef b;
  LLVMTypeRef i8, i16, i32, i64, pointer;
  LLVMValueRef function, context, arguments;
  LLVMBasicBlockRef entry, behind_item;  /* where what all items need is loaded; where an item ends */
  LLVMValueRef block_slot, address_slot; /* the two cursors */
  LLVMValueRef private_base;
  LLVMValueRef bounds;                          /* item_context.bounds */
  LLVMValueRef *argument_base, *argument_bytes; /* by parameter; pointers only */
  LLVMValueRef *local_base;                     /* by static local array: pointers, built in the entry block */
};

/* At the builder's place: a call of a function of the emulator with the work-item, `first` and, unless NULL, `second`
 * (64 bits). */
LLVMValueRef instrument_call(struct instrumenter *n, void (*function)(void), uint64_t first, LLVMValueRef second);

/* The same with a value. */
LLVMValueRef instrument_call_value(struct instrumenter *n, void (*function)(void), LLVMValueRef first,
                                   LLVMValueRef second);

/* A function `name` with its entry block, which loads the arguments that l->kernel takes; the builder is there. -1: no
 * memory. In any case close replaces l->kernel by the function. */
int instrument_open(struct instrumenter *n, struct lowering *l, const char *name);
void instrument_close(struct instrumenter *n);

/* At the builder's place: so many bytes behind a pointer; moves a cursor; the cursors go back to the context; what a
 * query gives; a part of a structure that is an argument. */
LLVMValueRef instrument_at(struct instrumenter *n, LLVMValueRef pointer, uint64_t offset);
void instrument_advance(struct instrumenter *n, LLVMValueRef slot, uint64_t bytes);
void instrument_keep_cursors(struct instrumenter *n);
LLVMValueRef instrument_query(struct instrumenter *n, LLVMValueRef call, int row);
LLVMValueRef instrument_argument_part(struct instrumenter *n, LLVMValueRef call);

/* *distance: bytes from the start of what the access must stay in; *limit: the first distance that is too far, known in
 * the entry block. Builds in front of `instruction`, or at the end of the builder's block (NULL). False when only the
 * emulator can tell. */
bool instrument_bounds(struct instrumenter *n, const struct kernel_access *access, LLVMValueRef instruction,
                       LLVMValueRef address, LLVMValueRef *distance, LLVMValueRef *limit);
/* In front of the access, which must have an instruction: leaves the kernel with a message when it is out of bounds. */
void instrument_check_access(struct instrumenter *n, uint32_t access, LLVMValueRef address);
/* The first way of a branch is the one that is taken. */
void instrument_likely(struct instrumenter *n, LLVMValueRef branch);

/* So many bytes on the stack of the work-item, at a multiple of 16; for one call at a time. */
LLVMValueRef instrument_room(struct instrumenter *n, uint64_t bytes);

/* In the finished function: addresses of static local arrays are taken from the work-item's context. */
int local_arrays_place(struct instrumenter *n);
/* When nothing uses them. */
void local_arrays_delete(struct lowering *l);

/* Checks and mends the block's integer divisions. The block is cut into pieces. */
void instrument_divisions(struct instrumenter *n, uint32_t block);

#endif
