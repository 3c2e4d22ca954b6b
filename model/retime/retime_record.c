#include "model/retime/retime_record.h"

#include <stdlib.h>
#include <string.h>

#include "model/memory/memory_hierarchy.h"
#include "model/params/ablation.h"
#include "model/warp/occupancy.h"
#include "model/retime/event_recorder.h"
#include "model/retime/retime_memory.h"
#include "model/retime/retime_parts.h"
#include "model/replay/simulation.h"
#include "model/sampling/sampled_launch.h"
#include "model/warp/warp.h"

#define MOST_RESIDENT_WARPS (UINT64_C(1) << 22) /* the limit of gpu_replay.c */

/* ---- recording ---- */

static uint32_t access_lines(const struct trace *trace, const struct gpu_spec *spec) {
  const struct access_parts parts = access_parts_of(spec);
  uint32_t most = 1;
  for (uint32_t i = 0; i < trace->code.mem_count; i++)
    if (trace->code.ops[trace->code.mem_ops[i]].bytes > most)
      most = trace->code.ops[trace->code.mem_ops[i]].bytes;
  return access_parts_capacity(&parts, (uint32_t)spec->warp_size, most);
}

/* Mechanisms that the launch does not use do not count. */
static bool has_no_events(const struct trace *trace, const struct gpu_spec *spec) {
  struct gpu_spec used = *spec;
  graphics_caches_leave_out(&trace->code, &used);
  texture_unit_leave_out(&trace->code, &used);
  return mechanism_has_no_events(&used);
}

static bool can_be_recorded(const struct trace *trace, const struct gpu_spec *spec) {
  struct error ignored = ERROR_INIT;
  if (gpu_spec_check(spec, &ignored) || trace->group_count == 0 || trace_local_size(&trace->header) == 0 ||
      occupancy_check(trace, spec, &ignored))
    return false; /* simulate reports the error */
  const uint64_t resident = (uint64_t)spec->cores * occupancy_groups(trace, spec);
  return !has_no_events(trace, spec) && resident * warp_count_in_group(&trace->header, spec) <= MOST_RESIDENT_WARPS;
}

static int record(struct retime_recording *r, const struct trace *trace, const struct isa_profile *isa, bool *whole,
                  struct sim_result *result, struct error *error) {
  struct event_recorder recorder;
  const uint64_t warps = (uint64_t)trace->group_count * r->warps_per_group;
  const uint64_t resident = (uint64_t)r->spec.cores * r->group_places * r->warps_per_group;
  if (event_recorder_init(&recorder, &r->spec, &r->variants, r->patterns_on, access_lines(trace, &r->spec), warps,
                          resident, error))
    return -1;
  const int status = simulation_run(trace, isa, &r->spec,
                                    &(struct replay_options){.hooks = event_recorder_hooks(&recorder)}, result, error);
  *whole = status == 0 && event_recorder_finish(&recorder);
  if (*whole) {
    r->lists = recorder.lists;
    r->classes = recorder.classes;
    r->patterns = recorder.patterns;
    recorder.patterns = (struct recorded_patterns){0};
    recorder.lists = (struct event_lists){0};
    recorder.classes = (struct event_classes){0};
  }
  event_recorder_clear(&recorder);
  return status;
}

/* Returns whether counts of misses do not determine the cost of an access on this GPU: it carries lines along, waits in
 * an order of lines, or has rounds. */
static bool needs_patterns(const struct gpu_spec *spec) {
  return memory_is_queued(spec) || write_policy_is_on(spec) || spec->atomic_cycles > 0;
}

static int make(struct retime_recording *r, const struct trace *trace, const struct isa_profile *isa,
                const struct gpu_spec *specs, size_t count, bool *whole, struct sim_result *result,
                struct error *error) {
  r->spec = *specs;
  r->patterns_on = needs_patterns(specs);
  r->group_count = trace->group_count;
  r->group_places = occupancy_groups(trace, specs);
  r->warps_per_group = warp_count_in_group(&trace->header, specs);
  if (cache_watch_variants_init(&r->variants, specs, count, error) || record(r, trace, isa, whole, result, error))
    return -1;
  r->counts = sim_result_totals(result);
  *whole = *whole && event_columns_make(&r->columns, &r->classes) && retime_gives_itself(r, result);
  return 0;
}

/* Records a sampled launch. */
static int record_sampled(const struct trace *trace, const struct isa_profile *isa, const struct gpu_spec *spec,
                          struct retime_recording **out, struct sim_result *result, struct error *error) {
  struct retime_recording *r = calloc(1, sizeof *r);
  if (!r)
    return error_no_memory(error);
  r->spec = *spec;
  if (retime_sampled_record(trace, isa, spec, &r->sampled, result, error)) {
    retime_destroy(r);
    return -1;
  }
  *out = r;
  return 0;
}

/* Records one core of a whole launch. */
static int record_alone(const struct trace *trace, const struct isa_profile *isa, const struct gpu_spec *spec,
                        struct retime_recording **out, struct sim_result *result, struct error *error) {
  struct retime_recording *r = calloc(1, sizeof *r);
  if (!r)
    return error_no_memory(error);
  r->spec = *spec;
  retime_memory_begin();
  const int status = retime_alone_record(trace, isa, spec, &r->alone, result, error);
  retime_memory_end(status != 0 || r->alone);
  if (r->alone)
    *out = r;
  else
    retime_destroy(r);
  return status;
}

int retime_record(const struct trace *trace, const struct isa_profile *isa, const struct gpu_spec *specs, size_t count,
                  struct retime_recording **out, struct sim_result *result, struct error *error) {
  *out = NULL;
  if (trace_is_sampled(&trace->header))
    return count == 1 && retime_sampled_can(trace, specs) ? record_sampled(trace, isa, specs, out, result, error)
                                                          : sampled_launch_simulate(trace, isa, specs, result, error);
  if (has_no_events(trace, specs) && count > 1 && retime_alone_can(trace, specs))
    return record_alone(trace, isa, specs, out, result, error);
  if (!can_be_recorded(trace, specs))
    return simulation_run(trace, isa, specs, &(struct replay_options){.threads = 1}, result, error);
  bool whole = false;
  struct retime_recording *r = calloc(1, sizeof *r);
  if (!r)
    return error_no_memory(error);
  retime_memory_begin();
  int status = make(r, trace, isa, specs, count, &whole, result, error);
  retime_memory_end(status != 0 || whole);
  if (status == 0 && whole)
    *out = r;
  else
    retime_destroy(r);
  return status;
}

void retime_destroy(struct retime_recording *r) {
  if (!r)
    return;
  retime_sampled_destroy(r->sampled);
  retime_alone_destroy(r->alone);
  event_lists_clear(&r->lists);
  event_classes_clear(&r->classes);
  recorded_patterns_clear(&r->patterns);
  cache_watch_variants_clear(&r->variants);
  event_columns_clear(&r->columns);
  retime_cores_clear(&r->cores);
  free(r);
}

uint64_t retime_events(const struct retime_recording *r) {
  if (r->alone)
    return r->alone->first.whole.warp_events;
  return r->sampled ? r->sampled->answers.count : r->lists.count - r->lists.warp_count;
}

uint64_t retime_bytes(const struct retime_recording *r) {
  if (r->sampled || r->alone)
    return l2_answers_bytes(r->sampled ? &r->sampled->answers : &r->alone->first.records.list[0].answers);
  return r->lists.count * (r->lists.wide ? sizeof(uint16_t) : sizeof(uint8_t)) +
         r->lists.warp_count * sizeof *r->lists.starts;
}
