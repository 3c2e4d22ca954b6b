/* The loop around the instrumented kernel: neighbours along x run one after the other without leaving native code.
 * What is the same for all of them (arguments, bounds, saved registers) is loaded once, which is most of the time of
 * a work-item with few instructions. */
#include "tracegen/lower/instrument/item_loop.h"

#include <stddef.h>

#define AT(field) offsetof(struct item_context, field)

static LLVMValueRef load(struct instrumenter *n, LLVMTypeRef type, uint64_t offset) {
  return instrument_load_at(n, type, n->context, offset);
}

/* Adds `step` (1 or -1) to a number of the context. Returns the sum. */
static LLVMValueRef move(struct instrumenter *n, LLVMTypeRef type, uint64_t offset, int step) {
  LLVMValueRef moved =
      LLVMBuildAdd(n->b, load(n, type, offset), LLVMConstInt(type, (unsigned long long)(long long)step, true), "");
  LLVMBuildStore(n->b, moved, instrument_at(n, n->context, offset));
  return moved;
}

static uint64_t query_along_x(enum work_item_query row) {
  return AT(query) + (uint64_t)row * sizeof((struct item_context *)0)->query[0];
}

/* Advances the ids to the next work-item. */
static void step_ids(struct instrumenter *n) {
  static const enum work_item_query rows[] = {QUERY_LOCAL_LINEAR_ID, QUERY_LOCAL_ID, QUERY_GLOBAL_ID,
                                              QUERY_GLOBAL_LINEAR_ID};
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
    move(n, n->i64, query_along_x(rows[i]), 1);
  move(n, n->i32, AT(local_id), 1);
}

/* Stores where the work-item's recording ends. */
static void keep_end(struct instrumenter *n, LLVMValueRef blocks, LLVMValueRef addresses) {
  LLVMValueRef end = load(n, n->pointer, AT(ends));
  LLVMBuildStore(n->b, blocks, instrument_at(n, end, offsetof(struct trace_item_end, blocks)));
  LLVMBuildStore(n->b, addresses, instrument_at(n, end, offsetof(struct trace_item_end, addresses)));
  LLVMBuildStore(n->b, instrument_at(n, end, sizeof(struct trace_item_end)), instrument_at(n, n->context, AT(ends)));
}

void item_loop_open(struct instrumenter *n) {
  n->behind_item = LLVMAppendBasicBlockInContext(n->l->context, n->function, "");
}

void item_loop_close(struct instrumenter *n, LLVMBasicBlockRef first) {
  LLVMBasicBlockRef next = LLVMAppendBasicBlockInContext(n->l->context, n->function, "");
  LLVMBasicBlockRef done = LLVMAppendBasicBlockInContext(n->l->context, n->function, "");
  LLVMPositionBuilderAtEnd(n->b, n->behind_item);
  LLVMValueRef blocks = LLVMBuildLoad2(n->b, n->pointer, n->block_slot, "");
  LLVMValueRef addresses = LLVMBuildLoad2(n->b, n->pointer, n->address_slot, "");
  keep_end(n, blocks, addresses);
  LLVMValueRef left = move(n, n->i32, AT(items_left), -1);
  LLVMValueRef more = LLVMBuildICmp(n->b, LLVMIntNE, left, LLVMConstInt(n->i32, 0, false), "");
  LLVMValueRef room = LLVMBuildICmp(n->b, LLVMIntULT, blocks, load(n, n->pointer, AT(most_blocks)), "");
  more = LLVMBuildAnd(n->b, more, room, "");
  room = LLVMBuildICmp(n->b, LLVMIntULT, addresses, load(n, n->pointer, AT(most_addresses)), "");
  instrument_keep_cursors(n); /* messages need to know where the work-item started */
  LLVMBuildCondBr(n->b, LLVMBuildAnd(n->b, more, room, ""), next, done);
  LLVMPositionBuilderAtEnd(n->b, next);
  step_ids(n);
  LLVMBuildBr(n->b, first);
  LLVMPositionBuilderAtEnd(n->b, done);
  LLVMBuildRetVoid(n->b);
}
