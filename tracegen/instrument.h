/* What the parts of instrumentation share while one kernel is rewritten. Private to tracegen.
 *
 *   instrument.c   recording, bounds, queries, barriers, variables
 *   division.c     integer divisions */
#ifndef TRACEGEN_INSTRUMENT_H
#define TRACEGEN_INSTRUMENT_H

#include "tracegen/lower.h"

struct instrumenter {
  struct lowering *l;
  LLVMBuilderRef b;
  LLVMTypeRef i8, i16, i32, i64, pointer;
  LLVMValueRef function, context, arguments;
  LLVMBasicBlockRef entry;
  LLVMValueRef block_slot, address_slot; /* the two cursors */
  LLVMValueRef private_base;
  LLVMValueRef bounds;                          /* item_context.bounds */
  LLVMValueRef *argument_base, *argument_bytes; /* by parameter; pointers only */
};

/* At the builder's place: a call of a function of the emulator with the work-item, `first` and, unless NULL, `second`
 * (64 bits). */
LLVMValueRef instrument_call(struct instrumenter *n, void (*function)(void), uint64_t first, LLVMValueRef second);

/* So many bytes on the stack of the work-item, at a multiple of 16; for one call at a time. */
LLVMValueRef instrument_room(struct instrumenter *n, uint64_t bytes);

/* Checks and mends the block's integer divisions. The block is cut into pieces. */
void instrument_divisions(struct instrumenter *n, uint32_t block);

#endif
