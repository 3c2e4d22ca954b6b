#include "model/isa/price.h"

#include <math.h>
#include <stdlib.h>

#include "model/isa/arranged_code.h"
#include "model/isa/bundle.h"
#include "model/isa/issue_order.h"

#define UNROLLED_OPS 96 /* of all copies of a loop's body at most */

/* State of the pass over a code table. */
struct pricing {
  struct price_list *prices;
  const struct trace_code *code;
  const bool *used; /* [op_count]: first uses of loaded values; NULL: they do not matter */
  const struct arranged_code *arranged;
  uint32_t event_count;
  uint64_t run;         /* slots since the last event */
  const uint64_t *uses; /* [op_count], with the pipe of each; NULL: no pipe is modelled */
  const uint8_t *pipe_of;
  struct pipe_uses run_uses; /* since the last event */
  uint32_t *mem_index;       /* [op_count]: index among trace_code.mem_ops; TRACE_NO_OP: no memory operation */
  struct issue_order *order; /* NULL: the order of the code */
};

static struct block_event *end_run(struct pricing *p, enum block_event_kind kind, uint32_t op) {
  if (p->uses)
    p->prices->event_uses[p->event_count] = p->run_uses;
  p->run_uses = (struct pipe_uses){{0}};
  struct block_event *event = &p->prices->events[p->event_count++];
  *event = (struct block_event){.slots = p->run, .op = op, .kind = kind};
  p->run = 0;
  return event;
}

/* Returns whether another operation does the access. */
static bool is_merged(const struct arranged_code *arranged, uint32_t op) {
  return arranged && arranged->merged && arranged->merged[op];
}

/* Returns which of the block's memory operations in the trace has the addresses of memory operation `mem`. */
static uint32_t addresses_of(const struct pricing *p, const struct trace_block *block, uint32_t mem) {
  const uint32_t *from = p->arranged ? p->arranged->addresses_of : NULL;
  return from ? from[block->first_mem + mem] - block->first_mem : mem;
}

static void price_op(struct pricing *p, struct block_price *price, const struct trace_block *block,
                     struct issued_op issued) {
  const struct trace_code *code = p->code;
  const uint32_t i = issued.op;
  if (p->used && p->used[i])
    end_run(p, BLOCK_USE, i)->copy = issued.copy;
  p->run += p->prices->ops[i];
  if (p->uses && p->uses[i])
    p->run_uses.of[p->pipe_of[i]] += p->uses[i];
  price->total += p->prices->ops[i];
  price->instructions += code->ops[i].op_class != OP_MOVE;
  if (p->mem_index[i] != TRACE_NO_OP && !is_merged(p->arranged, i)) {
    struct block_event *event = end_run(p, BLOCK_ACCESS, i);
    event->mem = addresses_of(p, block, p->mem_index[i] - block->first_mem);
    event->copy = issued.copy;
  } else if (code->ops[i].op_class == OP_BARRIER) {
    end_run(p, BLOCK_BARRIER, i);
  }
}

/* Returns the number of the use that waits for the value of an access: in the same copy of the block, in the next one,
 * or in another block. */
static uint32_t use_of_access(const struct trace_code *code, const struct trace_block *block,
                              const struct block_event *event, uint32_t copies) {
  const struct trace_op *op = &code->ops[event->op];
  if (op->op_class == OP_STORE || op->first_use == TRACE_NO_OP)
    return TRACE_NO_OP;
  if (op->first_use - block->first_op >= block->op_count)
    return op->first_use;
  return op->first_use + (event->copy + (op->first_use <= event->op)) % copies * code->op_count;
}

static uint32_t use_of_event(const struct trace_code *code, const struct trace_block *block,
                             const struct block_event *event, uint32_t copies) {
  return event->kind == BLOCK_ACCESS ? use_of_access(code, block, event, copies)
                                     : event->op + event->copy * code->op_count;
}

static void price_copies(struct pricing *p, uint32_t index, uint32_t copies, struct block_price *price,
                         struct pipe_uses *tails) {
  const struct trace_block *block = &p->code->blocks[index];
  *price = (struct block_price){.first_event = p->event_count, .copies = copies};
  p->run = 0;
  p->run_uses = (struct pipe_uses){{0}};
  if (p->order) {
    const uint32_t count = issue_order_of(p->order, block, copies);
    for (uint32_t i = 0; i < count; i++)
      price_op(p, price, block, p->order->ops[i]);
  } else {
    for (uint32_t i = 0; i < block->op_count; i++)
      price_op(p, price, block, (struct issued_op){block->first_op + i, 0});
  }
  price->tail = p->run;
  if (tails)
    tails[index] = p->run_uses;
  price->event_count = p->event_count - price->first_event;
  for (uint32_t i = price->first_event; i < p->event_count; i++) {
    struct block_event *event = &p->prices->events[i];
    event->use = use_of_event(p->code, block, event, copies);
  }
}

/* Returns how many copies of a block make a loop's body: a power of two. */
static uint32_t copies_of(const struct trace_code *code, uint32_t index, uint32_t unroll) {
  const struct trace_block *block = &code->blocks[index];
  bool own = false;
  for (uint32_t i = 0; i < block->successor_count; i++)
    own |= code->successors[block->first_successor + i] == index;
  uint32_t copies = 1;
  while (own && block->mem_count && !block->has_barrier && 2 * copies <= unroll &&
         2 * copies * block->op_count <= UNROLLED_OPS)
    copies *= 2;
  return copies;
}

/* The operations of a code table with the data from which clauses are made. */
struct operations {
  uint64_t *slots;
  uint8_t *pipes;        /* enum isa_pipe */
  uint64_t *uses;        /* operations of a pipe that the GPU has, in 1/1024 */
  uint8_t *engine_pipes; /* which one */
  bool *used;            /* whether it is the first use of a loaded value */
};

static void operations_clear(struct operations *ops) {
  free(ops->slots);
  free(ops->pipes);
  free(ops->uses);
  free(ops->engine_pipes);
  free(ops->used);
}

/* Divides the price of an operation whose pipe the GPU has into issue slots and uses of the pipe. Returns the slots. */
static double use_pipe(const struct trace_code *code, const struct isa_profile *isa, const struct price_rules *rules,
                       uint32_t i, unsigned rule, double slots, double factor, struct operations *ops) {
  double issue, uses;
  ops->engine_pipes[i] = rules->pipes[isa_rule_pipe(isa, rule)];
  if (ops->engine_pipes[i] == NO_EXECUTION_PIPE)
    return slots;
  isa_pipe_use(isa, rule, &code->ops[i], slots, &issue, &uses);
  ops->uses[i] = (uint64_t)llround(uses * factor * PRICE_ONE);
  return issue;
}

static int price_operations(const struct trace_code *code, const struct isa_profile *isa,
                            const struct price_rules *rules, struct operations *ops, struct error *error) {
  for (uint32_t i = 0; i < code->op_count; i++) {
    double slots;
    unsigned rule;
    if (isa_op_slots(isa, code, &code->ops[i], &slots, &rule, error))
      return -1;
    const double factor = rules->factors ? rules->factors[code->ops[i].op_class] : 1;
    if (rules->pipes)
      slots = use_pipe(code, isa, rules, i, rule, slots, factor, ops);
    ops->slots[i] = (uint64_t)llround(slots * factor * PRICE_ONE);
    ops->pipes[i] = (uint8_t)isa_rule_pipe(isa, rule);
  }
  return 0;
}

static void mark_uses(const struct trace_code *code, bool *used) {
  for (uint32_t m = 0; m < code->mem_count; m++) {
    uint32_t use = code->ops[code->mem_ops[m]].first_use;
    if (use != TRACE_NO_OP)
      used[use] = true;
  }
}

static int operations_init(struct operations *ops, const struct trace_code *code, const struct isa_profile *isa,
                           const struct price_rules *rules, struct error *error) {
  ops->slots = calloc(code->op_count + 1u, sizeof *ops->slots);
  ops->pipes = calloc(code->op_count + 1u, sizeof *ops->pipes);
  ops->used = calloc(code->op_count + 1u, sizeof *ops->used);
  if (rules->pipes) {
    ops->uses = calloc(code->op_count + 1u, sizeof *ops->uses);
    ops->engine_pipes = calloc(code->op_count + 1u, sizeof *ops->engine_pipes);
  }
  if (!ops->slots || !ops->pipes || !ops->used || (rules->pipes && (!ops->uses || !ops->engine_pipes)))
    return error_no_memory(error);
  mark_uses(code, ops->used);
  return price_operations(code, isa, rules, ops, error);
}

static int price_bundles(const struct trace_code *code, const struct isa_profile *isa, struct operations *ops,
                         struct error *error) {
  if (!isa_bundle(isa))
    return error_at(
        error, ERROR_INPUT, "", 0, 0, "issue",
        "issue is bundles, but ISA profile '%s' has no 'bundle', which says what issues side by side: expected issue: "
        "slots, or a profile that has one",
        isa_name(isa));
  return bundle_price(isa_bundle(isa), code, ops->pipes, ops->used, ops->slots, NULL, error);
}

int price_bundle_counts(const struct trace_code *code, const struct isa_profile *isa, struct bundle_count *blocks,
                        struct error *error) {
  struct operations ops = {0};
  int status = operations_init(&ops, code, isa, &(struct price_rules){0}, error);
  if (status == 0)
    status = bundle_price(isa_bundle(isa), code, ops.pipes, ops.used, ops.slots, blocks, error);
  operations_clear(&ops);
  return status;
}

/* Returns the index of each operation among the memory operations, or TRACE_NO_OP. The caller frees it. */
static uint32_t *mem_indices(const struct trace_code *code) {
  uint32_t *index = malloc((code->op_count + 1u) * sizeof *index);
  for (uint32_t i = 0; index && i < code->op_count; i++)
    index[i] = TRACE_NO_OP;
  for (uint32_t i = 0; index && i < code->mem_count; i++)
    index[code->mem_ops[i]] = i;
  return index;
}

static void price_blocks(struct pricing *p, uint32_t unroll) {
  for (uint32_t i = 0; i < p->code->block_count; i++) {
    const uint32_t copies = p->order ? copies_of(p->code, i, unroll) : 1;
    price_copies(p, i, 1, &p->prices->blocks[i], p->prices->tail_uses);
    if (copies > 1)
      price_copies(p, i, copies, &p->prices->loops[i], p->prices->loop_tail_uses);
  }
}

/* Allocates the uses of pipes of `events` events. Returns false when out of memory. */
static bool make_uses(struct price_list *prices, size_t events, uint32_t blocks) {
  prices->event_uses = calloc(events, sizeof *prices->event_uses);
  prices->tail_uses = calloc(blocks + 1u, sizeof *prices->tail_uses);
  prices->loop_tail_uses = calloc(blocks + 1u, sizeof *prices->loop_tail_uses);
  return prices->event_uses && prices->tail_uses && prices->loop_tail_uses;
}

static int price_all(struct price_list *prices, const struct trace_code *code, const struct operations *priced,
                     const struct price_rules *rules, struct error *error) {
  const bool orders = rules->early_load_bytes > 0 && code->operand_end;
  struct issue_order order = {0};
  size_t ops = code->op_count;
  for (uint32_t i = 0; orders && i < code->block_count; i++)
    ops += (size_t)copies_of(code, i, rules->unroll) * code->blocks[i].op_count;
  prices->events = calloc(2 * ops + 1, sizeof *prices->events); /* an operation ends at most two runs */
  prices->blocks = calloc(code->block_count + 1u, sizeof *prices->blocks);
  prices->loops = calloc(code->block_count + 1u, sizeof *prices->loops);
  struct pricing pricing = {.prices = prices,
                            .code = code,
                            .used = rules->uses ? priced->used : NULL,
                            .uses = priced->uses,
                            .pipe_of = priced->engine_pipes,
                            .arranged = rules->arranged,
                            .mem_index = mem_indices(code),
                            .order = orders ? &order : NULL};
  int status = prices->events && prices->blocks && prices->loops && pricing.mem_index ? 0 : error_no_memory(error);
  if (status == 0 && rules->pipes && !make_uses(prices, 2 * ops + 1, code->block_count))
    status = error_no_memory(error);
  if (status == 0 && orders)
    status = issue_order_init(&order, code, rules->early_load_bytes, rules->unroll ? rules->unroll : 1, error);
  if (status == 0)
    price_blocks(&pricing, rules->unroll);
  issue_order_clear(&order);
  free(pricing.mem_index);
  return status;
}

/* Sets the price of accesses that another one does to 0. */
static void drop_merged(const struct arranged_code *arranged, uint32_t op_count, struct operations *ops) {
  for (uint32_t i = 0; i < op_count; i++)
    if (is_merged(arranged, i)) {
      ops->slots[i] = 0;
      if (ops->uses)
        ops->uses[i] = 0;
    }
}

int price_list_init(struct price_list *prices, const struct trace_code *code, const struct isa_profile *isa,
                    const struct price_rules *rules, struct error *error) {
  struct operations ops = {0};
  *prices = (struct price_list){0};
  int status = operations_init(&ops, code, isa, rules, error);
  if (status == 0 && rules->bundles)
    status = price_bundles(code, isa, &ops, error);
  if (status == 0)
    drop_merged(rules->arranged, code->op_count, &ops);
  prices->ops = ops.slots;
  ops.slots = NULL;
  if (status == 0)
    status = price_all(prices, code, &ops, rules, error);
  operations_clear(&ops);
  if (status)
    price_list_clear(prices);
  return status;
}

void price_list_clear(struct price_list *prices) {
  free(prices->ops);
  free(prices->events);
  free(prices->blocks);
  free(prices->loops);
  free(prices->event_uses);
  free(prices->tail_uses);
  free(prices->loop_tail_uses);
  *prices = (struct price_list){0};
}
