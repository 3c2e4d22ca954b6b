#include "model/isa/issue_order.h"

#include <stdlib.h>

struct issue_node {
  uint32_t next_load; /* the first load that stands behind it */
  uint32_t uses;      /* uses of its value that are still to come */
  uint32_t place;     /* of an issued one in the order */
  bool issued;
};

/* The state while a block is ordered. Nodes are the operations of all copies, copy after copy. */
struct ordering {
  struct issue_order *order;
  const struct trace_block *block;
  uint32_t count, done; /* nodes; those that are issued */
  uint32_t held;        /* bytes of loaded values that have uses to come */
  uint32_t arrived;     /* the values of loads before this place of the order are there */
  uint32_t fence;       /* first node from the present one on that no load may pass */
  uint32_t moved[ISSUE_MOST_MOVED], moved_count, depth; /* operations that go ahead with a load; steps from the load */
};

static const struct trace_op *op_of(const struct ordering *o, uint32_t node) {
  return &o->order->code->ops[o->block->first_op + node % o->block->op_count];
}

static bool is_load(const struct trace_op *op) {
  return op->op_class == OP_LOAD;
}

static bool is_fence(const struct trace_op *op) {
  return op->op_class == OP_STORE || op->op_class == OP_ATOMIC || op->op_class == OP_BARRIER;
}

/* Calls `each` for the nodes whose values a node uses, until it returns false. Values of other blocks, and of the
 * iteration before the first copy, are there. */
static bool for_operands(struct ordering *o, uint32_t node, bool (*each)(struct ordering *, uint32_t)) {
  const struct trace_code *code = o->order->code;
  const uint32_t place = node % o->block->op_count, own = o->block->first_op + place, copy = node - place;
  for (uint32_t i = own ? code->operand_end[own - 1] : 0; i < code->operand_end[own]; i++) {
    const uint32_t at = code->operands[i] - o->block->first_op;
    const bool before = at >= place; /* of the iteration before */
    if (at >= o->block->op_count || (before && copy == 0))
      continue;
    if (!each(o, before ? copy + at - o->block->op_count : copy + at))
      return false;
  }
  return true;
}

static bool count_use(struct ordering *o, uint32_t node) {
  o->order->nodes[node].uses++;
  return true;
}

static bool is_on_its_way(const struct ordering *o, uint32_t node) {
  return is_load(op_of(o, node)) && o->order->nodes[node].place >= o->arrived;
}

/* Uses a value by the operation that was issued last. */
static bool use(struct ordering *o, uint32_t node) {
  struct issue_node *n = &o->order->nodes[node];
  if (--n->uses == 0 && is_load(op_of(o, node)))
    o->held -= op_of(o, node)->bytes;
  if (is_on_its_way(o, node))
    o->arrived = o->done - 1;
  return true;
}

static void issue(struct ordering *o, uint32_t node) {
  struct issue_node *n = &o->order->nodes[node];
  const struct trace_op *op = op_of(o, node);
  const uint32_t place = node % o->block->op_count;
  o->order->ops[o->done++] = (struct issued_op){o->block->first_op + place, node / o->block->op_count};
  n->place = o->done - 1;
  n->issued = true;
  for_operands(o, node, use);
  if (is_load(op) && n->uses > 0)
    o->held += op->bytes;
}

/* Adds a node to what goes ahead, behind all that it needs. Returns false if it cannot. */
static bool move(struct ordering *o, uint32_t node) {
  const struct issue_node *n = &o->order->nodes[node];
  if (n->issued)
    return !is_on_its_way(o, node);
  for (uint32_t i = 0; i < o->moved_count; i++)
    if (o->moved[i] == node)
      return true;
  if (is_load(op_of(o, node)) || is_fence(op_of(o, node)) || o->depth == ISSUE_MOST_MOVED)
    return false;
  o->depth++;
  const bool can_move = for_operands(o, node, move) && o->moved_count < ISSUE_MOST_MOVED;
  o->depth--;
  if (can_move)
    o->moved[o->moved_count++] = node;
  return can_move;
}

/* Adds the first use of the value that the load had in the iteration before, if it stands before the load. */
static bool move_use_before(struct ordering *o, uint32_t node) {
  const uint32_t own = o->block->first_op + node % o->block->op_count, first = op_of(o, node)->first_use;
  const bool before = first >= o->block->first_op && first < own;
  return !before || o->order->nodes[node - (own - first)].issued || move(o, node - (own - first));
}

static void try_load(struct ordering *o, uint32_t node) {
  o->moved_count = 0;
  if (!for_operands(o, node, move) || !move_use_before(o, node))
    return;
  for (uint32_t i = 0; i < o->moved_count; i++)
    issue(o, o->moved[i]);
  issue(o, node);
}

static void try_loads(struct ordering *o, uint32_t from) {
  const struct issue_node *nodes = o->order->nodes;
  uint32_t node = is_load(op_of(o, from)) ? from : nodes[from].next_load;
  for (uint32_t tried = 0; node < o->fence && tried < ISSUE_MOST_TRIED; node = nodes[node].next_load) {
    if (nodes[node].issued)
      continue;
    if (o->held + op_of(o, node)->bytes > o->order->budget)
      return;
    tried++;
    try_load(o, node);
  }
}

static void find_fence(struct ordering *o, uint32_t from) {
  for (o->fence = from; o->fence < o->count && !is_fence(op_of(o, o->fence));)
    o->fence++;
}

uint32_t issue_order_of(struct issue_order *order, const struct trace_block *block, uint32_t copies) {
  struct ordering o = {.order = order, .block = block, .count = block->op_count * copies};
  for (uint32_t i = o.count, next = o.count; i-- > 0;) {
    order->nodes[i] = (struct issue_node){.next_load = next};
    next = is_load(op_of(&o, i)) ? i : next;
  }
  for (uint32_t i = 0; i < o.count; i++)
    for_operands(&o, i, count_use);
  find_fence(&o, 0);
  for (uint32_t i = 0; i < o.count; i++) {
    if (!order->nodes[i].issued)
      try_loads(&o, i);
    if (!order->nodes[i].issued)
      issue(&o, i);
    if (i == o.fence)
      find_fence(&o, i + 1);
  }
  return o.done;
}

int issue_order_init(struct issue_order *order, const struct trace_code *code, uint32_t budget, uint32_t most_copies,
                     struct error *error) {
  uint32_t most = 0;
  for (uint32_t i = 0; i < code->block_count; i++)
    most = code->blocks[i].op_count > most ? code->blocks[i].op_count : most;
  *order = (struct issue_order){.code = code, .budget = budget};
  order->nodes = calloc((size_t)most * most_copies + 1, sizeof *order->nodes);
  order->ops = calloc((size_t)most * most_copies + 1, sizeof *order->ops);
  if (order->nodes && order->ops)
    return 0;
  issue_order_clear(order);
  return error_no_memory(error);
}

void issue_order_clear(struct issue_order *order) {
  free(order->nodes);
  free(order->ops);
  *order = (struct issue_order){0};
}
