#include "model/retime/retime_prices.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/memory/memory_hierarchy.h"
#include "model/isa/price.h"

static uint64_t slots_ticks(const struct retime_rates *rates, uint64_t slots) {
  const tick_sum ticks = ((tick_sum)slots * rates->arith + (1 << 19)) >> 20;
  return ticks > MAX_TICKS ? MAX_TICKS + 1 : (uint64_t)ticks;
}

/* ---- classes of events ---- */

static void count_lines(struct retime_prices *p) {
  for (uint32_t i = EVENT_FIRST_CLASS; i < p->classes->count; i++) {
    const struct event_class *class = &p->classes->classes[i];
    const bool store = class->op_class == OP_STORE;
    const uint64_t events = p->classes->events[i];
    p->barriers += class->kind == EVENT_BARRIER ? events : 0;
    if (class->kind != EVENT_ACCESS)
      continue;
    p->costs.lines[i] = class->transactions;
    p->atomic_lines[i] = class->op_class == OP_ATOMIC ? class->transactions : 0;
    p->awaited[i] = store ? 0 : UINT16_MAX;
    p->atomics += p->atomic_lines[i] * events;
    *(store ? &p->store_lines : &p->l1_lines) += class->transactions * events;
  }
}

static bool costs_init(struct event_costs *c, uint32_t count) {
  *c = (struct event_costs){.count = count,
                            .engine = calloc(count, sizeof *c->engine),
                            .engine_moments = calloc(count, sizeof *c->engine_moments),
                            .latency = calloc(count, sizeof *c->latency),
                            .waits = calloc(count, sizeof *c->waits),
                            .port = calloc(count, sizeof *c->port),
                            .port_ticks = calloc(count, sizeof *c->port_ticks),
                            .memory = calloc(count, sizeof *c->memory),
                            .lines = calloc(count, sizeof *c->lines),
                            .atomic = calloc(count, sizeof *c->atomic),
                            .pattern = calloc(count, sizeof *c->pattern),
                            .shared = calloc(count, sizeof *c->shared)};
  return c->engine && c->engine_moments && c->latency && c->waits && c->port && c->port_ticks && c->memory &&
         c->lines && c->atomic && c->pattern && c->shared;
}

static void costs_clear(struct event_costs *c) {
  free(c->engine);
  free(c->engine_moments);
  free(c->latency);
  free(c->waits);
  free(c->port);
  free(c->port_ticks);
  free(c->memory);
  free(c->lines);
  free(c->atomic);
  free(c->pattern);
  free(c->shared);
}

static uint32_t most_transactions(const struct event_classes *classes) {
  uint32_t most = 1;
  for (uint32_t i = EVENT_FIRST_CLASS; i < classes->count; i++)
    most = classes->classes[i].transactions > most ? classes->classes[i].transactions : most;
  return most;
}

bool retime_prices_init(struct retime_prices *p, const struct event_classes *classes,
                        const struct event_columns *columns, const struct recorded_patterns *patterns) {
  const size_t count = classes->count;
  *p = (struct retime_prices){.classes = classes,
                              .columns = columns,
                              .recorded = patterns,
                              .made_lines = calloc(most_transactions(classes), sizeof *p->made_lines),
                              .base = calloc(count, sizeof *p->base),
                              .atomic_lines = calloc(count, sizeof *p->atomic_lines),
                              .awaited = calloc(count, sizeof *p->awaited)};
  p->rates.blocking = UINT64_MAX; /* no rates have been set yet */
  if (costs_init(&p->costs, (uint32_t)count) && p->base && p->atomic_lines && p->awaited && p->made_lines &&
      recorded_patterns_init(&p->made)) {
    count_lines(p);
    return true;
  }
  retime_prices_clear(p);
  return false;
}

void retime_prices_clear(struct retime_prices *p) {
  costs_clear(&p->costs);
  free(p->base);
  free(p->atomic_lines);
  free(p->awaited);
  free(p->made_lines);
  recorded_patterns_clear(&p->made);
  *p = (struct retime_prices){0};
}

static uint64_t rate_of(uint64_t units, double cycles) {
  return units > 0 ? cycles_to_ticks(cycles) : 0;
}

struct retime_rates retime_rates_of(const struct retime_prices *p, const struct gpu_spec *spec, uint32_t l1,
                                    uint32_t l2) {
  return (struct retime_rates){.blocking = spec->memory == MEMORY_BLOCKING,
                               .queued = memory_is_queued(spec),
                               .round = rate_of(p->atomics, spec->atomic_cycles),
                               .arith = (uint64_t)llround(spec->arith_cycles * (1 << 20)),
                               .transaction_slots = spec->access_issue == ACCESS_ISSUE_INSTRUCTION ? 0 : PRICE_ONE,
                               .store = rate_of(p->store_lines, spec->store_cycles),
                               .l1 = rate_of(p->l1_lines, spec->l1_hit_cycles),
                               .barrier = rate_of(p->barriers, spec->barrier_cycles),
                               .l2 = rate_of(p->columns->sums[l1].awaited + p->atomics, spec->l1_miss_cycles),
                               .dram = rate_of(p->columns->sums[l2].awaited, spec->l2_miss_cycles)};
}

/* ---- costs that do not depend on caches ---- */

static void charge(struct retime_prices *p, enum stack_component to, uint64_t ticks, uint64_t events) {
  p->base_stack[to] += (tick_sum)ticks * events;
}

static void base_of_run(struct retime_prices *p, uint32_t i) {
  const struct event_class *class = &p->classes->classes[i];
  const uint64_t ticks = slots_ticks(&p->rates, class->slots);
  uint64_t useful = ticks;
  if (class->lanes)
    useful = (uint64_t)((tick_sum)ticks * class->item_slots / ((tick_sum) class->slots * class->lanes));
  charge(p, STACK_issue, useful, p->classes->events[i]);
  charge(p, STACK_divergence, ticks - useful, p->classes->events[i]);
  p->costs.engine[i] = p->base[i] = ticks;
}

static void base_of_access(struct retime_prices *p, uint32_t i) {
  const bool store = p->awaited[i] == 0;
  const uint64_t l1 = p->costs.lines[i] * (store ? p->rates.store : p->rates.l1);
  p->costs.atomic[i] = p->classes->classes[i].rounds * p->rates.round;
  p->base[i] = l1 + p->costs.atomic[i];
  if (p->rates.blocking) {
    charge(p, store ? STACK_store : STACK_l1, l1, p->classes->events[i]);
    charge(p, STACK_atomic, p->rates.queued ? 0 : p->costs.atomic[i], p->classes->events[i]);
  } else {
    p->costs.engine[i] = slots_ticks(&p->rates, p->costs.lines[i] * p->rates.transaction_slots);
    charge(p, STACK_issue, p->costs.engine[i], p->classes->events[i]);
  }
}

/* Sets the cost of an access of a port that it does not wait for. `spec` is of the same family (retime_family.h). */
static void base_of_port(struct retime_prices *p, uint32_t i, const struct gpu_spec *spec) {
  const struct event_class *class = &p->classes->classes[i];
  const bool pad = class->kind == EVENT_SCRATCHPAD;
  const uint64_t one = cycles_to_ticks(pad ? spec->scratchpad_pass_cycles : spec->uniform_load_cycles);
  const uint64_t latency = cycles_to_ticks(pad ? spec->scratchpad_cycles : spec->uniform_cycles);
  const enum stack_component waits = pad ? STACK_local : STACK_uniform;
  p->costs.ports = true;
  p->costs.port[i] = pad ? PORT_SCRATCHPAD : PORT_UNIFORM;
  p->costs.port_ticks[i] = class->transactions * one;
  p->costs.waits[i] = (uint8_t)waits;
  p->costs.memory[i] = p->base[i] = (class->transactions - 1) * one + latency;
  p->costs.engine[i] =
      p->rates.blocking ? p->base[i] : slots_ticks(&p->rates, class->transactions * p->rates.transaction_slots);
  charge(p, p->rates.blocking ? waits : STACK_issue, p->costs.engine[i], p->classes->events[i]);
}

static void set_base(struct retime_prices *p, const struct gpu_spec *spec) {
  memset(p->base_stack, 0, sizeof p->base_stack);
  for (uint32_t i = EVENT_FIRST_CLASS; i < p->classes->count; i++)
    if (p->classes->classes[i].kind == EVENT_RUN) {
      base_of_run(p, i);
    } else if (p->classes->classes[i].kind == EVENT_BARRIER) {
      p->costs.engine[i] = p->base[i] = p->rates.barrier;
      charge(p, STACK_barrier, p->rates.barrier, p->classes->events[i]);
    } else if (p->classes->classes[i].kind != EVENT_ACCESS) {
      base_of_port(p, i, spec);
    } else {
      base_of_access(p, i);
    }
}

bool retime_rates_same_base(const struct retime_rates *a, const struct retime_rates *b) {
  return a->blocking == b->blocking && a->arith == b->arith && a->transaction_slots == b->transaction_slots &&
         a->store == b->store && a->l1 == b->l1 && a->barrier == b->barrier && a->round == b->round &&
         a->queued == b->queued;
}

/* ---- costs that depend on caches ---- */

/* Sets `all` to the base costs plus the costs behind L1. */
static void add_misses(const struct retime_prices *p, uint64_t *restrict all, const uint16_t *restrict l1,
                       const uint16_t *restrict l2) {
  const uint64_t l2_ticks = p->rates.l2, dram_ticks = p->rates.dram;
  for (uint32_t i = EVENT_FIRST_CLASS; i < p->classes->count; i++)
    all[i] = p->base[i] + (l1[i] + p->atomic_lines[i]) * l2_ticks + (uint64_t)(l2[i] & p->awaited[i]) * dram_ticks;
}

static enum stack_component furthest(const struct retime_prices *p, uint32_t i, uint32_t l1, uint32_t l2) {
  if (p->awaited[i] == 0)
    return STACK_store;
  if (!p->rates.queued && 2 * p->costs.atomic[i] > p->costs.memory[i])
    return STACK_atomic;
  if (l2 * p->rates.dram > 0)
    return STACK_dram;
  if ((l1 + p->atomic_lines[i]) * p->rates.l2 > 0)
    return STACK_l2;
  return p->rates.l1 > 0 ? STACK_l1 : STACK_store;
}

/* Sets the latencies of warps that wait without an engine. */
static void set_latencies(struct retime_prices *p, const uint16_t *l1, const uint16_t *l2) {
  add_misses(p, p->costs.memory, l1, l2);
  for (uint32_t i = EVENT_FIRST_CLASS; i < p->classes->count; i++)
    if (p->costs.lines[i] > 0) {
      p->costs.latency[i] = p->costs.memory[i];
      p->costs.waits[i] = (uint8_t)furthest(p, i, l1[i], l2[i]);
    }
}

/* Returns the number of the pattern of `lines` lines of which the first `missed` are read from memory. */
static uint16_t pattern_of_counts(struct retime_prices *p, uint32_t lines, uint32_t missed) {
  for (uint32_t i = 0; i < lines; i++)
    p->made_lines[i] = (struct pattern_line){.use = i < missed ? PATTERN_MISSES | PATTERN_FETCHES : 0};
  return recorded_patterns_number(&p->made, p->made_lines, lines, 0, 0);
}

/* Sets the patterns of accesses. `patterns` is their column, or NULL where none were recorded. */
static void set_patterns(struct retime_prices *p, const uint16_t *l1, const uint16_t *l2, const uint16_t *patterns) {
  for (uint32_t i = EVENT_FIRST_CLASS; i < p->classes->count; i++)
    if (p->costs.lines[i] > 0) {
      const uint32_t to_l2 = p->classes->classes[i].op_class == OP_LOAD ? l1[i] : p->costs.lines[i];
      p->costs.pattern[i] = patterns ? patterns[i] : pattern_of_counts(p, to_l2, l2[i]);
    }
  p->costs.patterns = p->recorded ? p->recorded : &p->made;
}

/* Sets the classes that may wait at L2, and their latencies without waiting. */
static void set_queues(struct retime_prices *p, const struct gpu_spec *spec) {
  const bool all = memory_queues_before_l2(spec) || spec->l2_bytes_per_cycle > 0;
  for (uint32_t i = EVENT_FIRST_CLASS; i < p->classes->count; i++) {
    const struct recorded_pattern *pattern = &p->costs.patterns->patterns[p->costs.pattern[i]];
    p->costs.shared[i] =
        all || p->atomic_lines[i] > 0 ? pattern_lines(pattern) > 0 : pattern->reads + pattern->writes > 0;
  }
  if (p->rates.blocking)
    memcpy(p->costs.memory, p->costs.engine, p->classes->count * sizeof *p->costs.memory);
}

/* Adds up the lines that all events move. */
static void set_traffic(struct retime_prices *p) {
  p->traffic = (struct pattern_traffic){0};
  for (uint32_t i = EVENT_FIRST_CLASS; i < p->classes->count; i++) {
    const struct recorded_pattern *pattern = &p->recorded->patterns[p->costs.pattern[i]];
    const uint64_t events = p->classes->events[i];
    const bool store = p->awaited[i] == 0;
    p->traffic.to_l2 += events * (pattern->evicted + (store ? pattern->own : 0u));
    p->traffic.from_l2 += events * (pattern->fetched + (store ? 0u : pattern->own));
    p->traffic.l1_evicted += events * pattern->evicted;
    p->traffic.l2_pushed += events * pattern->pushed_out;
    p->traffic.misses += events * pattern->misses;
    p->traffic.reads += events * pattern->reads;
    p->traffic.writes += events * pattern->writes;
  }
}

static void set_sums(struct retime_prices *p, uint32_t l1, uint32_t l2) {
  const struct event_column_sums *sums = p->columns->sums;
  memcpy(p->stack, p->base_stack, sizeof p->stack);
  if (p->rates.blocking) {
    p->stack[STACK_l2] += (tick_sum)(sums[l1].awaited + p->atomics) * p->rates.l2;
    p->stack[STACK_dram] += (tick_sum)sums[l2].awaited * p->rates.dram;
  }
  p->l1 = (struct level_counts){.accesses = p->l1_lines - p->atomics, .misses = sums[l1].all};
  p->l2 = (struct level_counts){.accesses = sums[l1].all + p->atomics + p->store_lines, .misses = sums[l2].all};
  if (p->recorded)
    p->l2 = (struct level_counts){.accesses = p->traffic.to_l2 + p->traffic.from_l2, .misses = p->traffic.misses};
}

static void set_bounds(struct retime_prices *p) {
  uint64_t least = UINT64_MAX, most = 0;
  for (uint32_t i = EVENT_FIRST_CLASS; i < p->classes->count; i++) {
    p->costs.engine_moments[i] = p->costs.engine[i] << MOMENT_AGE_BITS;
    least = p->costs.engine[i] < least ? p->costs.engine[i] : least;
    most = p->costs.engine[i] > most ? p->costs.engine[i] : most;
  }
  for (uint32_t i = EVENT_FIRST_CLASS; i < p->classes->count && !p->rates.blocking; i++)
    most = p->costs.latency[i] > most ? p->costs.latency[i] : most;
  for (uint32_t i = EVENT_FIRST_CLASS; i < p->classes->count && p->costs.ports; i++)
    most = p->costs.memory[i] > most ? p->costs.memory[i] : most;
  p->costs.instant = least == 0;
  p->longest = most;
}

void retime_prices_set(struct retime_prices *p, const struct gpu_spec *spec, uint32_t l1, uint32_t l2,
                       uint32_t patterns) {
  const struct retime_rates before = p->rates;
  p->rates = retime_rates_of(p, spec, l1, l2);
  if (!retime_rates_same_base(&before, &p->rates))
    set_base(p, spec);
  if (p->rates.blocking)
    add_misses(p, p->costs.engine, event_column(p->columns, l1), event_column(p->columns, l2));
  else
    set_latencies(p, event_column(p->columns, l1), event_column(p->columns, l2));
  if (p->recorded || p->rates.queued)
    set_patterns(p, event_column(p->columns, l1), event_column(p->columns, l2),
                 p->recorded ? event_column(p->columns, patterns) : NULL);
  if (p->recorded)
    set_traffic(p);
  if (p->rates.queued)
    set_queues(p, spec);
  set_sums(p, l1, l2);
  set_bounds(p);
}
