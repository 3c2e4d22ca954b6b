#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "model/memory/memory_hierarchy.h"
#include "model/replay/gpu_replay.h"
#include "model/retime/retime_memory.h"
#include "model/retime/retime_parts.h"

/* The longest launch that is timed: 5e8 cycles; longer ones are replayed exactly. */
#define MOST_TICKS (UINT64_C(1) << 39)

/* Reports the counters. Other caches miss more or less; the lines that stores and atomics move stay the same. */
static void report_traffic(const struct retime_recording *r, uint64_t line_bytes, const struct pattern_traffic *traffic,
                           struct sim_result *out) {
  struct sim_counters *now = &out->counters;
  if (r->patterns_on) {
    now->l1_write_backs = traffic->l1_evicted;
    now->l2_write_backs = traffic->l2_pushed;
    now->l1_l2_read_bytes = traffic->from_l2 * line_bytes;
    now->l1_l2_written_bytes = traffic->to_l2 * line_bytes;
    now->dram_read_bytes = traffic->reads * line_bytes;
    now->dram_written_bytes = traffic->writes * line_bytes;
    now->dram_bytes = now->dram_read_bytes + now->dram_written_bytes;
    return;
  }
  const struct sim_counters *recorded = &r->counts.counters;
  now->l1_l2_read_bytes = recorded->l1_l2_read_bytes + (now->l1_misses - recorded->l1_misses) * line_bytes;
  now->dram_bytes = now->dram_read_bytes = now->l2_misses * line_bytes;
}

void retime_report(const struct retime_recording *r, const struct gpu_spec *spec, const struct retime_timed *timed,
                   struct sim_result *out) {
  const uint64_t engines = (uint64_t)spec->execution_engines * (uint64_t)spec->cores;
  tick_sum stack[SIM_STACK_COUNT];
  for (int i = 0; i < SIM_STACK_COUNT; i++)
    stack[i] = timed->busy[i] + timed->idle[i];
  *out = r->counts;
  out->approximate = true;
  out->cycles = ticks_to_cycles(timed->ticks);
  out->time_ns = out->cycles * 1e9 / (double)spec->clock_hz;
  out->counters.l1_accesses = timed->l1.accesses;
  out->counters.l1_misses = timed->l1.misses;
  out->counters.l2_accesses = timed->l2.accesses;
  out->counters.l2_misses = timed->l2.misses;
  report_traffic(r, (uint64_t)spec->line_bytes, &timed->traffic, out);
#define X(field, name, meaning) out->queues.field = ticks_to_cycles(timed->queues.field);
  SIM_QUEUES(X)
#undef X
  cycle_stack_report(stack, engines, timed->ticks, &out->stack);
}

void retime_timed_begin(const struct retime_prices *prices, struct retime_timed *timed) {
  *timed = (struct retime_timed){.l1 = prices->l1, .l2 = prices->l2, .traffic = prices->traffic};
  memcpy(timed->busy, prices->stack, sizeof timed->busy);
}

bool retime_replay(const struct retime_recording *r, const struct gpu_spec *spec, const struct retime_prices *prices,
                   uint32_t only, uint64_t *core_ticks, struct retime_timed *timed) {
  struct recorded_launch launch = {.lists = &r->lists,
                                   .costs = &prices->costs,
                                   .group_count = r->group_count,
                                   .group_places = r->group_places,
                                   .warps_per_group = r->warps_per_group};
  if (only != REPLAY_ALL_CORES && memory_is_queued(spec))
    launch.others = retime_others_of(&r->cores, &prices->costs, &r->classes, only);
  struct recorded_timing timing = {.core_ticks = core_ticks};
  retime_timed_begin(prices, timed);
  if (prices->longest >= MOST_TICKS / 2 || !gpu_replay_time(&launch, spec, only, &timing) || timing.ticks > MOST_TICKS)
    return false;
  timed->ticks = timing.ticks;
  memcpy(timed->idle, timing.stack, sizeof timed->idle);
  timed->queues = timing.queues;
  return true;
}

bool retime_find_columns(const struct retime_recording *r, const struct gpu_spec *spec, struct retime_columns *out) {
  const struct cache_watch_variants *v = &r->variants;
  uint32_t l1, l2;
  if (!retime_serves(&r->spec, spec) || !cache_watch_variants_find(v, spec, &l1, &l2))
    return false;
  out->l1 = r->columns.same[l1];
  out->l2 = r->columns.same[v->l1_count + l2];
  out->patterns = r->patterns_on ? r->columns.same[v->l1_count + v->l2_count + l2] : 0;
  return true;
}

const struct recorded_patterns *retime_patterns_of(const struct retime_recording *r) {
  return r->patterns_on ? &r->patterns : NULL;
}

static bool time_all(const struct retime_recording *r, const struct gpu_spec *spec, struct sim_result *out) {
  struct retime_prices prices;
  struct retime_timed timed;
  struct retime_columns at;
  *out = (struct sim_result){0};
  if (r->sampled)
    return retime_sampled_serves(&r->spec, spec) && retime_sampled_time(r->sampled, spec, out);
  if (r->alone)
    return retime_serves(&r->spec, spec) && retime_alone_one(r->alone, spec, out);
  if (!retime_find_columns(r, spec, &at) ||
      !retime_prices_init(&prices, &r->classes, &r->columns, retime_patterns_of(r)))
    return false;
  retime_prices_set(&prices, spec, at.l1, at.l2, at.patterns);
  const bool done = retime_replay(r, spec, &prices, REPLAY_ALL_CORES, NULL, &timed);
  if (done)
    retime_report(r, spec, &timed, out);
  retime_prices_clear(&prices);
  return done;
}

bool retime(const struct retime_recording *r, const struct gpu_spec *spec, struct sim_result *out) {
  retime_memory_begin();
  const bool done = time_all(r, spec, out);
  retime_memory_end(done);
  return done;
}

/* ---- the recorded GPU ---- */

static void know_cores(struct retime_recording *r, const struct retime_prices *prices, uint32_t l1, uint32_t l2) {
  struct core_bases bases = {0};
  if (retime_cores_make(&r->cores, &r->lists, &r->classes, &r->columns, &r->spec, r->group_count, r->warps_per_group) &&
      core_bases_set(&bases, &r->cores, prices))
    for (uint32_t core = 0; core < r->cores.core_count; core++)
      r->cores.busy[core] = retime_core_busy(&r->cores, &bases, core, l1, l2);
  free(bases.ticks);
}

/* Returns whether lines are assigned to slices in turn (recorded_l2.h), which makes times approximate. */
static bool slices_are_dealt(const struct gpu_spec *spec) {
  return memory_is_queued(spec) && spec->l2_slices > 1;
}

bool retime_gives_itself(struct retime_recording *r, const struct sim_result *exact) {
  struct retime_prices prices;
  struct retime_timed timed;
  struct sim_result again;
  struct retime_columns at;
  if (!retime_find_columns(r, &r->spec, &at) ||
      !retime_prices_init(&prices, &r->classes, &r->columns, retime_patterns_of(r)))
    return false;
  retime_prices_set(&prices, &r->spec, at.l1, at.l2, at.patterns);
  if (retime_cores_are_alone(&r->spec))
    know_cores(r, &prices, at.l1, at.l2);
  const bool done = retime_replay(r, &r->spec, &prices, REPLAY_ALL_CORES, r->cores.ticks, &timed);
  if (done)
    retime_report(r, &r->spec, &timed, &again);
  retime_prices_clear(&prices);
  return done && memcmp(&again.counters, &exact->counters, sizeof again.counters) == 0 &&
         (slices_are_dealt(&r->spec) ||
          (again.cycles == exact->cycles && memcmp(&again.stack, &exact->stack, sizeof again.stack) == 0));
}
