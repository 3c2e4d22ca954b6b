#include "model/retime/retime_alone.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/cache/graphics_caches.h"
#include "model/memory/memory_hierarchy.h"
#include "model/warp/occupancy.h"

/* The share of the work-groups up to which it is faster to replay the core that has them than all cores. */
#define MOST_OF_GROUPS 0.5
/* The number of events up to which a replay takes less time than its preparation, on the shipped GPUs. */
#define FEW_EVENTS 3000

bool retime_alone_can(const struct trace *trace, const struct gpu_spec *spec) {
  struct error ignored = ERROR_INIT;
  /* Services at L2 hold no translation and no DRAM row; caches of several cores are beside L2. */
  return !trace_is_sampled(&trace->header) && spec->cores > 1 && spec->tlb_entries == 0 && spec->dram_banks == 0 &&
         !graphics_caches_are_shared(spec) && gpu_spec_check(spec, &ignored) == 0 && trace->group_count > 0 &&
         trace_local_size(&trace->header) > 0 && occupancy_check(trace, spec, &ignored) == 0;
}

struct gpu_spec retime_alone_spec(const struct trace *trace, const struct gpu_spec *spec) {
  struct gpu_spec seen = *spec;
  seen.l1_bytes = occupancy_l1_bytes(trace, spec);
  return seen;
}

/* ---- the core alone ---- */

static bool time_core(const struct retime_alone *alone, const struct core_record *record, const struct gpu_spec *spec,
                      struct alone_times *out) {
  struct error ignored = ERROR_INIT;
  struct replay_result result = {0};
  const bool done =
      simulation_replay(alone->simulation, spec, &(struct replay_options){.alone = record}, &result, &ignored) == 0;
  if (done) {
    *out = (struct alone_times){.ticks = result.ticks, .queues = result.queues};
    memcpy(out->stack, result.core_stacks[record->core], sizeof out->stack);
  }
  replay_result_clear(&result);
  return done;
}

/* Returns whether the core alone took as long as among the others, and spent its time on the same. */
static bool gives_itself(const struct core_record *record, const struct alone_times *own, const struct gpu_spec *spec,
                         const struct sim_result *whole) {
  const uint64_t engines = (uint64_t)spec->execution_engines, ticks = cycles_to_ticks(whole->cycles);
  tick_sum stack[SIM_STACK_COUNT];
  struct sim_stack again;
  if (own->ticks != record->ticks || ticks < own->ticks)
    return false;
  for (int i = 0; i < SIM_STACK_COUNT; i++)
    stack[i] = own->stack[i];
  stack[STACK_idle] += (tick_sum)(ticks - own->ticks) * engines;
  cycle_stack_report(stack, engines, ticks, &again);
  return memcmp(&again, &whole->core_stacks[record->core], sizeof again) == 0;
}

/* Times the recorded cores on their own GPU. Returns false if one of them differs from the recorded replay. */
static bool set_own(const struct retime_alone *alone, struct alone_recording *r, const struct sim_result *whole) {
  for (uint32_t i = 0; i < r->records.count; i++) {
    const struct core_record *record = &r->records.list[i];
    if (record->incomplete || !time_core(alone, record, &r->spec, &r->own[i]) ||
        !gives_itself(record, &r->own[i], &r->spec, whole))
      return false;
    r->end = ticks_later(r->end, record->ticks);
  }
  return r->end > 0;
}

/* ---- recording ---- */

static struct sim_result without_arrays(struct sim_result result) {
  result.core_stacks = NULL;
  result.core_count = 0;
  result.lines = NULL;
  result.line_count = 0;
  return result;
}

void alone_recording_clear(struct alone_recording *r) {
  core_records_clear(&r->records);
}

/* Returns whether replaying a recorded core is faster than replaying all: other cores have work, or there is so little
 * that preparing all cores and L2 takes the most time. */
static bool is_faster(const struct retime_alone *alone, const struct alone_recording *r) {
  bool faster = true;
  for (uint32_t i = 0; i < r->records.count; i++)
    faster &= r->records.list[i].group_count <= MOST_OF_GROUPS * alone->trace->group_count;
  return faster || r->whole.warp_events <= FEW_EVENTS;
}

bool alone_recording_make(const struct retime_alone *alone, const struct gpu_spec *spec, struct alone_recording *r) {
  struct error ignored = ERROR_INIT;
  struct sim_result whole;
  *r = (struct alone_recording){.spec = *spec, .records.count = alone->cores.count};
  for (uint32_t i = 0; i < alone->cores.count; i++)
    r->records.list[i].core = alone->cores.list[i].core;
  if (simulation_run(alone->trace, alone->isa, spec, &(struct replay_options){.records = &r->records, .threads = 1},
                     &whole, &ignored))
    return false;
  for (uint32_t i = 0; i < r->records.count; i++)
    l2_answers_fit(&r->records.list[i].answers);
  r->whole = without_arrays(whole);
  const bool done = is_faster(alone, r) && set_own(alone, r, &whole);
  sim_result_clear(&whole);
  return done;
}

int retime_alone_record(const struct trace *trace, const struct isa_profile *isa, const struct gpu_spec *spec,
                        struct retime_alone **out, struct sim_result *result, struct error *error) {
  struct core_records ends = {.ends = calloc((size_t)spec->cores, sizeof *ends.ends)};
  struct retime_alone *alone = calloc(1, sizeof *alone);
  *out = NULL;
  if (simulation_run(trace, isa, spec, &(struct replay_options){.records = &ends, .threads = 1}, result, error) ||
      !alone || !ends.ends) {
    free(alone);
    free(ends.ends);
    return result->core_stacks ? 0 : -1;
  }
  *alone = (struct retime_alone){.trace = trace, .isa = isa};
  alone_cores_choose(&alone->cores, spec, ends.ends, result);
  free(ends.ends);
  const struct gpu_spec seen = retime_alone_spec(trace, spec);
  struct error ignored = ERROR_INIT;
  if (simulation_open(trace, isa, spec, &alone->simulation, &ignored) == 0 &&
      alone_recording_make(alone, &seen, &alone->first))
    *out = alone;
  else
    retime_alone_destroy(alone);
  return 0;
}

void retime_alone_destroy(struct retime_alone *alone) {
  if (!alone)
    return;
  alone_recording_clear(&alone->first);
  simulation_close(alone->simulation);
  free(alone);
}

/* ---- which GPUs a recording serves ---- */

/* Returns whether L2 has never replaced a line: it is fully associative and has as many lines as it missed. */
static bool replaces_nothing(const struct gpu_spec *spec, uint64_t misses) {
  return spec->l2_enabled && spec->l2_model == CACHE_REUSE_DISTANCE &&
         misses <= (uint64_t)(spec->l2_bytes / spec->line_bytes);
}

bool alone_recording_serves(const struct alone_recording *r, const struct gpu_spec *spec) {
  const uint64_t misses = r->whole.counters.l2_misses;
  struct gpu_spec other = *spec;
  if (replaces_nothing(&r->spec, misses) && replaces_nothing(spec, misses)) {
    other.l2_bytes = r->spec.l2_bytes;
    other.l2_ways = r->spec.l2_ways;
    other.l2_index_hash = r->spec.l2_index_hash;
  }
  for (size_t i = 0; i < gpu_params.count; i++) {
    const struct param *param = &gpu_params.list[i];
    if ((param->flags & (PARAM_RETIMED | PARAM_RETIMED_SAMPLED)) != (PARAM_RETIMED | PARAM_RETIMED_SAMPLED) &&
        params_get_number(param, &r->spec) != params_get_number(param, &other))
      return false;
  }
  return true;
}

/* ---- timing ---- */

/* Returns whether the core takes the same time on both GPUs, of which the recording serves both. */
static bool times_alike(const struct gpu_spec *a, const struct gpu_spec *b) {
  const unsigned both = PARAM_RETIMED | PARAM_RETIMED_SAMPLED;
  struct gpu_spec as_a = *b;
  as_a.clock_hz = a->clock_hz;
  as_a.prediction_error_ratio = a->prediction_error_ratio;
  as_a.order_error_ratio = a->order_error_ratio;
  for (size_t i = 0; i < gpu_params.count; i++)
    if ((gpu_params.list[i].flags & both) == both &&
        params_get_number(&gpu_params.list[i], a) != params_get_number(&gpu_params.list[i], &as_a))
      return false;
  return true;
}

/* Returns the cycles that the traffic of the launch takes at least at the rates of the GPU. */
static double least_cycles(const struct gpu_spec *spec, const struct sim_result *whole) {
  const double l2 = (double)whole->counters.l2_accesses * (double)spec->line_bytes;
  const double dram = (double)whole->counters.dram_bytes;
  return fmax(spec->l2_bytes_per_cycle > 0 ? l2 / spec->l2_bytes_per_cycle : 0,
              spec->dram_bytes_per_cycle > 0 ? dram / spec->dram_bytes_per_cycle : 0);
}

static double ratio(uint64_t now, uint64_t before) {
  return before > 0 ? (double)now / (double)before : 0;
}

/* The times of a recorded core on the recorded GPU and on another one. */
struct alone_change {
  const struct alone_times *own, *now;
};

/* Returns the ticks of a component of all cores' stacks, from those on the recorded GPU and those of the core alone. A
 * component that the core did not have counts in proportion to all its work. */
static double component(const struct alone_recording *r, struct alone_change change, int i, double engines) {
  double work = 0, own = 0, values[SIM_STACK_COUNT];
  sim_stack_values(&r->whole.stack, values);
  if (change.own->stack[i] > 0)
    return values[i] * TICKS_PER_CYCLE * engines * ratio(change.now->stack[i], change.own->stack[i]);
  for (int each = 0; each < STACK_idle; each++) {
    work += values[each] * TICKS_PER_CYCLE * engines;
    own += (double)change.own->stack[each];
  }
  return own > 0 ? (double)change.now->stack[i] * work / own : 0;
}

/* Sets the stack of all cores; idle is what is left of the launch's time. */
static void set_stack(const struct alone_recording *r, struct alone_change change, const struct gpu_spec *spec,
                      uint64_t ticks, struct sim_stack *out) {
  const uint64_t engines = (uint64_t)(spec->cores * spec->execution_engines);
  const double total = (double)ticks * (double)engines;
  double parts[SIM_STACK_COUNT], sum = 0;
  tick_sum stack[SIM_STACK_COUNT], rest = (tick_sum)ticks * engines;
  for (int i = 0; i < STACK_idle; i++)
    sum += parts[i] = component(r, change, i, (double)engines);
  for (int i = 0; i < STACK_idle; i++) {
    const tick_sum part = (tick_sum)(sum > total ? parts[i] * (total / sum) : parts[i]);
    stack[i] = part < rest ? part : rest;
    rest -= stack[i];
  }
  stack[STACK_idle] = rest;
  cycle_stack_report(stack, engines, ticks, out);
}

static void set_queues(struct alone_change change, struct sim_queues *out) {
  out->lsu *= ratio(change.now->queues.lsu, change.own->queues.lsu);
  out->l1_mshr *= ratio(change.now->queues.l1_mshr, change.own->queues.l1_mshr);
  out->link *= ratio(change.now->queues.link, change.own->queues.link);
}

bool alone_recording_time(const struct retime_alone *alone, const struct alone_recording *r,
                          const struct gpu_spec *spec, struct sim_result *out) {
  const uint32_t last = alone_cores_last(&alone->cores, spec);
  const bool alike = times_alike(&r->spec, spec);
  struct alone_times now;
  if (!alike && !time_core(alone, &r->records.list[last], spec, &now))
    return false;
  *out = r->whole;
  out->approximate = true;
  if (!alike) {
    const double cycles = r->whole.cycles * ratio(now.ticks, r->end);
    const uint64_t ticks = cycles_to_ticks(fmax(cycles, least_cycles(spec, &r->whole)));
    const struct alone_change change = {&r->own[last], &now};
    out->cycles = ticks_to_cycles(ticks);
    set_stack(r, change, spec, ticks, &out->stack);
    set_queues(change, &out->queues);
  }
  out->time_ns = out->cycles * 1e9 / (double)spec->clock_hz;
  return true;
}

/* ---- corrections ---- */

double retime_alone_exactly(const struct retime_alone *alone, const struct gpu_spec *spec) {
  struct error ignored = ERROR_INIT;
  struct replay_result result = {0};
  const bool done =
      simulation_replay(alone->simulation, spec, &(struct replay_options){.threads = 1}, &result, &ignored) == 0;
  const double cycles = done ? ticks_to_cycles(result.ticks) : 0;
  replay_result_clear(&result);
  return cycles;
}

void retime_alone_stretch(const struct gpu_spec *spec, double cycles, struct sim_result *result) {
  const uint64_t engines = (uint64_t)(spec->cores * spec->execution_engines), ticks = cycles_to_ticks(cycles);
  const double times = cycles / result->cycles;
  double values[SIM_STACK_COUNT];
  tick_sum stack[SIM_STACK_COUNT], rest = (tick_sum)ticks * engines;
  sim_stack_values(&result->stack, values);
  for (int i = 0; i < STACK_idle; i++) {
    const tick_sum part = (tick_sum)(values[i] * times * TICKS_PER_CYCLE * (double)engines);
    stack[i] = part < rest ? part : rest;
    rest -= stack[i];
  }
  stack[STACK_idle] = rest;
  cycle_stack_report(stack, engines, ticks, &result->stack);
  result->cycles = ticks_to_cycles(ticks);
  result->time_ns = result->cycles * 1e9 / (double)spec->clock_hz;
}

bool retime_alone_one(const struct retime_alone *alone, const struct gpu_spec *spec, struct sim_result *out) {
  const struct gpu_spec seen = retime_alone_spec(alone->trace, spec);
  return alone_recording_serves(&alone->first, &seen) && alone_recording_time(alone, &alone->first, &seen, out);
}
