/* A slow and simple reference of the order in which the operations of a block are issued: late stores
 * (model/isa/late_stores.h), where the operation with which each store is done is found by itself, then early loads
 * (model/isa/issue_order.h), where what holds of an operation is found anew from the list of those issued, each time
 * that it is asked. */
#ifndef SUPPORT_REFERENCE_ISSUE_ORDER_H
#define SUPPORT_REFERENCE_ISSUE_ORDER_H

#include <stdbool.h>
#include <stdlib.h>

#include "model/params/gpu.h"
#include "trace/code.h"

/* ---- late stores ---- */

static inline bool reference_is_late(const struct trace_op *op) {
  return op->op_class == OP_STORE && op->space == SPACE_LOCAL;
}

/* Returns the operation with which a store is done, `end` for the end of its block. */
static inline uint32_t reference_done_with(const struct trace_code *code, uint32_t store, uint32_t end,
                                           int64_t registers) {
  int64_t bytes = 0;
  for (uint32_t i = store; i < end; i++) {
    const struct trace_op *op = &code->ops[i];
    bytes += reference_is_late(op) ? op->bytes : 0;
    if (bytes > 4 * registers)
      return i;
    const bool reads = op->op_class == OP_LOAD && op->space != SPACE_LOCAL && op->space != SPACE_PRIVATE;
    const bool accesses = op->op_class == OP_LOAD || op->op_class == OP_STORE || op->op_class == OP_ATOMIC;
    const bool leaves = op->op_class == OP_BARRIER || op->op_class == OP_BRANCH;
    if (!reference_is_late(op) && (leaves || (accesses && !reads)))
      return i;
  }
  return end;
}

/* Returns the operations of the code in the order in which they are done. The caller frees them. */
static inline uint32_t *reference_order(const struct trace_code *code, int64_t registers) {
  uint32_t *order = malloc((code->op_count + 1u) * sizeof *order), count = 0;
  for (uint32_t b = 0; b < code->block_count; b++) {
    const uint32_t first = code->blocks[b].first_op, end = first + code->blocks[b].op_count;
    for (uint32_t i = first; i <= end; i++) {
      for (uint32_t store = first; store <= i && store < end; store++)
        if (reference_is_late(&code->ops[store]) && reference_done_with(code, store, end, registers) == i)
          order[count++] = store;
      if (i < end && !reference_is_late(&code->ops[i]))
        order[count++] = i;
    }
  }
  return order;
}

/* Returns the operations and operands of the code in the order in which they are done; the rest is the code's own. The
 * caller frees `ops`, `operand_end` and `operands`. */
static inline struct trace_code reference_done_code(const struct trace_code *code, const uint32_t *order) {
  struct trace_code done = *code;
  uint32_t *place = malloc((code->op_count + 1u) * sizeof *place), count = 0;
  done.ops = calloc(code->op_count + 1u, sizeof *done.ops);
  const uint32_t operands = code->operand_end && code->op_count ? code->operand_end[code->op_count - 1] : 0;
  done.operand_end = code->operand_end ? calloc(code->op_count + 1u, sizeof *done.operand_end) : NULL;
  done.operands = calloc(operands + 1u, sizeof *done.operands);
  for (uint32_t i = 0; i < code->op_count; i++)
    place[order[i]] = i;
  for (uint32_t i = 0; i < code->op_count; i++) {
    done.ops[i] = code->ops[order[i]];
    if (done.ops[i].first_use != TRACE_NO_OP)
      done.ops[i].first_use = place[done.ops[i].first_use];
    if (!code->operand_end)
      continue;
    for (uint32_t k = order[i] ? code->operand_end[order[i] - 1] : 0; k < code->operand_end[order[i]]; k++)
      done.operands[count++] = place[code->operands[k]];
    done.operand_end[i] = count;
  }
  free(place);
  return done;
}

/* ---- early loads ---- */

/* Operation `op` of the code table, in copy `copy` of its block. */
struct reference_issued {
  uint32_t op, copy;
};

struct reference_order {
  const struct trace_code *code;
  const struct trace_block *block;
  uint32_t copies, budget;
  struct reference_issued *list; /* what is issued */
  uint32_t count;
  struct reference_issued ahead[32]; /* what would go ahead with a load */
  uint32_t ahead_count;
};

static inline bool reference_is_issued(const struct reference_order *o, struct reference_issued x) {
  for (uint32_t i = 0; i < o->count; i++)
    if (o->list[i].op == x.op && o->list[i].copy == x.copy)
      return true;
  return false;
}

/* Returns whether `user` uses the value of `x`. */
static inline bool reference_uses(const struct reference_order *o, struct reference_issued user,
                                  struct reference_issued x) {
  const uint32_t begin = user.op ? o->code->operand_end[user.op - 1] : 0;
  for (uint32_t i = begin; i < o->code->operand_end[user.op]; i++)
    if (o->code->operands[i] == x.op && user.copy == x.copy + (x.op >= user.op))
      return true;
  return false;
}

/* Counts the uses of a value that are to come. */
static inline uint32_t reference_users(const struct reference_order *o, struct reference_issued x) {
  uint32_t count = 0;
  for (uint32_t copy = 0; copy < o->copies; copy++)
    for (uint32_t i = 0; i < o->block->op_count; i++) {
      const struct reference_issued user = {o->block->first_op + i, copy};
      count += reference_uses(o, user, x) && !reference_is_issued(o, user);
    }
  return count;
}

static inline uint32_t reference_held(const struct reference_order *o) {
  uint32_t bytes = 0;
  for (uint32_t i = 0; i < o->count; i++)
    if (o->code->ops[o->list[i].op].op_class == OP_LOAD && reference_users(o, o->list[i]) > 0)
      bytes += o->code->ops[o->list[i].op].bytes;
  return bytes;
}

/* Returns whether a load that is issued has its value: an operation behind it waited for one that was on its way. */
static inline bool reference_has_arrived(const struct reference_order *o, struct reference_issued load) {
  uint32_t arrived = 0, place = 0;
  for (uint32_t i = 0; i < o->count; i++) {
    bool waits = false;
    for (uint32_t k = arrived; k < i; k++)
      waits |= o->code->ops[o->list[k].op].op_class == OP_LOAD && reference_uses(o, o->list[i], o->list[k]);
    if (waits)
      arrived = i;
    if (o->list[i].op == load.op && o->list[i].copy == load.copy)
      place = i;
  }
  return place < arrived;
}

static inline bool reference_goes_ahead(struct reference_order *o, struct reference_issued x, uint32_t depth);

/* Returns whether all that `x` uses is there or can go ahead. */
static inline bool reference_operands_go(struct reference_order *o, struct reference_issued x, uint32_t depth) {
  const uint32_t begin = x.op ? o->code->operand_end[x.op - 1] : 0, first = o->block->first_op;
  for (uint32_t i = begin; i < o->code->operand_end[x.op]; i++) {
    const uint32_t operand = o->code->operands[i];
    if (operand < first || operand >= first + o->block->op_count || (operand >= x.op && x.copy == 0))
      continue;
    if (!reference_goes_ahead(o, (struct reference_issued){operand, x.copy - (operand >= x.op)}, depth))
      return false;
  }
  return true;
}

static inline bool reference_goes_ahead(struct reference_order *o, struct reference_issued x, uint32_t depth) {
  const uint8_t op_class = o->code->ops[x.op].op_class;
  if (reference_is_issued(o, x))
    return op_class != OP_LOAD || reference_has_arrived(o, x);
  for (uint32_t i = 0; i < o->ahead_count; i++)
    if (o->ahead[i].op == x.op && o->ahead[i].copy == x.copy)
      return true;
  if (op_class == OP_LOAD || op_class == OP_STORE || op_class == OP_ATOMIC || op_class == OP_BARRIER || depth == 32)
    return false;
  if (!reference_operands_go(o, x, depth + 1) || o->ahead_count == 32)
    return false;
  o->ahead[o->ahead_count++] = x;
  return true;
}

static inline void reference_try_load(struct reference_order *o, struct reference_issued load) {
  const uint32_t use = o->code->ops[load.op].first_use;
  o->ahead_count = 0;
  if (!reference_operands_go(o, load, 0))
    return;
  if (use >= o->block->first_op && use < load.op) {
    const struct reference_issued before = {use, load.copy};
    if (!reference_is_issued(o, before) && !reference_goes_ahead(o, before, 0))
      return;
  }
  for (uint32_t i = 0; i < o->ahead_count; i++)
    o->list[o->count++] = o->ahead[i];
  o->list[o->count++] = load;
}

/* Tries the loads from operation `from` of the copies on. */
static inline void reference_try_loads(struct reference_order *o, uint32_t from) {
  uint32_t tried = 0;
  for (uint32_t i = from; i < o->copies * o->block->op_count && tried < 16; i++) {
    const struct reference_issued x = {o->block->first_op + i % o->block->op_count, i / o->block->op_count};
    const struct trace_op *op = &o->code->ops[x.op];
    if (op->op_class == OP_STORE || op->op_class == OP_ATOMIC || op->op_class == OP_BARRIER)
      return;
    if (op->op_class != OP_LOAD || reference_is_issued(o, x))
      continue;
    if (reference_held(o) + op->bytes > o->budget)
      return;
    tried++;
    reference_try_load(o, x);
  }
}

/* Returns the operations of `copies` copies of a block in order of issue. The caller frees them. */
static inline struct reference_issued *reference_issue_order(const struct trace_code *code,
                                                             const struct trace_block *block, uint32_t copies,
                                                             uint32_t budget) {
  struct reference_order o = {.code = code, .block = block, .copies = copies, .budget = budget};
  o.list = calloc((size_t)copies * block->op_count + 1, sizeof *o.list);
  for (uint32_t i = 0; i < copies * block->op_count; i++) {
    const struct reference_issued x = {block->first_op + i % block->op_count, i / block->op_count};
    if (budget > 0 && code->operand_end && !reference_is_issued(&o, x))
      reference_try_loads(&o, i);
    if (!reference_is_issued(&o, x))
      o.list[o.count++] = x;
  }
  return o.list;
}

/* Returns how many copies of a block make the body of a loop. */
static inline uint32_t reference_copies(const struct trace_code *code, uint32_t block, uint32_t budget,
                                        uint32_t unroll) {
  const struct trace_block *b = &code->blocks[block];
  bool loops = false;
  for (uint32_t i = 0; i < b->successor_count; i++)
    loops |= code->successors[b->first_successor + i] == block;
  if (!loops || b->mem_count == 0 || b->has_barrier || budget == 0 || !code->operand_end)
    return 1;
  uint32_t copies = 64;
  while (copies > 1 && (copies > unroll || copies * b->op_count > 96))
    copies /= 2;
  return copies;
}

#endif
