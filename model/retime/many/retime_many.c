#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "model/memory/memory_hierarchy.h"
#include "model/replay/gpu_replay.h"
#include "model/retime/retime_memory.h"
#include "model/retime/retime_parts.h"
#include "model/retime/many/retime_surface.h"

/* The largest share of the time of a core's engines that it may wait in shared queues where it is replayed in place of
 * all cores. Above it, the result is up to 20 % off (bench_timing_only, L2 and memory at 0.3 of their rates). */
#define MOST_SHARED_WAIT 16
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
  double correction;           /* ticks of all cores divided by those of the one core; 0: not known */
  bool done, grouped;
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
  retime_timed_begin(&many->prices, &known->timed);
  return many->known_count++;
}

/* ---- timing ---- */

static bool time_known(struct retime_many *many, struct known *known) {
  set_prices(many, known);
  known->done = retime_replay(many->recorded, known->spec, &many->prices, known->only, NULL, &known->timed);
  return known->done;
}

static bool time_member(void *context, size_t member, double *ticks) {
  struct retime_many *many = context;
  struct known *known = &many->known[many->numbers[member]];
  const bool done = time_known(many, known);
  *ticks = (double)known->timed.ticks;
  return done;
}

static void set_place(const struct retime_key *key, struct surface_member *member) {
  const struct retime_rates *rates = &key->rates;
  const double at[SURFACE_MOST_DIMENSIONS] = {
      (double)rates->round,   (double)rates->arith,   (double)rates->transaction_slots,
      (double)rates->store,   (double)rates->l1,      (double)rates->l2,
      (double)rates->dram,    (double)rates->barrier, (double)key->launch,
      (double)key->work_group};
  memcpy(member->at, at, sizeof at);
}

/* Gathers the known GPUs with the traffic of this one, on which only latencies differ. */
static void gather(struct retime_many *many, size_t first) {
  many->member_count = 0;
  for (size_t i = first; i < many->known_count; i++) {
    struct known *known = &many->known[i];
    if (known->grouped || memcmp(&known->key.traffic, &many->known[first].key.traffic, sizeof known->key.traffic) != 0)
      continue;
    known->grouped = true;
    set_place(&known->key, &many->members[many->member_count]);
    many->numbers[many->member_count++] = i;
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
  const bool all = known->only == REPLAY_ALL_CORES;
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
#define X(field, name, meaning) timed->queues.field = (uint64_t)((double)near->timed.queues.field * times);
  SIM_QUEUES(X)
#undef X
  known->done = true;
  return true;
}

/* Times the gathered GPUs, or interpolates their times. */
static void time_gathered(struct retime_many *many) {
  const bool made = surface_make(many->members, many->member_count, time_member, many);
  for (size_t i = 0; i < many->member_count; i++) {
    struct known *known = &many->known[many->numbers[i]];
    const struct surface_member *member = &many->members[i];
    if (known->done || member->timed)
      continue;
    if (!made || !wait_as(&many->known[many->numbers[member->near]], known, member->value))
      time_known(many, known);
  }
}

/* ---- from one core to all ---- */

/* Returns the correction of a GPU on which the same lines move at the same rates, or 0 if none is known. */
static double known_correction(const struct retime_many *many, const struct traffic_key *traffic) {
  for (size_t i = 0; i < many->known_count; i++)
    if (many->known[i].correction > 0 && memcmp(&many->known[i].key.traffic, traffic, sizeof *traffic) == 0)
      return many->known[i].correction;
  return 0;
}

static bool time_whole(struct retime_many *many, struct known *known) {
  known->only = REPLAY_ALL_CORES;
  return time_known(many, known);
}

/* Corrects the ticks of a core that waits for others by a GPU with the same traffic; the first GPU with this traffic is
 * timed with all cores. Returns whether it was. */
static bool correct(struct retime_many *many, struct known *known) {
  const double correction = known_correction(many, &known->key.traffic), one = (double)known->timed.ticks;
  if (correction == 0) {
    time_whole(many, known);
    known->correction = one > 0 ? (double)known->timed.ticks / one : 0;
    return true;
  }
  known->timed.ticks = (uint64_t)llround(one * correction);
  return false;
}

/* Sets the times of all cores from those of the one core that was timed. */
static void extend(struct retime_many *many, struct known *known) {
  const struct gpu_spec *spec = known->spec;
  if (known->only == REPLAY_ALL_CORES || !known->done ||
      (waits_for_others(spec, &known->timed) && correct(many, known)))
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
  for (size_t i = 0; i < many->known_count; i++)
    if (!many->known[i].grouped) {
      gather(many, i);
      time_gathered(many);
    }
  for (size_t i = 0; i < many->known_count; i++)
    extend(many, &many->known[i]);
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
