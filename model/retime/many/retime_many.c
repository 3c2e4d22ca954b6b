#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "model/memory/memory_hierarchy.h"
#include "model/replay/gpu_replay.h"
#include "model/retime/retime_memory.h"
#include "model/retime/many/retime_estimate.h"
#include "model/retime/retime_parts.h"

/* The largest share of the time of a core's engines that it may wait in shared queues where it is replayed in place of
 * all cores. Above it, the result is up to 20 % off (bench_timing_only, L2 and memory at 0.3 of their rates). */
#define MOST_SHARED_WAIT 32
/* The tolerance of an interpolation (retime_surface.h) where all cores are timed, and where one is, which takes less
 * time. */
#define TOLERANCE_ALL_CORES 0.003
#define TOLERANCE_ONE_CORE  0.002
/* The number of timed GPUs from which on those with different traffic are interpolated apart. */
#define MOST_TIMED_TOGETHER 64
/* Everything that determines the times of events. GPUs of equal keys end at the same time. */
struct retime_key {
  struct retime_rates rates;
  uint64_t launch, work_group;
  struct traffic_key {
    struct retime_columns at;
    uint32_t unused; /* keys are compared byte by byte */
    double lsu, l1_l2, l2_rate, dram;
    int64_t slices;
  } traffic; /* the lines that move, and their rates */
};

/* The times of all GPUs with one key. */
struct known {
  struct retime_key key;
  const struct gpu_spec *spec; /* one of them */
  uint32_t only;               /* the core that is timed, or REPLAY_ALL_CORES */
  double own;                  /* busy ticks of that core */
  bool of_one_core;            /* whether one core was chosen to be timed */
  bool grouped;                /* whether it was gathered by its traffic */
  struct timing_estimate estimate;
  bool done;
  struct retime_timed timed;
};

struct retime_many {
  const struct retime_recording *recorded;
  struct retime_prices prices;
  struct core_bases bases;
  struct known *known;
  uint64_t *hashes; /* [known_count], of the keys */
  size_t known_count;
  struct surface_member *members; /* of a group of known ones ... */
  size_t *numbers;                /* ... and their numbers */
  size_t member_count;
};

/* ---- one core in place of all ---- */

static tick_sum all_busy(const struct retime_timed *timed) {
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
static void spread(const struct gpu_spec *spec, double own, struct retime_timed *timed) {
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

/* Returns whether the one core that was timed waited in the shared queues for more than its share of time
 * (MOST_SHARED_WAIT). */
static bool waits_for_others(const struct gpu_spec *spec, const struct retime_timed *timed) {
  const tick_sum waited = timed->idle[STACK_bandwidth] + timed->idle[STACK_atomic];
  return MOST_SHARED_WAIT * waited > (tick_sum)timed->ticks * (uint64_t)spec->execution_engines;
}

/* ---- GPUs with different keys ---- */

static struct retime_key key_of(const struct retime_many *many, const struct gpu_spec *spec, struct retime_columns at) {
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

static void set_prices(struct retime_many *many, const struct known *known) {
  const struct retime_columns at = known->key.traffic.at;
  retime_prices_set(&many->prices, known->spec, at.l1, at.l2, at.patterns);
}

/* Chooses the core that is timed: where cores are alone, the one that ends last. */
static void choose_core(struct retime_many *many, struct known *known) {
  const struct retime_cores *cores = &many->recorded->cores;
  const struct retime_columns at = known->key.traffic.at;
  known->only = REPLAY_ALL_CORES;
  if (!cores->events || !retime_cores_are_alone(known->spec) || !core_bases_set(&many->bases, cores, &many->prices))
    return;
  known->only = retime_cores_last(cores, &many->bases, at.l1, at.l2);
  known->own = retime_core_busy(cores, &many->bases, known->only, at.l1, at.l2);
}

/* Returns the number of the key among the known ones; a new one is added. */
static size_t know(struct retime_many *many, const struct retime_key *key, const struct gpu_spec *spec) {
  const uint64_t hash = text_hash(TEXT_HASH_START, key, sizeof *key);
  for (size_t i = 0; i < many->known_count; i++)
    if (many->hashes[i] == hash && memcmp(&many->known[i].key, key, sizeof *key) == 0)
      return i;
  struct known *known = &many->known[many->known_count];
  *known = (struct known){.spec = spec};
  memcpy(&known->key, key, sizeof *key);
  many->hashes[many->known_count] = hash;
  set_prices(many, known);
  choose_core(many, known);
  known->of_one_core = known->only != REPLAY_ALL_CORES;
  known->estimate = timing_estimate_of(many->recorded, &many->prices, spec, &key->traffic.at, known->own);
  retime_timed_begin(&many->prices, &known->timed);
  return many->known_count++;
}

/* ---- timing ---- */

static bool time_known(struct retime_many *many, struct known *known) {
  set_prices(many, known);
  known->done = retime_replay(many->recorded, known->spec, &many->prices, known->only, NULL, &known->timed);
  return known->done;
}

static bool time_whole(struct retime_many *many, struct known *known) {
  known->only = REPLAY_ALL_CORES;
  return time_known(many, known);
}

/* Times a GPU by the chosen core, or by all where that core waits for the others, if that has not been done. */
static bool time_member(void *context, size_t member, double *value) {
  struct retime_many *many = context;
  struct known *known = &many->known[many->numbers[member]];
  bool done = known->done || time_known(many, known);
  if (done && known->only != REPLAY_ALL_CORES && waits_for_others(known->spec, &known->timed))
    done = time_whole(many, known);
  *value = (double)known->timed.ticks / known->estimate.ticks;
  return done;
}

static void add_member(struct retime_many *many, size_t number) {
  const struct timing_estimate *estimate = &many->known[number].estimate;
  memcpy(many->members[many->member_count].at, estimate->shares, sizeof estimate->shares);
  many->numbers[many->member_count++] = number;
}

/* Gathers the GPUs of which all cores, or one core, are to be timed and that have an estimate. */
static void gather(struct retime_many *many, bool of_one_core) {
  many->member_count = 0;
  for (size_t i = 0; i < many->known_count; i++)
    if (many->known[i].of_one_core == of_one_core && many->known[i].estimate.ticks > 0)
      add_member(many, i);
}

/* Gathers those of them on which the same lines move at the same rates as on the GPU `first`. */
static void gather_traffic(struct retime_many *many, size_t first) {
  const struct traffic_key *traffic = &many->known[first].key.traffic;
  many->member_count = 0;
  for (size_t i = first; i < many->known_count; i++) {
    struct known *known = &many->known[i];
    if (known->of_one_core != many->known[first].of_one_core || known->estimate.ticks == 0 ||
        memcmp(&known->key.traffic, traffic, sizeof *traffic) != 0)
      continue;
    known->grouped = true;
    add_member(many, i);
  }
}

/* Sets what engines wait for as on the GPU `near`: of all cores, for the time that they are not busy, of one core in
 * proportion to its time. Returns false if engines are busy for longer than the interpolated time. */
static bool wait_as(const struct known *near, struct known *known, double ticks) {
  const struct gpu_spec *spec = known->spec;
  struct retime_timed *timed = &known->timed;
  const double times = ticks / (double)near->timed.ticks;
  const uint64_t end = ticks >= 1 ? (uint64_t)llround(ticks) : 0;
  tick_sum rest = (tick_sum)end * (uint64_t)(spec->cores * spec->execution_engines), waited = 0;
  const bool all = near->only == REPLAY_ALL_CORES;
  if (end == 0 || (all && rest < all_busy(timed)))
    return false;
  rest -= all ? all_busy(timed) : 0;
  for (int i = 0; i < SIM_STACK_COUNT; i++)
    waited += near->timed.idle[i];
  const double share = !all ? times : waited > 0 ? (double)rest / (double)waited : 0;
  for (int i = 0; i < SIM_STACK_COUNT; i++)
    rest -= timed->idle[i] = at_most((tick_sum)((double)near->timed.idle[i] * share), rest);
  timed->idle[STACK_idle] += all ? rest : 0;
  timed->ticks = end;
  known->only = all ? REPLAY_ALL_CORES : known->only;
#define X(field, name, meaning) timed->queues.field = (uint64_t)((double)near->timed.queues.field * times);
  SIM_QUEUES(X)
#undef X
  known->done = true;
  return true;
}

/* Times the gathered GPUs, or interpolates their times. Returns false if they are not on one surface. */
static bool time_gathered(struct retime_many *many, bool of_one_core, size_t most_timed) {
  const struct surface_rule rule = {.tolerance = of_one_core ? TOLERANCE_ONE_CORE : TOLERANCE_ALL_CORES,
                                    .most_timed = most_timed};
  const enum surface_state state = surface_make(many->members, many->member_count, rule, time_member, many);
  for (size_t i = 0; i < many->member_count && state != SURFACE_OPEN; i++) {
    struct known *known = &many->known[many->numbers[i]];
    const struct surface_member *member = &many->members[i];
    if (known->done || member->timed)
      continue;
    if (state != SURFACE_MADE ||
        !wait_as(&many->known[many->numbers[member->near]], known, member->value * known->estimate.ticks))
      time_known(many, known);
  }
  return state != SURFACE_OPEN;
}

/* Times the GPUs of which all cores, or one core, are to be timed: on one surface, or on one for each traffic. */
static void time_kind(struct retime_many *many, bool of_one_core) {
  gather(many, of_one_core);
  if (time_gathered(many, of_one_core, MOST_TIMED_TOGETHER))
    return;
  for (size_t i = 0; i < many->known_count; i++) {
    const struct known *known = &many->known[i];
    if (known->of_one_core != of_one_core || known->grouped || known->estimate.ticks == 0)
      continue;
    gather_traffic(many, i);
    time_gathered(many, of_one_core, 0);
  }
}

/* ---- from one core to all ---- */

/* Sets the times of all cores from those of the one core that was timed. */
static void extend(struct retime_many *many, struct known *known) {
  const struct gpu_spec *spec = known->spec;
  if (known->only == REPLAY_ALL_CORES || !known->done)
    return;
  if (all_busy(&known->timed) > (tick_sum)known->timed.ticks * (uint64_t)(spec->cores * spec->execution_engines))
    time_whole(many, known); /* another core ends later */
  else
    spread(spec, known->own, &known->timed);
}

/* ---- all GPUs ---- */

static bool many_init(struct retime_many *many, const struct retime_recording *r, size_t count) {
  *many = (struct retime_many){.recorded = r,
                               .known = calloc(count + 1, sizeof *many->known),
                               .hashes = calloc(count + 1, sizeof *many->hashes),
                               .members = calloc(count + 1, sizeof *many->members),
                               .numbers = calloc(count + 1, sizeof *many->numbers)};
  return many->known && many->hashes && many->members && many->numbers &&
         retime_prices_init(&many->prices, &r->classes, &r->columns, retime_patterns_of(r));
}

static void many_clear(struct retime_many *many) {
  retime_prices_clear(&many->prices);
  free(many->bases.ticks);
  free(many->known);
  free(many->hashes);
  free(many->members);
  free(many->numbers);
}

static void time_all(struct retime_many *many) {
  time_kind(many, true);
  time_kind(many, false);
  for (size_t i = 0; i < many->known_count; i++) {
    if (many->known[i].estimate.ticks == 0)
      time_known(many, &many->known[i]); /* without an estimate */
    extend(many, &many->known[i]);
  }
}

/* Times a recording of events. */
static void time_events(const struct retime_recording *r, const struct gpu_spec *specs, size_t count,
                        struct sim_result *out, bool *done) {
  struct retime_many many;
  size_t *numbers = calloc(count + 1, sizeof *numbers);
  const bool ready = many_init(&many, r, count) && numbers;
  for (size_t i = 0; i < count && ready; i++) {
    struct retime_columns at;
    numbers[i] = SIZE_MAX;
    if (retime_find_columns(r, &specs[i], &at)) {
      const struct retime_key key = key_of(&many, &specs[i], at);
      numbers[i] = know(&many, &key, &specs[i]);
    }
  }
  if (ready)
    time_all(&many);
  for (size_t i = 0; i < count; i++) {
    out[i] = (struct sim_result){0};
    done[i] = ready && numbers[i] != SIZE_MAX && many.known[numbers[i]].done;
    if (done[i])
      retime_report(r, &specs[i], &many.known[numbers[i]].timed, &out[i]);
  }
  free(numbers);
  many_clear(&many);
}

void retime_all(const struct retime_recording *r, const struct gpu_spec *specs, size_t count, struct sim_result *out,
                bool *done) {
  if (r->sampled) {
    for (size_t i = 0; i < count; i++)
      done[i] = retime(r, &specs[i], &out[i]);
    return;
  }
  retime_memory_begin();
  if (r->alone)
    retime_alone_all(r->alone, specs, count, out, done);
  else
    time_events(r, specs, count, out, done);
  for (size_t i = 0; i < count; i++)
    retime_memory_end(done[i]);
}
