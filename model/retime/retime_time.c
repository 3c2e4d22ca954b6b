#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "model/memory/memory_hierarchy.h"
#include "model/policy/dispatch.h"
#include "model/replay/gpu_replay.h"
#include "model/retime/retime_memory.h"
#include "model/retime/retime_parts.h"

/* The largest share of the time of a core's engines that it may wait in shared queues where it is replayed in place of
 * all cores. Above it, the result is up to 20 % off (bench_timing_only, L2 and memory at 0.3 of their rates). */
#define MOST_SHARED_WAIT 16
/* The longest launch that is timed: 5e8 cycles; longer ones are replayed exactly. */
#define MOST_TICKS (UINT64_C(1) << 39)

/* The times of a replay of the recording: its end, and what engines without work waited for. */
struct timed {
  uint64_t ticks;
  tick_sum idle[SIM_STACK_COUNT];
  tick_sum busy[SIM_STACK_COUNT];
  struct level_counts l1, l2;
  struct pattern_traffic traffic;
  struct queue_ticks queues;
};

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

static void report(const struct retime_recording *r, const struct gpu_spec *spec, const struct timed *timed,
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

/* Replays the recording. `core_ticks` is [cores], or NULL if the times of cores are not wanted. */
static bool replay(const struct retime_recording *r, const struct gpu_spec *spec, const struct retime_prices *prices,
                   uint32_t only, uint64_t *core_ticks, struct timed *timed) {
  struct recorded_launch launch = {.lists = &r->lists,
                                   .costs = &prices->costs,
                                   .group_count = r->group_count,
                                   .group_places = r->group_places,
                                   .warps_per_group = r->warps_per_group};
  if (only != REPLAY_ALL_CORES && memory_is_queued(spec))
    launch.others = retime_others_of(&r->cores, &prices->costs, &r->classes, only);
  struct recorded_timing timing = {.core_ticks = core_ticks};
  *timed = (struct timed){.l1 = prices->l1, .l2 = prices->l2, .traffic = prices->traffic};
  memcpy(timed->busy, prices->stack, sizeof timed->busy);
  if (prices->longest >= MOST_TICKS / 2 || !gpu_replay_time(&launch, spec, only, &timing) || timing.ticks > MOST_TICKS)
    return false;
  timed->ticks = timing.ticks;
  memcpy(timed->idle, timing.stack, sizeof timed->idle);
  timed->queues = timing.queues;
  return true;
}

/* The columns of a GPU's caches. */
struct cache_columns {
  uint32_t l1, l2, patterns; /* patterns: 0 if the recording has none */
};

/* Finds the columns of the GPU's caches. Caches with the same misses have the same columns. */
static bool find_columns(const struct retime_recording *r, const struct gpu_spec *spec, struct cache_columns *out) {
  const struct cache_watch_variants *v = &r->variants;
  uint32_t l1, l2;
  if (!retime_serves(&r->spec, spec) || !cache_watch_variants_find(v, spec, &l1, &l2))
    return false;
  out->l1 = r->columns.same[l1];
  out->l2 = r->columns.same[v->l1_count + l2];
  out->patterns = r->patterns_on ? r->columns.same[v->l1_count + v->l2_count + l2] : 0;
  return true;
}

static const struct recorded_patterns *patterns_of(const struct retime_recording *r) {
  return r->patterns_on ? &r->patterns : NULL;
}

static bool time_all(const struct retime_recording *r, const struct gpu_spec *spec, struct sim_result *out) {
  struct retime_prices prices;
  struct timed timed;
  struct cache_columns at;
  *out = (struct sim_result){0};
  if (r->sampled)
    return retime_sampled_serves(&r->spec, spec) && retime_sampled_time(r->sampled, spec, out);
  if (r->alone)
    return retime_serves(&r->spec, spec) && retime_alone_one(r->alone, spec, out);
  if (!find_columns(r, spec, &at) || !retime_prices_init(&prices, &r->classes, &r->columns, patterns_of(r)))
    return false;
  retime_prices_set(&prices, spec, at.l1, at.l2, at.patterns);
  const bool done = replay(r, spec, &prices, REPLAY_ALL_CORES, NULL, &timed);
  if (done)
    report(r, spec, &timed, out);
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

/* Returns whether cores have their own work-groups, so that they depend on each other only through queues that they
 * share. */
static bool cores_are_alone(const struct gpu_spec *spec) {
  return dispatch_orders[spec->dispatch]->own && spec->memory == MEMORY_BLOCKING;
}

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
  struct timed timed;
  struct sim_result again;
  struct cache_columns at;
  if (!find_columns(r, &r->spec, &at) || !retime_prices_init(&prices, &r->classes, &r->columns, patterns_of(r)))
    return false;
  retime_prices_set(&prices, &r->spec, at.l1, at.l2, at.patterns);
  if (cores_are_alone(&r->spec))
    know_cores(r, &prices, at.l1, at.l2);
  const bool done = replay(r, &r->spec, &prices, REPLAY_ALL_CORES, r->cores.ticks, &timed);
  if (done)
    report(r, &r->spec, &timed, &again);
  retime_prices_clear(&prices);
  return done && memcmp(&again.counters, &exact->counters, sizeof again.counters) == 0 &&
         (slices_are_dealt(&r->spec) ||
          (again.cycles == exact->cycles && memcmp(&again.stack, &exact->stack, sizeof again.stack) == 0));
}

/* ---- one core in place of all ---- */

static tick_sum all_busy(const struct timed *timed) {
  tick_sum busy = 0;
  for (int i = 0; i < SIM_STACK_COUNT; i++)
    busy += timed->busy[i];
  return busy;
}

static tick_sum at_most(tick_sum a, tick_sum limit) {
  return a < limit ? a : limit;
}

/* Takes up to `ticks` from the rest of the idle time for a component. Returns the ticks taken. */
static tick_sum take(tick_sum *idle, double ticks) {
  const tick_sum taken = at_most((tick_sum)ticks, *idle);
  *idle -= taken;
  return taken;
}

/* Adds the waits of the other cores' engines: queues, barriers and dispatch as on the one core, which was busy for
 * `own` ticks, in proportion to work; the rest is idle. */
static void spread(const struct gpu_spec *spec, double own, struct timed *timed) {
  const tick_sum busy = all_busy(timed);
  tick_sum idle = (tick_sum)timed->ticks * (uint64_t)(spec->cores * spec->execution_engines) - busy;
  const tick_sum launch =
      (tick_sum)cycles_to_ticks(spec->launch_cycles) * (uint64_t)(spec->cores * spec->execution_engines);
  const double cores = own > 0 ? (double)busy / own : 1;
  const tick_sum *one = timed->idle;
  tick_sum all[SIM_STACK_COUNT] = {0};
  all[STACK_launch] = take(&idle, (double)launch);
  all[STACK_launch] += take(&idle, (double)(one[STACK_launch] - launch) * cores);
  all[STACK_lsu] = take(&idle, (double)one[STACK_lsu] * cores);
  all[STACK_bandwidth] = take(&idle, (double)one[STACK_bandwidth] * cores);
  all[STACK_atomic] = take(&idle, (double)one[STACK_atomic] * cores);
  all[STACK_barrier] = take(&idle, (double)one[STACK_barrier] * cores);
  all[STACK_idle] = idle;
  memcpy(timed->idle, all, sizeof all);
#define X(field, name, meaning) timed->queues.field = (uint64_t)((double)timed->queues.field * cores);
  SIM_QUEUES(X)
#undef X
}

/* ---- many GPUs ---- */

/* Everything that determines the times of events. GPUs of equal keys end at the same time. */
struct retime_key {
  struct retime_rates rates;
  uint64_t launch, work_group;
  struct traffic_key {
    struct cache_columns at;
    uint32_t unused; /* keys are compared byte by byte */
    double lsu, l1_l2, l2_rate, dram;
    int64_t slices;
  } traffic; /* the lines that move, and their rates */
};

/* A GPU that was timed, to be found again. */
struct known {
  struct retime_key key;
  bool done;
  double correction; /* its ticks divided by those of the one core, 0: not both are known */
  struct timed timed;
};

struct retime_many {
  const struct retime_recording *recorded;
  struct retime_prices prices;
  struct core_bases bases;
  struct known *known;
  size_t known_count;
};

static struct retime_key key_of(const struct retime_many *many, const struct gpu_spec *spec, struct cache_columns at) {
  return (struct retime_key){.rates = retime_rates_of(&many->prices, spec, at.l1, at.l2),
                             .launch = cycles_to_ticks(spec->launch_cycles),
                             .work_group = cycles_to_ticks(spec->work_group_cycles),
                             .traffic = {.at = at,
                                         .lsu = spec->lsu_transactions_per_cycle,
                                         .l1_l2 = spec->l1_l2_bytes_per_cycle,
                                         .l2_rate = spec->l2_bytes_per_cycle,
                                         .dram = spec->dram_bytes_per_cycle,
                                         .slices = memory_is_queued(spec) ? spec->l2_slices : 0}};
}

/* Returns whether the one core that was timed waited in the shared queues for more than its share of time
 * (MOST_SHARED_WAIT). */
static bool waits_for_others(const struct gpu_spec *spec, const struct timed *timed) {
  const tick_sum waited = timed->idle[STACK_bandwidth] + timed->idle[STACK_atomic];
  return MOST_SHARED_WAIT * waited > (tick_sum)timed->ticks * (uint64_t)spec->execution_engines;
}

/* Returns the correction of a GPU on which the same lines move at the same rates, or 0 if none is known. */
static double known_correction(const struct retime_many *many, const struct traffic_key *traffic) {
  for (size_t i = 0; i < many->known_count; i++)
    if (many->known[i].correction > 0 && memcmp(&many->known[i].key.traffic, traffic, sizeof *traffic) == 0)
      return many->known[i].correction;
  return 0;
}

/* Corrects the ticks of a core that waits for others by a GPU with the same traffic; the first GPU with this traffic is
 * timed with all cores. Returns false if `timed` cannot be computed. *whole: `timed` is that of all cores. */
static bool correct(struct retime_many *many, const struct gpu_spec *spec, struct known *known, bool *whole) {
  const double correction = known_correction(many, &known->key.traffic), one = (double)known->timed.ticks;
  *whole = correction == 0;
  if (*whole) {
    const bool done = replay(many->recorded, spec, &many->prices, REPLAY_ALL_CORES, NULL, &known->timed);
    known->correction = one > 0 ? (double)known->timed.ticks / one : 0;
    return done;
  }
  known->timed.ticks = (uint64_t)llround(one * correction);
  return true;
}

/* Times the core that ends last, where cores are alone. */
static bool replay_quickly(struct retime_many *many, const struct gpu_spec *spec, struct known *known) {
  struct timed *timed = &known->timed;
  const struct cache_columns at = known->key.traffic.at;
  const struct retime_recording *r = many->recorded;
  if (!r->cores.events || !cores_are_alone(spec) || !core_bases_set(&many->bases, &r->cores, &many->prices))
    return replay(r, spec, &many->prices, REPLAY_ALL_CORES, NULL, timed);
  const uint32_t only = retime_cores_last(&r->cores, &many->bases, at.l1, at.l2);
  if (!replay(r, spec, &many->prices, only, NULL, timed))
    return false;
  bool whole = false;
  if (waits_for_others(spec, timed) && !correct(many, spec, known, &whole))
    return false;
  if (whole)
    return true;
  if (all_busy(timed) > (tick_sum)timed->ticks * (uint64_t)(spec->cores * spec->execution_engines))
    return replay(r, spec, &many->prices, REPLAY_ALL_CORES, NULL, timed); /* another core ends later */
  spread(spec, retime_core_busy(&r->cores, &many->bases, only, at.l1, at.l2), timed);
  return true;
}

static const struct known *find(const struct retime_many *many, const struct retime_key *key) {
  for (size_t i = 0; i < many->known_count; i++)
    if (memcmp(&many->known[i].key, key, sizeof *key) == 0)
      return &many->known[i];
  return NULL;
}

static bool time_one(struct retime_many *many, const struct gpu_spec *spec, struct sim_result *out) {
  struct cache_columns at;
  if (!find_columns(many->recorded, spec, &at))
    return false;
  const struct retime_key key = key_of(many, spec, at);
  const struct known *same = find(many, &key);
  if (!same) {
    struct known *new = &many->known[many->known_count];
    new->key = key;
    retime_prices_set(&many->prices, spec, at.l1, at.l2, at.patterns);
    new->done = replay_quickly(many, spec, new);
    many->known_count++;
    same = new;
  }
  if (same->done)
    report(many->recorded, spec, &same->timed, out);
  return same->done;
}

void retime_all(const struct retime_recording *r, const struct gpu_spec *specs, size_t count, struct sim_result *out,
                bool *done) {
  if (r->sampled) {
    for (size_t i = 0; i < count; i++)
      done[i] = retime(r, &specs[i], &out[i]);
    return;
  }
  retime_memory_begin();
  if (r->alone) {
    retime_alone_all(r->alone, specs, count, out, done);
    for (size_t i = 0; i < count; i++)
      retime_memory_end(done[i]);
    return;
  }
  struct retime_many many = {.recorded = r, .known = calloc(count + 1, sizeof *many.known)};
  const bool ready = many.known && retime_prices_init(&many.prices, &r->classes, &r->columns, patterns_of(r));
  for (size_t i = 0; i < count; i++) {
    out[i] = (struct sim_result){0};
    done[i] = ready && time_one(&many, &specs[i], &out[i]);
    retime_memory_end(done[i]);
  }
  if (ready)
    retime_prices_clear(&many.prices);
  free(many.bases.ticks);
  free(many.known);
}
