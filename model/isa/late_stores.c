#include "model/isa/late_stores.h"

#include <stdbool.h>
#include <stdlib.h>

/* Stores of a block that wait: a queue, oldest first. */
struct waiting {
  uint32_t *stores;
  uint32_t first, end;
  uint64_t bytes;
};

static bool is_access(const struct trace_op *op) {
  return op->op_class == OP_LOAD || op->op_class == OP_STORE || op->op_class == OP_ATOMIC;
}

static bool is_local_store(const struct trace_op *op) {
  return op->op_class == OP_STORE && op->space == SPACE_LOCAL;
}

/* Returns whether a store to local memory may be done behind the operation. */
static bool lets_stores_wait(const struct trace_op *op) {
  if (is_access(op))
    return op->op_class == OP_LOAD && (op->space == SPACE_GLOBAL || op->space == SPACE_CONSTANT);
  return op->op_class != OP_BARRIER && op->op_class != OP_BRANCH;
}

static uint32_t *put_oldest(struct waiting *w, const struct trace_code *code, uint32_t *order) {
  const uint32_t store = w->stores[w->first++];
  w->bytes -= code->ops[store].bytes;
  *order = store;
  return order + 1;
}

static uint32_t *order_block(const struct trace_code *code, const struct trace_block *block, uint64_t most_bytes,
                             struct waiting *w, uint32_t *order) {
  w->first = w->end = 0;
  w->bytes = 0;
  for (uint32_t i = block->first_op; i < block->first_op + block->op_count; i++) {
    const bool waits = is_local_store(&code->ops[i]);
    if (waits) {
      w->stores[w->end++] = i;
      w->bytes += code->ops[i].bytes;
    }
    while (w->first < w->end && (waits ? w->bytes > most_bytes : !lets_stores_wait(&code->ops[i])))
      order = put_oldest(w, code, order);
    if (!waits)
      *order++ = i;
  }
  while (w->first < w->end)
    order = put_oldest(w, code, order);
  return order;
}

int late_stores_order(const struct trace_code *code, uint32_t most_registers, uint32_t *order) {
  struct waiting w = {.stores = malloc((code->op_count + 1u) * sizeof *w.stores)};
  if (!w.stores)
    return -1;
  for (uint32_t b = 0; b < code->block_count; b++)
    order = order_block(code, &code->blocks[b], UINT64_C(4) * most_registers, &w, order);
  free(w.stores);
  return 0;
}
