#include "model/isa/bundle.h"

#include <assert.h>
#include <stdlib.h>

#include "model/result/cycle_stack.h"

#define ONE UINT64_C(1024) /* 1 issue slot */

/* The clause that operations are being added to. */
struct clause {
  const struct bundle_rule *rule;
  uint64_t in_pipe[ISA_PIPE_COUNT]; /* slots of operations that only one pipe issues */
  uint64_t all;
  uint32_t first;              /* first operation of the clause */
  uint64_t *asked;             /* slots of each operation in this clause */
  uint64_t *paid;              /* slots of each operation in finished clauses */
  struct bundle_count *counts; /* counts of the block */
};

static uint64_t slots_of_all_pipes(const struct bundle_rule *rule) {
  uint64_t sum = 0;
  for (uint32_t p = 0; p < rule->pipe_count; p++)
    sum += rule->slots_of[p];
  return sum;
}

static uint64_t round_up_quotient(uint64_t a, uint64_t b) {
  return a / b + (a % b != 0);
}

static uint64_t bundles_of(const struct clause *c) {
  uint64_t most = round_up_quotient(c->all, slots_of_all_pipes(c->rule) * ONE);
  for (uint32_t p = 0; p < c->rule->pipe_count; p++) {
    uint64_t need = round_up_quotient(c->in_pipe[p], c->rule->slots_of[p] * ONE);
    most = need > most ? need : most;
  }
  return most;
}

/* Returns the slots of a pipe that are free in the clause. */
static uint64_t room(const struct clause *c, uint8_t pipe) {
  uint64_t any = slots_of_all_pipes(c->rule) * c->rule->most * ONE - c->all;
  if (pipe == BUNDLE_NO_PIPE)
    return any;
  uint64_t own = (uint64_t)c->rule->slots_of[pipe] * c->rule->most * ONE - c->in_pipe[pipe];
  return own < any ? own : any;
}

/* Ends the clause and divides the slots of its bundles among its operations, in proportion to their own slots. */
static void end_clause(struct clause *c, uint32_t last) {
  uint64_t bundles = bundles_of(c), pay = bundles * c->rule->slots, before = 0, before_paid = 0;
  for (uint32_t i = c->first; i <= last && c->all > 0; i++) {
    before += c->asked[i];
    uint64_t paid = (uint64_t)((tick_sum)pay * before / c->all);
    c->paid[i] += paid - before_paid;
    before_paid = paid;
    c->asked[i] = 0;
  }
  c->counts->bundles += bundles;
  c->counts->clauses += c->all > 0;
  c->all = 0;
  for (uint32_t p = 0; p < c->rule->pipe_count; p++)
    c->in_pipe[p] = 0;
  c->first = last;
}

static void add(struct clause *c, uint32_t op, uint8_t pipe, uint64_t slots) {
  c->asked[op] += slots;
  c->all += slots;
  if (pipe != BUNDLE_NO_PIPE)
    c->in_pipe[pipe] += slots;
}

/* Adds the equal clauses that an operation fills alone. The last one stays open for operations of other pipes. */
static uint64_t whole_clauses(struct clause *c, uint32_t op, uint8_t pipe, uint64_t slots) {
  uint64_t one = room(c, pipe), count = (slots - 1) / one;
  if (count == 0)
    return slots;
  uint64_t paid = c->paid[op];
  struct bundle_count counts = *c->counts;
  add(c, op, pipe, one);
  end_clause(c, op);
  c->paid[op] = paid + (c->paid[op] - paid) * count;
  c->counts->bundles = counts.bundles + (c->counts->bundles - counts.bundles) * count;
  c->counts->clauses = counts.clauses + count;
  return slots - count * one;
}

static void take(struct clause *c, uint32_t op, uint8_t pipe, uint64_t slots) {
  uint64_t here = room(c, pipe);
  if (slots > here && c->all > 0) {
    add(c, op, pipe, here);
    end_clause(c, op);
    slots = whole_clauses(c, op, pipe, slots - here);
  } else if (slots > here) {
    slots = whole_clauses(c, op, pipe, slots);
  }
  add(c, op, pipe, slots);
}

static bool ends_clause(const struct trace_op *op) {
  return op->op_class == OP_LOAD || op->op_class == OP_STORE || op->op_class == OP_ATOMIC || op->op_class == OP_BARRIER;
}

static void price_block(struct clause *c, const struct trace_code *code, const struct trace_block *block,
                        const uint8_t *pipes, const bool *used) {
  c->first = block->first_op;
  for (uint32_t i = block->first_op; i < block->first_op + block->op_count; i++) {
    uint64_t slots = c->paid[i];
    c->paid[i] = 0;
    if (used[i] && i > block->first_op)
      end_clause(c, i - 1);
    take(c, i, c->rule->pipe_of[pipes[i]], slots);
    if (ends_clause(&code->ops[i]) || i + 1 == block->first_op + block->op_count)
      end_clause(c, i);
  }
}

int bundle_price(const struct bundle_rule *rule, const struct trace_code *code, const uint8_t *pipes, const bool *used,
                 uint64_t *slots, struct bundle_count *blocks, struct error *error) {
  uint64_t *asked = calloc(code->op_count + 1u, sizeof *asked);
  if (!asked)
    return error_no_memory(error);
  for (uint32_t b = 0; b < code->block_count; b++) {
    struct bundle_count count = {0};
    struct clause clause = {.rule = rule, .asked = asked, .paid = slots, .counts = &count};
    price_block(&clause, code, &code->blocks[b], pipes, used);
    assert(clause.all == 0);
    if (blocks)
      blocks[b] = count;
  }
  free(asked);
  return 0;
}
