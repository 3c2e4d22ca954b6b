#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "model/memory_system.h"
#include "model/recorded_parts.h"
#include "model/timing_core.h"

#define ALL_CORES UINT32_MAX

static void launch(struct timing *timing) {
  for (uint32_t i = 0; i < timing->core_count; i++)
    timing->cores[i].now = timing->cores[i].accounted = timing->cores[i].dispatch_free = timing->launch_ticks;
  for (uint32_t slot = 0; slot < timing->slots; slot++)
    for (uint32_t i = 0; i < timing->core_count; i++) {
      struct dispatch_range *range = timing_core_range(timing, &timing->cores[i]);
      if (!dispatch_is_over(range))
        timing_core_give_group(timing, &timing->cores[i], dispatch_take(range));
    }
}

/* Always runs the core that stands earliest; it may take work-groups until it passes the second. */
static void run_cores(struct timing *timing) {
  struct time_heap heap = {calloc(timing->core_count, sizeof *heap.entries), 0};
  timing->no_memory |= !heap.entries;
  for (uint32_t i = 0; i < timing->core_count && heap.entries; i++)
    time_heap_push(&heap, (struct time_entry){timing->launch_ticks, i});
  while (heap.count > 0 && !timing->too_long && !timing->no_memory) {
    struct timing_core *core = &timing->cores[heap.entries[0].id];
    timing->turn = time_heap_second(&heap);
    timing_core_run(timing, core);
    if (core->stage == TIMING_FINISHED)
      time_heap_pop(&heap);
    else
      time_heap_replace(&heap, (struct time_entry){core->now, core->id});
  }
  free(heap.entries);
}

static uint64_t close_accounts(struct timing *timing, uint32_t only, tick_sum stack[SIM_STACK_COUNT]) {
  uint64_t ticks = 0;
  for (uint32_t i = 0; i < timing->core_count; i++)
    ticks = timing->cores[i].now > ticks ? timing->cores[i].now : ticks;
  stack[STACK_launch] += (tick_sum)timing->launch_ticks * timing->execution_engines * timing->core_count;
  for (uint32_t i = 0; i < timing->core_count; i++) {
    if (only != ALL_CORES && i != only)
      continue;
    timing_core_account(timing, &timing->cores[i], ticks);
    for (int s = 0; s < SIM_STACK_COUNT; s++)
      stack[s] += timing->cores[i].idle[s];
  }
  return ticks;
}

/* Of all cores, or of one that needs no other. */
static void run_some(struct timing *timing, uint32_t only) {
  launch(timing);
  if (only == ALL_CORES)
    run_cores(timing);
  timing->turn = (struct time_entry){MOMENT_NEVER, UINT32_MAX};
  if (only != ALL_CORES)
    timing_core_run(timing, &timing->cores[only]);
}

static bool run(const struct recorded *r, const struct gpu_spec *spec, uint32_t only, struct timing *timing) {
  bool done = true;
  timing->cores = calloc(timing->core_count, sizeof *timing->cores);
  for (uint32_t i = 0; i < timing->core_count && timing->cores && done; i++)
    done = timing_core_init(timing, &timing->cores[i], spec, i, r->group_count);
  if (!done || !timing->cores || ((timing->queued || timing->direct) && !timing_slices_init(&timing->l2, spec)))
    return false;
  run_some(timing, only);
  return !timing->too_long && !timing->no_memory;
}

/* What a replay of the recording comes to: when it ends, and what engines without work waited for. */
struct timed {
  uint64_t ticks;
  tick_sum idle[SIM_STACK_COUNT];
};

/* Other caches miss more or less; what stores and atomics move stays. */
static void report_traffic(const struct recorded *r, uint64_t line_bytes, struct sim_result *out) {
  out->l1_l2_read_bytes = r->counts.l1_l2_read_bytes + (out->l1.misses - r->counts.l1.misses) * line_bytes;
  out->dram_bytes = out->dram_read_bytes = out->l2.misses * line_bytes;
}

static void report(const struct recorded *r, const struct gpu_spec *spec, const struct timing_prices *prices,
                   const struct timed *timed, struct sim_result *out) {
  const uint64_t engines = (uint64_t)spec->execution_engines * (uint64_t)spec->cores;
  tick_sum stack[SIM_STACK_COUNT];
  for (int i = 0; i < SIM_STACK_COUNT; i++)
    stack[i] = prices->stack[i] + timed->idle[i];
  *out = r->counts;
  out->approximate = true;
  out->cycles = ticks_to_cycles(timed->ticks);
  out->time_ns = out->cycles * 1e9 / (double)spec->clock_hz;
  out->l1 = prices->l1;
  out->l2 = prices->l2;
  report_traffic(r, (uint64_t)spec->line_bytes, out);
  cycle_stack_report(stack, engines, timed->ticks, &out->stack);
}

/* core_ticks: [cores], NULL: not asked for. */
static bool replay(const struct recorded *r, const struct gpu_spec *spec, const struct timing_prices *prices,
                   uint32_t only, uint64_t *core_ticks, struct timed *timed) {
  const bool on_the_way = spec->lsu_transactions_per_cycle > 0 || spec->l1_l2_bytes_per_cycle > 0;
  struct timing timing = {.lists = &r->lists,
                          .prices = prices,
                          .queued = on_the_way,
                          .direct = !on_the_way && memory_is_queued(spec),
                          .blocking = spec->memory == MEMORY_BLOCKING,
                          .shared = spec->l2_bytes_per_cycle > 0 ? prices->to_l2 : prices->to_dram,
                          .order = dispatch_orders[spec->dispatch],
                          .range = {0, r->group_count, 1},
                          .core_count = (uint32_t)spec->cores,
                          .slots = r->slots,
                          .warps_per_group = r->warps_per_group,
                          .execution_engines = (uint32_t)spec->execution_engines,
                          .launch_ticks = cycles_to_ticks(spec->launch_cycles),
                          .work_group_ticks = cycles_to_ticks(spec->work_group_cycles),
                          .stretches = spec->memory == MEMORY_BLOCKING && !on_the_way && !prices->instant};
  const bool done =
      prices->longest < MOMENT_MOST_TICK / 2 && timing.launch_ticks < MOMENT_MOST_TICK && run(r, spec, only, &timing);
  *timed = (struct timed){0};
  for (uint32_t i = 0; i < timing.core_count && done && core_ticks; i++)
    core_ticks[i] = timing.cores[i].now;
  if (done)
    timed->ticks = close_accounts(&timing, only, timed->idle);
  for (uint32_t i = 0; i < timing.core_count && timing.cores; i++)
    timing_core_clear(&timing.cores[i]);
  free(timing.cores);
  timing_slices_clear(&timing.l2);
  return done;
}

static bool price(const struct recorded *r, const struct gpu_spec *spec, struct timing_prices *prices) {
  struct timing_columns columns;
  if (!recorded_serves(&r->spec, spec) || !outcome_variants_find(&r->variants, spec, &columns.l1, &columns.l2))
    return false;
  columns.l2 += r->variants.l1_count;
  return timing_prices_init(prices, &r->classes, &columns, spec);
}

/* Eight bytes at a time; only speed and spread matter. */
static uint64_t mix(uint64_t hash, const void *data, size_t bytes) {
  const char *at = data;
  for (; bytes > 0; at += sizeof(uint64_t)) {
    uint64_t eight = 0;
    const size_t part = bytes < sizeof eight ? bytes : sizeof eight;
    memcpy(&eight, at, part);
    hash = (hash ^ eight) * UINT64_C(0x9e3779b97f4a7c15);
    hash ^= hash >> 29;
    bytes -= part;
  }
  return hash;
}

/* All that decides when events come. GPUs of equal keys end at the same time. */
static uint64_t timing_key(const struct recorded *r, const struct gpu_spec *spec, const struct timing_prices *p) {
  const size_t n = r->classes.count;
  const double rates[] = {spec->launch_cycles,         spec->work_group_cycles,  spec->lsu_transactions_per_cycle,
                          spec->l1_l2_bytes_per_cycle, spec->l2_bytes_per_cycle, spec->dram_bytes_per_cycle,
                          (double)spec->l2_slices};
  uint64_t key = mix(mix(TEXT_HASH_START, rates, sizeof rates), p->busy, n * sizeof *p->busy);
  if (spec->memory != MEMORY_BLOCKING)
    key = mix(mix(key, p->latency, n * sizeof *p->latency), p->waits, n * sizeof *p->waits);
  if (memory_is_queued(spec))
    key = mix(mix(key, p->to_l2, n * sizeof *p->to_l2), p->to_dram, n * sizeof *p->to_dram);
  return key;
}

bool recorded_time(const struct recorded *r, const struct gpu_spec *spec, struct sim_result *out) {
  struct timing_prices prices;
  struct timed timed;
  *out = (struct sim_result){0};
  if (!price(r, spec, &prices))
    return false;
  const bool done = replay(r, spec, &prices, ALL_CORES, NULL, &timed);
  if (done)
    report(r, spec, &prices, &timed, out);
  timing_prices_clear(&prices);
  return done;
}

/* ---- one core for all ---- */

/* Cores with work-groups of their own that share no queue: each goes its own way. */
static bool cores_are_alone(const struct gpu_spec *spec) {
  return dispatch_orders[spec->dispatch]->own && !memory_is_queued(spec);
}

enum { MOST_CORE_COUNTS = 1 << 24 };

static void count_core(struct recorded *r, uint32_t core) {
  uint32_t *events = r->core_events + (size_t)core * r->classes.count;
  struct dispatch_range range = dispatch_orders[r->spec.dispatch]->own(core, (uint32_t)r->spec.cores, r->group_count);
  while (range.next < range.end) {
    const uint64_t first = (uint64_t)dispatch_take(&range) * r->warps_per_group;
    for (uint64_t w = first; w < first + r->warps_per_group; w++)
      for (uint64_t at = r->lists.starts[w];; at++) {
        const uint16_t event =
            r->lists.wide ? ((const uint16_t *)r->lists.events)[at] : ((const uint8_t *)r->lists.events)[at];
        if (event == EVENT_END)
          break;
        events[event]++;
      }
  }
}

bool recorded_gives_itself(struct recorded *r, const struct sim_result *exact) {
  struct timing_prices prices;
  struct timed timed;
  struct sim_result again;
  if (cores_are_alone(&r->spec) && (uint64_t)r->spec.cores * r->classes.count < MOST_CORE_COUNTS) {
    r->core_events = calloc((size_t)r->spec.cores * r->classes.count, sizeof *r->core_events);
    r->core_ticks = calloc((size_t)r->spec.cores, sizeof *r->core_ticks);
    for (uint32_t core = 0; core < r->spec.cores && r->core_events; core++)
      count_core(r, core);
  }
  if (!price(r, &r->spec, &prices))
    return false;
  const bool done = replay(r, &r->spec, &prices, ALL_CORES, r->core_ticks, &timed);
  if (done)
    report(r, &r->spec, &prices, &timed, &again);
  timing_prices_clear(&prices);
  return done && again.cycles == exact->cycles && memcmp(&again.stack, &exact->stack, sizeof again.stack) == 0 &&
         memcmp(&again.l1, &exact->l1, sizeof again.l1) == 0 && memcmp(&again.l2, &exact->l2, sizeof again.l2) == 0 &&
         again.l1_l2_read_bytes == exact->l1_l2_read_bytes && again.dram_bytes == exact->dram_bytes;
}

static double core_busy(const struct recorded *r, uint32_t core, const uint64_t *busy) {
  const uint32_t *events = r->core_events + (size_t)core * r->classes.count;
  double sum = 0;
  for (uint32_t i = EVENT_FIRST_CLASS; i < r->classes.count; i++)
    sum += (double)events[i] * (double)busy[i];
  return sum;
}

/* The core that ends last, if its engines' idle share is the recorded one. */
static uint32_t last_core(const struct recorded *r, const struct gpu_spec *spec, const struct timing_prices *prices,
                          const struct timing_prices *recorded) {
  uint32_t last = 0;
  double most = -1;
  for (uint32_t core = 0; core < spec->cores; core++) {
    const double before = core_busy(r, core, recorded->busy);
    const double end = before > 0 ? (double)r->core_ticks[core] * core_busy(r, core, prices->busy) / before : 0;
    if (end > most) {
      most = end;
      last = core;
    }
  }
  return last;
}

static tick_sum all_busy(const struct timing_prices *prices) {
  tick_sum busy = 0;
  for (int i = 0; i < SIM_STACK_COUNT; i++)
    busy += prices->stack[i];
  return busy;
}

static tick_sum at_most(tick_sum a, tick_sum limit) {
  return a < limit ? a : limit;
}

/* What the other cores' engines waited for: barriers and dispatch as on the one core, in proportion to work; then
 * nothing. */
static void spread(const struct recorded *r, const struct gpu_spec *spec, const struct timing_prices *prices,
                   uint32_t only, struct timed *timed) {
  const tick_sum busy = all_busy(prices);
  tick_sum idle = (tick_sum)timed->ticks * (uint64_t)(spec->cores * spec->execution_engines) - busy;
  const tick_sum launch =
      (tick_sum)cycles_to_ticks(spec->launch_cycles) * (uint64_t)(spec->cores * spec->execution_engines);
  const double own = core_busy(r, only, prices->busy), cores = own > 0 ? (double)busy / own : 1;
  const tick_sum start = at_most(launch, idle);
  idle -= start;
  const tick_sum dispatch = at_most((tick_sum)((double)(timed->idle[STACK_launch] - launch) * cores), idle);
  idle -= dispatch;
  const tick_sum barrier = at_most((tick_sum)((double)timed->idle[STACK_barrier] * cores), idle);
  memset(timed->idle, 0, sizeof timed->idle);
  timed->idle[STACK_launch] = start + dispatch;
  timed->idle[STACK_barrier] = barrier;
  timed->idle[STACK_idle] = idle - barrier;
}

/* Times the core that ends last, where cores are alone. */
static bool replay_quickly(const struct recorded *r, const struct gpu_spec *spec, const struct timing_prices *prices,
                           const struct timing_prices *recorded, struct timed *timed) {
  if (!r->core_events || !r->core_ticks || spec->memory != MEMORY_BLOCKING || !cores_are_alone(spec))
    return replay(r, spec, prices, ALL_CORES, NULL, timed);
  const uint32_t only = last_core(r, spec, prices, recorded);
  if (!replay(r, spec, prices, only, NULL, timed))
    return false;
  if (all_busy(prices) > (tick_sum)timed->ticks * (uint64_t)(spec->cores * spec->execution_engines))
    return replay(r, spec, prices, ALL_CORES, NULL, timed); /* another core must end later */
  spread(r, spec, prices, only, timed);
  return true;
}

/* ---- many GPUs ---- */

/* One that was timed, to be found again. */
struct known {
  uint64_t key;
  bool done;
  struct timed timed;
};

static const struct known *find(const struct known *known, size_t count, uint64_t key) {
  for (size_t i = 0; i < count; i++)
    if (known[i].key == key)
      return &known[i];
  return NULL;
}

static bool time_one(const struct recorded *r, const struct gpu_spec *spec, const struct timing_prices *recorded,
                     struct known *known, size_t *known_count, struct sim_result *out) {
  struct timing_prices prices;
  if (!price(r, spec, &prices))
    return false;
  const uint64_t key = timing_key(r, spec, &prices);
  const struct known *same = find(known, *known_count, key);
  if (!same) {
    struct known *new = &known[(*known_count)++];
    new->key = key;
    new->done = replay_quickly(r, spec, &prices, recorded, &new->timed);
    same = new;
  }
  if (same->done)
    report(r, spec, &prices, &same->timed, out);
  timing_prices_clear(&prices);
  return same->done;
}

void recorded_time_all(const struct recorded *r, const struct gpu_spec *specs, size_t count, struct sim_result *out,
                       bool *done) {
  struct known *known = calloc(count + 1, sizeof *known);
  struct timing_prices recorded;
  size_t known_count = 0;
  const bool ready = known && price(r, &r->spec, &recorded);
  for (size_t i = 0; i < count; i++) {
    out[i] = (struct sim_result){0};
    done[i] = ready && time_one(r, &specs[i], &recorded, known, &known_count, &out[i]);
  }
  if (ready)
    timing_prices_clear(&recorded);
  free(known);
}
