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

bool retime_alone_core(const struct retime_alone *alone, const struct core_record *record, const struct gpu_spec *spec,
                       struct alone_times *out) {
  struct error ignored = ERROR_INIT;
  struct replay_result result = {0};
  const bool done =
      simulation_replay(alone->simulation, spec, &(struct replay_options){.alone = record}, &result, &ignored) == 0;
  if (done) {
    *out = (struct alone_times){.ticks = result.ticks, .queues = result.queues, .counters = result.counters};
    memcpy(out->stack, result.core_stacks[record->core], sizeof out->stack);
  }
  replay_result_clear(&result);
  return done;
}

/* Returns the idle ticks of the core in the recorded replay. */
static tick_sum idle_in(const struct alone_recording *r, const struct core_record *record) {
  const uint64_t engines = (uint64_t)r->spec.execution_engines;
  return (tick_sum)(cycles_to_ticks(r->whole.cycles) - record->ticks) * engines;
}

/* Returns whether the core alone took as long as among the others, and spent its time on the same. */
static bool gives_itself(const struct alone_recording *r, uint32_t number) {
  const struct core_record *record = &r->records.list[number];
  const struct alone_times *own = &r->own[number];
  tick_sum stack[SIM_STACK_COUNT];
  struct sim_stack again;
  if (own->ticks != record->ticks || cycles_to_ticks(r->whole.cycles) < own->ticks)
    return false;
  for (int i = 0; i < SIM_STACK_COUNT; i++)
    stack[i] = own->stack[i];
  stack[STACK_idle] += idle_in(r, record);
  cycle_stack_report(stack, (uint64_t)r->spec.execution_engines, cycles_to_ticks(r->whole.cycles), &again);
  return memcmp(&again, &r->stacks[number], sizeof again) == 0;
}

/* Times a recorded core on its own GPU. Returns false if it differs from the recorded replay. */
static bool know_core(const struct retime_alone *alone, struct alone_recording *r, uint32_t number) {
  struct alone_times *own = &r->own[number];
  if (own->ticks > 0)
    return true;
  if (retime_alone_core(alone, &r->records.list[number], &r->spec, own) && gives_itself(r, number))
    return true;
  own->ticks = 0;
  return false;
}

bool alone_recording_know(const struct retime_alone *alone, const struct gpu_spec *spec, struct alone_recording *r) {
  return know_core(alone, r, alone_cores_last(&alone->cores, spec));
}

/* ---- recording ---- */

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

/* Sets what a recording keeps of a recorded replay. Returns false if it cannot be used, or timing is not faster. */
static bool keep(const struct retime_alone *alone, struct alone_recording *r, const struct sim_result *whole) {
  bool complete = true;
  r->whole = sim_result_totals(whole);
  for (uint32_t i = 0; i < r->records.count; i++) {
    struct core_record *record = &r->records.list[i];
    l2_answers_fit(&record->answers);
    complete &= !record->incomplete;
    r->stacks[i] = whole->core_stacks[record->core];
    r->end = ticks_later(r->end, record->ticks);
  }
  return complete && r->end > 0 && is_faster(alone, r);
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
  const bool done = keep(alone, r, &whole);
  sim_result_clear(&whole);
  return done;
}

/* Makes the first recording from the records of all cores, of a launch that has been replayed. */
static bool take_first(struct retime_alone *alone, const struct gpu_spec *spec, struct core_records *all,
                       const struct sim_result *whole) {
  struct alone_recording *r = &alone->first;
  *r = (struct alone_recording){.spec = *spec, .records.count = alone->cores.count};
  for (uint32_t i = 0; i < alone->cores.count; i++) {
    r->records.list[i] = all->list[alone->cores.list[i].core];
    all->list[alone->cores.list[i].core] = (struct core_record){0};
  }
  return keep(alone, r, whole);
}

/* Chooses the cores and makes the first recording, whose cores are all known, so that several threads may time it. */
static bool make_first(struct retime_alone *alone, const struct gpu_spec *spec, struct core_records *all,
                       const struct sim_result *whole) {
  const struct gpu_spec seen = retime_alone_spec(alone->trace, spec);
  struct error ignored = ERROR_INIT;
  alone_cores_choose(&alone->cores, spec, all->ends, whole);
  if (simulation_open(alone->trace, alone->isa, spec, &alone->simulation, &ignored))
    return false;
  bool done = all->count > 0 ? take_first(alone, &seen, all, whole) : alone_recording_make(alone, &seen, &alone->first);
  for (uint32_t i = 0; i < alone->first.records.count && done; i++)
    done = know_core(alone, &alone->first, i);
  return done;
}

int retime_alone_record(const struct trace *trace, const struct isa_profile *isa, const struct gpu_spec *spec,
                        struct retime_alone **out, struct sim_result *result, struct error *error) {
  uint64_t *ends = calloc((size_t)spec->cores, sizeof *ends);
  struct retime_alone *alone = calloc(1, sizeof *alone);
  /* Of many cores those that are recorded are chosen first. */
  struct core_records all = {.ends = ends, .count = spec->cores <= CORE_RECORDS_MOST ? (uint32_t)spec->cores : 0};
  int status = alone && ends ? 0 : error_no_memory(error);
  *out = NULL;
  for (uint32_t i = 0; i < all.count; i++)
    all.list[i].core = i;
  if (status == 0)
    status = simulation_run(trace, isa, spec, &(struct replay_options){.records = &all, .threads = 1}, result, error);
  if (status == 0) {
    *alone = (struct retime_alone){.trace = trace, .isa = isa};
    *out = make_first(alone, spec, &all, result) ? alone : NULL;
  }
  if (!*out)
    retime_alone_destroy(alone);
  core_records_clear(&all);
  free(ends);
  return status;
}

void retime_alone_destroy(struct retime_alone *alone) {
  if (!alone)
    return;
  alone_recording_clear(&alone->first);
  simulation_close(alone->simulation);
  free(alone);
}
