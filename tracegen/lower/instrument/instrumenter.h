/* The function that is written while a kernel is instrumented, and what its writers share. Private to tracegen/lower.
 *
 *   instrument.c     the function, recording of blocks and addresses, variables
 *   access_checks.c  bounds of memory accesses
 *   lower_calls.c    work-item functions, barriers, printf, images, markers
 *   inline_images.c  reads of images without a call
 *   division.c       checks of integer divisors
 *   local_arrays.c   addresses of static local arrays
 *   item_loop.c      several work-items in one call
 * The same kernel for SIMD groups of work-items is written by tracegen/lower/simd.
 *
 * "The builder" is n->b; functions build at its place unless said. */
#ifndef TRACEGEN_INSTRUMENTER_H
#define TRACEGEN_INSTRUMENTER_H

#include "tracegen/lower/ir/instructions.h"

struct instrumenter {
  struct lowering *l;
  LLVMBuilderRef b;
  LLVMTypeRef i8, i16, i32, i64, pointer;
  LLVMValueRef function, context, arguments;
  LLVMBasicBlockRef entry;                      /* loads what all work-items need */
  LLVMBasicBlockRef behind_item;                /* where a work-item ends */
  LLVMValueRef block_slot, address_slot;        /* the cursors: where the next block id and the next address go */
  LLVMValueRef private_base;                    /* a work-item's private memory */
  LLVMValueRef bounds;                          /* item_context.bounds */
  LLVMValueRef *argument_base, *argument_bytes; /* by parameter; pointers only */
  LLVMValueRef *local_base;                     /* by static local array: pointers, built in the entry block */
};

/* Creates function `name` with an entry block that loads the arguments that l->kernel takes, and leaves the builder
 * there. After it, also when it failed (-1: out of memory), instrument_close replaces l->kernel by the function. */
int instrument_open(struct instrumenter *n, struct lowering *l, const char *name);
void instrument_close(struct instrumenter *n);

/* A constant of 64 bits. */
LLVMValueRef instrument_number(const struct instrumenter *n, uint64_t value);
/* A place `offset` bytes after `pointer`, and a value of `type` that is loaded from there. */
LLVMValueRef instrument_at(struct instrumenter *n, LLVMValueRef pointer, uint64_t offset);
LLVMValueRef instrument_load_at(struct instrumenter *n, LLVMTypeRef type, LLVMValueRef pointer, uint64_t offset);
/* Builds a call of a function of the emulator with the work-item, `first` and `second` (64 bits; NULL: it takes
 * none). */
LLVMValueRef instrument_call(struct instrumenter *n, void (*function)(void), uint64_t first, LLVMValueRef second);
LLVMValueRef instrument_call_value(struct instrumenter *n, void (*function)(void), LLVMValueRef first,
                                   LLVMValueRef second);
/* Memory of so many bytes on the work-item's stack, at a multiple of 16, for the time of one call. */
LLVMValueRef instrument_room(struct instrumenter *n, uint64_t bytes);

/* Moves a cursor on by `bytes`; stores both cursors in the context. */
void instrument_advance(struct instrumenter *n, LLVMValueRef slot, uint64_t bytes);
void instrument_keep_cursors(struct instrumenter *n);

/* Replaces the calls in the blocks of the kernel that the code cannot make itself. The blocks must be whole. */
void instrument_calls(struct instrumenter *n);
/* The value of a work-item function: row `row` of item_context.query. */
LLVMValueRef instrument_query(struct instrumenter *n, LLVMValueRef call, int row);
/* The value of a call of the marker ARGUMENT_PART. */
LLVMValueRef instrument_argument_part(struct instrumenter *n, LLVMValueRef call);

/* *distance: bytes from the start of what the access must stay in; *limit: the first distance that is too large, known
 * in the entry block. Builds in front of `instruction`, or at the end of the builder's block (NULL). False: only the
 * emulator can tell. */
bool instrument_bounds(struct instrumenter *n, const struct kernel_access *access, LLVMValueRef instruction,
                       LLVMValueRef address, LLVMValueRef *distance, LLVMValueRef *limit);
/* Builds the check in front of an access: an address out of bounds ends the run with a message. */
void instrument_check_access(struct instrumenter *n, uint32_t access, LLVMValueRef address);
/* Tells the code generator that the first target of a branch is taken nearly always. */
void instrument_likely(struct instrumenter *n, LLVMValueRef branch);

/* Checks the integer divisions of a block, which is split at each. */
void instrument_divisions(struct instrumenter *n, uint32_t block);

/* Takes addresses of static local arrays from the context, in the finished function. */
int local_arrays_place(struct instrumenter *n);
/* Deletes the arrays when nothing uses them. */
void local_arrays_delete(struct lowering *l);

#endif
