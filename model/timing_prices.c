#include "model/timing_prices.h"

#include <math.h>
#include <stdlib.h>

#include "model/price.h"
#include "model/timing_core.h"
#include "trace/code.h"

/* Ticks per unit, as the exact replay rounds them. */
struct rates {
  bool blocking;
  uint64_t arith; /* cycles per slot, in 2^-20 */
  uint64_t store, l1, l2, dram, barrier;
};

struct access {
  uint64_t store, l1, l2, dram; /* ticks */
};

static uint64_t slots_ticks(const struct rates *rates, uint64_t slots) {
  const tick_sum ticks = ((tick_sum)slots * rates->arith + (1 << 19)) >> 20;
  return ticks > MAX_TICKS ? MAX_TICKS + 1 : (uint64_t)ticks;
}

static void charge(struct timing_prices *p, enum stack_component to, uint64_t ticks, uint64_t events) {
  p->stack[to] += (tick_sum)ticks * events;
}

static void price_run(struct timing_prices *p, const struct rates *rates, const struct event_class *class,
                      uint64_t events, uint32_t i) {
  uint64_t ticks = slots_ticks(rates, class->slots), useful = ticks;
  if (class->lanes)
    useful = (uint64_t)((tick_sum)ticks * class->item_slots / ((tick_sum) class->slots * class->lanes));
  charge(p, STACK_issue, useful, events);
  charge(p, STACK_divergence, ticks - useful, events);
  p->busy[i] = ticks;
}

static enum stack_component furthest(const struct access *access) {
  if (access->dram)
    return STACK_dram;
  if (access->l2)
    return STACK_l2;
  return access->l1 ? STACK_l1 : STACK_store;
}

static void price_access(struct timing_prices *p, const struct rates *rates, const struct event_class *class,
                         const uint64_t misses[2], uint64_t events, uint32_t i) {
  const uint64_t lines = class->transactions, to_l2 = class->op_class == OP_LOAD ? misses[0] : lines;
  const bool store = class->op_class == OP_STORE;
  const struct access access = {store ? lines * rates->store : 0, store ? 0 : lines * rates->l1,
                                store ? 0 : to_l2 * rates->l2, store ? 0 : misses[1] * rates->dram};
  const uint64_t all = access.store + access.l1 + access.l2 + access.dram;
  p->waits[i] = (uint8_t)furthest(&access);
  p->memory[i] = all;
  p->lines[i] = (uint32_t)lines;
  p->to_l2[i] = (uint32_t)to_l2;
  p->to_dram[i] = (uint32_t)misses[1];
  if (class->op_class == OP_LOAD) {
    p->l1.accesses += lines * events;
    p->l1.misses += misses[0] * events;
  }
  p->l2.accesses += to_l2 * events;
  p->l2.misses += misses[1] * events;
  if (!rates->blocking) {
    p->busy[i] = slots_ticks(rates, lines * PRICE_ONE);
    p->latency[i] = all;
    charge(p, STACK_issue, p->busy[i], events);
    return;
  }
  p->busy[i] = all;
  charge(p, STACK_store, access.store, events);
  charge(p, STACK_l1, access.l1, events);
  charge(p, STACK_l2, access.l2, events);
  charge(p, STACK_dram, access.dram, events);
}

static void price_class(struct timing_prices *p, const struct event_classes *classes,
                        const struct timing_columns *columns, const struct rates *rates, uint32_t i) {
  const struct event_class *class = &classes->classes[i];
  const uint16_t *misses = classes->misses + (size_t)i * classes->width;
  const uint64_t own[2] = {misses[columns->l1], misses[columns->l2]};
  if (class->kind == EVENT_RUN) {
    price_run(p, rates, class, classes->events[i], i);
  } else if (class->kind == EVENT_BARRIER) {
    p->busy[i] = rates->barrier;
    charge(p, STACK_barrier, rates->barrier, classes->events[i]);
  } else {
    price_access(p, rates, class, own, classes->events[i], i);
  }
  p->moments[i] = p->busy[i] << MOMENT_AGE_BITS; /* overflows only past what timing_replay.h refuses */
  p->instant |= p->busy[i] == 0;
  p->longest = p->busy[i] > p->longest ? p->busy[i] : p->longest;
  p->longest = p->latency[i] > p->longest ? p->latency[i] : p->longest;
}

bool timing_prices_init(struct timing_prices *p, const struct event_classes *classes,
                        const struct timing_columns *columns, const struct gpu_spec *spec) {
  const struct rates rates = {.blocking = spec->memory == MEMORY_BLOCKING,
                              .arith = (uint64_t)llround(spec->arith_cycles * (1 << 20)),
                              .store = cycles_to_ticks(spec->store_cycles),
                              .l1 = cycles_to_ticks(spec->l1_hit_cycles),
                              .l2 = cycles_to_ticks(spec->l1_miss_cycles),
                              .dram = cycles_to_ticks(spec->l2_miss_cycles),
                              .barrier = cycles_to_ticks(spec->barrier_cycles)};
  *p = (struct timing_prices){.busy = calloc(classes->count, sizeof *p->busy),
                              .moments = calloc(classes->count, sizeof *p->moments),
                              .latency = calloc(classes->count, sizeof *p->latency),
                              .waits = calloc(classes->count, sizeof *p->waits),
                              .memory = calloc(classes->count, sizeof *p->memory),
                              .lines = calloc(classes->count, sizeof *p->lines),
                              .to_l2 = calloc(classes->count, sizeof *p->to_l2),
                              .to_dram = calloc(classes->count, sizeof *p->to_dram)};
  if (!p->memory || !p->lines || !p->to_l2 || !p->to_dram || !p->busy || !p->moments || !p->latency || !p->waits) {
    timing_prices_clear(p);
    return false;
  }
  for (uint32_t i = EVENT_FIRST_CLASS; i < classes->count; i++)
    price_class(p, classes, columns, &rates, i);
  return true;
}

void timing_prices_clear(struct timing_prices *p) {
  free(p->busy);
  free(p->moments);
  free(p->latency);
  free(p->waits);
  free(p->memory);
  free(p->lines);
  free(p->to_l2);
  free(p->to_dram);
  *p = (struct timing_prices){0};
}
