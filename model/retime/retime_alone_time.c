#include "model/retime/retime_alone.h"

#include <math.h>
#include <string.h>

/* ---- which GPUs a recording serves ---- */

/* Returns whether L2 has never replaced a line: it is fully associative and has as many lines as it missed. */
static bool replaces_nothing(const struct gpu_spec *spec, uint64_t misses) {
  return spec->l2_enabled && spec->l2_model == CACHE_REUSE_DISTANCE &&
         misses <= (uint64_t)(spec->l2_bytes / spec->line_bytes / spec->tag_lines);
}

bool alone_recording_serves(const struct alone_recording *r, const struct gpu_spec *spec) {
  const uint64_t misses = r->whole.counters.l2_misses;
  struct gpu_spec other = *spec;
  other.l1_bytes = r->spec.l1_bytes;
  other.l1_ways = r->spec.l1_ways;
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

static bool has_l1_of(const struct gpu_spec *a, const struct gpu_spec *b) {
  return a->l1_bytes == b->l1_bytes && a->l1_ways == b->l1_ways;
}

/* Returns whether the core takes the same time on both GPUs, of which the recording serves both. */
static bool times_alike(const struct gpu_spec *a, const struct gpu_spec *b) {
  if (!has_l1_of(a, b))
    return false;
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

static void stretch(uint64_t *count, uint64_t now, uint64_t before) {
  if (before > 0)
    *count = (uint64_t)llround((double)*count * ratio(now, before));
}

/* Sets the counts on a GPU with another L1: those of the core change those of all cores in proportion, and what goes to
 * L2 changes as the misses of L1. */
static void set_counters(struct alone_change change, struct sim_counters *out) {
  const struct sim_counters *now = &change.now->counters, *own = &change.own->counters;
  stretch(&out->l1_misses, now->l1_misses, own->l1_misses);
  stretch(&out->l1_write_backs, now->l1_write_backs, own->l1_write_backs);
  stretch(&out->l1_l2_read_bytes, now->l1_misses, own->l1_misses);
  stretch(&out->l2_accesses, now->l1_misses, own->l1_misses);
  if (out->l1_misses > out->l1_accesses)
    out->l1_misses = out->l1_accesses;
}

bool alone_recording_time(const struct retime_alone *alone, const struct alone_recording *r,
                          const struct gpu_spec *spec, struct sim_result *out) {
  const uint32_t last = alone_cores_last(&alone->cores, spec);
  const bool alike = times_alike(&r->spec, spec);
  struct alone_times now;
  if (!alike && !retime_alone_core(alone, &r->records.list[last], spec, &now))
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
    if (!has_l1_of(&r->spec, spec))
      set_counters(change, &out->counters);
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
