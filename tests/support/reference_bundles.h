/* A slow and simple reference of the bundles of a block: operations are cut into grains, and a grain joins the clause
 * if the clause's grains can still be assigned to the slots of at most `most` bundles. */
#ifndef SUPPORT_REFERENCE_BUNDLES_H
#define SUPPORT_REFERENCE_BUNDLES_H

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/isa/bundle.h"
#include "model/params/gpu.h"

struct reference_clause {
  uint64_t in_pipe[ISA_PIPE_COUNT], any; /* requested slots, in 1/1024 */
};

/* Returns whether the grains fit: every pipe issues its own operations, and the rest of all pipes issues the others. */
static inline bool reference_fits(const struct bundle_rule *rule, const struct reference_clause *c, uint64_t bundles) {
  uint64_t left = 0;
  for (uint32_t p = 0; p < rule->pipe_count; p++) {
    uint64_t has = bundles * rule->slots_of[p] * 1024;
    if (c->in_pipe[p] > has)
      return false;
    left += has - c->in_pipe[p];
  }
  return c->any <= left;
}

static inline void reference_grain(struct reference_clause *c, uint8_t pipe, int64_t grain) {
  if (pipe == BUNDLE_NO_PIPE)
    c->any += (uint64_t)grain;
  else
    c->in_pipe[pipe] += (uint64_t)grain;
}

/* Empties the clause. Returns its price. */
static inline uint64_t reference_close(const struct bundle_rule *rule, struct reference_clause *c,
                                       struct bundle_count *count) {
  uint64_t bundles = 0;
  while (!reference_fits(rule, c, bundles))
    bundles++;
  *c = (struct reference_clause){0};
  count->bundles += bundles;
  count->clauses += bundles > 0;
  return bundles * rule->slots;
}

/* Returns the largest unit that divides a slot and the slots of all operations. */
static inline uint64_t reference_grain_size(const struct trace_code *code, const uint64_t *slots) {
  uint64_t unit = 1024;
  for (uint32_t i = 0; i < code->op_count; i++)
    for (uint64_t b = slots[i]; b;) {
      uint64_t rest = unit % b;
      unit = b;
      b = rest;
    }
  return unit;
}

/* Computes paid[i], the price of the clauses that end at operation i, and of the one right before it that ends because
 * i is a first use; the latter counts for the operation before. Slots, pipes and used are those of bundle_price. */
static inline void reference_bundles(const struct bundle_rule *rule, const struct trace_code *code,
                                     const uint8_t *pipes, const bool *used, const uint64_t *slots, uint64_t *paid,
                                     struct bundle_count *counts) {
  uint64_t grain = reference_grain_size(code, slots);
  for (uint32_t b = 0; b < code->block_count; b++) {
    uint32_t first = code->blocks[b].first_op, end = first + code->blocks[b].op_count;
    struct reference_clause clause = {0};
    counts[b] = (struct bundle_count){0};
    for (uint32_t i = first; i < end; i++) {
      uint8_t pipe = rule->pipe_of[pipes[i]];
      paid[i] = 0;
      if (used[i] && i > first)
        paid[i - 1] += reference_close(rule, &clause, &counts[b]);
      for (uint64_t g = 0; g < slots[i]; g += grain) {
        reference_grain(&clause, pipe, (int64_t)grain);
        if (reference_fits(rule, &clause, rule->most))
          continue;
        reference_grain(&clause, pipe, -(int64_t)grain);
        paid[i] += reference_close(rule, &clause, &counts[b]);
        reference_grain(&clause, pipe, (int64_t)grain);
      }
      int kind = code->ops[i].op_class;
      if (kind == OP_LOAD || kind == OP_STORE || kind == OP_ATOMIC || kind == OP_BARRIER || i + 1 == end)
        paid[i] += reference_close(rule, &clause, &counts[b]);
    }
  }
}

/* Returns the factor of the price of an operation of this class. */
static inline double reference_factor(const struct gpu_spec *spec, uint8_t op_class) {
  const char *name = trace_op_class_name((enum trace_op_class)op_class);
  const struct {
    const char *begins;
    double factor;
  } factors[] = {{"float", spec->float_price},    {"convert", spec->float_price}, {"address", spec->address_price},
                 {"math", spec->function_price},  {"query", spec->query_price},   {"branch", spec->branch_price},
                 {"barrier", spec->branch_price}, {"load", spec->memory_price},   {"store", spec->memory_price},
                 {"atomic", spec->memory_price}};
  for (size_t i = 0; i < sizeof factors / sizeof *factors; i++)
    if (strncmp(name, factors[i].begins, strlen(factors[i].begins)) == 0)
      return factors[i].factor;
  return spec->integer_price;
}

/* Returns the cycles that an operation takes the engine's pipe of this name, 0: the GPU has none. */
static inline double reference_pipe_cycles(const struct gpu_spec *spec, const char *name) {
  if (spec->memory == MEMORY_BLOCKING || spec->issue == ISSUE_BUNDLES)
    return 0;
  return strcmp(name, "fma") == 0       ? spec->fma_pipe_cycles
         : strcmp(name, "int") == 0     ? spec->int_pipe_cycles
         : strcmp(name, "special") == 0 ? spec->special_pipe_cycles
         : strcmp(name, "double") == 0  ? spec->double_pipe_cycles
                                        : 0;
}

/* Returns the slots of an operation's issue: of the rule's `price`, where its pipe is not modelled. */
static inline double reference_issue_price(const struct isa_profile *isa, const struct gpu_spec *spec,
                                           const struct trace_op *op, unsigned rule, double price) {
  double issue, uses;
  isa_pipe_use(isa, rule, op, price, &issue, &uses);
  return reference_pipe_cycles(spec, isa_pipe_name(isa_rule_pipe(isa, rule))) > 0 ? issue : price;
}

/* Returns the price of each operation's run, which reference_warp adds up. `order`: the operations as they are done, of
 * which bundles are made. The caller frees it. */
static inline uint64_t *reference_prices(const struct trace_code *code, const struct isa_profile *isa,
                                         const struct gpu_spec *spec, const uint32_t *order) {
  const bool bundles = spec->issue == ISSUE_BUNDLES;
  uint64_t *slots = calloc(code->op_count + 1u, sizeof *slots), *paid = calloc(code->op_count + 1u, sizeof *paid);
  uint64_t *prices = calloc(code->op_count + 1u, sizeof *prices);
  uint8_t *pipes = calloc(code->op_count + 1u, sizeof *pipes);
  bool *used = calloc(code->op_count + 1u, sizeof *used);
  struct bundle_count *counts = calloc(code->block_count + 1u, sizeof *counts);
  struct trace_code done = *code;
  done.ops = calloc(code->op_count + 1u, sizeof *done.ops);
  for (uint32_t i = 0; i < code->op_count; i++) {
    double price = -1;
    unsigned rule = 0;
    done.ops[i] = code->ops[order[i]];
    if (isa_op_slots(isa, code, &done.ops[i], &price, &rule, NULL))
      abort();
    price = reference_issue_price(isa, spec, &done.ops[i], rule, price);
    slots[i] = (uint64_t)(price * reference_factor(spec, done.ops[i].op_class) * 1024 + 0.5);
    pipes[i] = (uint8_t)isa_rule_pipe(isa, rule);
    for (uint32_t load = 0; load < code->op_count; load++)
      used[i] |= code->ops[load].first_use == order[i];
  }
  if (bundles)
    reference_bundles(isa_bundle(isa), &done, pipes, used, slots, paid, counts);
  for (uint32_t i = 0; i < code->op_count; i++)
    prices[order[i]] = bundles ? paid[i] : slots[i];
  free(done.ops);
  free(pipes);
  free(used);
  free(counts);
  free(slots);
  free(paid);
  return prices;
}

enum { REFERENCE_PIPES = 4 };
static const char *const reference_pipe_names[REFERENCE_PIPES] = {"special", "int", "double", "fma"};

/* Adds what operation `i` takes of each pipe, in 1/1024 operation. */
static inline void reference_use_pipe(const struct trace_code *code, const struct isa_profile *isa,
                                      const struct gpu_spec *spec, uint32_t i, uint64_t pipes[REFERENCE_PIPES]) {
  double slots, issue, uses;
  unsigned rule;
  if (isa_op_slots(isa, code, &code->ops[i], &slots, &rule, NULL))
    abort();
  isa_pipe_use(isa, rule, &code->ops[i], slots, &issue, &uses);
  for (int p = 0; p < REFERENCE_PIPES; p++)
    if (strcmp(isa_pipe_name(isa_rule_pipe(isa, rule)), reference_pipe_names[p]) == 0 &&
        reference_pipe_cycles(spec, reference_pipe_names[p]) > 0)
      pipes[p] += (uint64_t)(uses * reference_factor(spec, code->ops[i].op_class) * 1024 + 0.5);
}

/* Gives a run's operations to the pipes at `now`: to that pipe of each kind which is free first. Returns the time at
 * which the last one is done. */
static inline uint64_t reference_pipes(const struct gpu_spec *spec, uint64_t free[REFERENCE_PIPES][64],
                                       const uint64_t pipes[REFERENCE_PIPES], uint64_t now) {
  uint64_t end = now;
  for (int p = 0; p < REFERENCE_PIPES; p++) {
    const uint64_t each = (uint64_t)llround(reference_pipe_cycles(spec, reference_pipe_names[p]) * 1048576);
    const uint64_t ticks = (pipes[p] * each + 524288) / 1048576;
    int64_t first = spec->execution_engines - 1;
    for (int64_t i = first; i >= 0; i--)
      first = free[p][i] < free[p][first] ? i : first;
    if (ticks == 0)
      continue;
    free[p][first] = (free[p][first] < now ? now : free[p][first]) + ticks;
    end = free[p][first] > end ? free[p][first] : end;
  }
  return end;
}

#endif
