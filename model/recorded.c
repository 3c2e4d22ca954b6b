#include "model/recorded.h"

#include <stdlib.h>
#include <string.h>

#include "model/core_ports.h"
#include "model/memory_system.h"
#include "model/occupancy.h"
#include "model/event_recorder.h"
#include "model/simulate_recorded.h"
#include "model/timing_core.h"
#include "model/warp.h"

#define MOST_RESIDENT_WARPS (UINT64_C(1) << 22) /* as the engine's own limit */

struct recorded {
  struct gpu_spec spec;
  struct event_lists lists;
  struct event_classes classes;
  struct outcome_variants variants;
  uint32_t group_count, slots, warps_per_group;
  struct sim_result counts; /* what does not depend on timing; no arrays */
};

/* ---- recording ---- */

static uint32_t access_lines(const struct trace *trace, const struct gpu_spec *spec) {
  const struct line_size line = line_size_make((uint32_t)spec->line_bytes);
  uint32_t most = 1;
  for (uint32_t i = 0; i < trace->code.mem_count; i++)
    if (trace->code.ops[trace->code.mem_ops[i]].bytes > most)
      most = trace->code.ops[trace->code.mem_ops[i]].bytes;
  return coalesce_capacity(&line, (uint32_t)spec->warp_size, most);
}

static bool can_be_recorded(const struct trace *trace, const struct gpu_spec *spec) {
  struct error ignored = ERROR_INIT;
  if (gpu_spec_check(spec, &ignored) || trace->group_count == 0 || trace_local_size(&trace->header) == 0 ||
      occupancy_check(trace, spec, &ignored))
    return false; /* simulate says why */
  const uint64_t resident = (uint64_t)spec->cores * occupancy_groups(trace, spec);
  return spec->memory != MEMORY_DEPENDENCY && !memory_is_queued(spec) && !core_ports_are_on(spec) &&
         !write_policy_is_on(spec) && spec->instruction_cache_bytes == 0 &&
         spec->scheduler == SCHEDULER_FIRST_AVAILABLE &&
         resident * warp_count_in_group(&trace->header, spec) <= MOST_RESIDENT_WARPS;
}

static int record(struct recorded *r, const struct trace *trace, const struct isa_profile *isa, bool *whole,
                  struct sim_result *result, struct error *error) {
  struct event_recorder recorder;
  const uint64_t warps = (uint64_t)trace->group_count * r->warps_per_group;
  const uint64_t resident = (uint64_t)r->spec.cores * r->slots * r->warps_per_group;
  if (event_recorder_init(&recorder, &r->variants, warps, resident, error))
    return -1;
  const int status = simulate_recorded(trace, isa, &r->spec, &recorder, result, error);
  *whole = status == 0 && event_recorder_finish(&recorder);
  if (*whole) {
    r->lists = recorder.lists;
    r->classes = recorder.classes;
    recorder.lists = (struct event_lists){0};
    recorder.classes = (struct event_classes){0};
  }
  event_recorder_clear(&recorder);
  return status;
}

/* Timed again on its own GPU, a recording must give the replay that it was made from. */
static bool gives_itself(const struct recorded *r, const struct sim_result *exact) {
  struct sim_result again;
  if (!recorded_time(r, &r->spec, &again))
    return false;
  return again.cycles == exact->cycles && memcmp(&again.stack, &exact->stack, sizeof again.stack) == 0 &&
         memcmp(&again.l1, &exact->l1, sizeof again.l1) == 0 && memcmp(&again.l2, &exact->l2, sizeof again.l2) == 0 &&
         again.l1_l2_read_bytes == exact->l1_l2_read_bytes && again.dram_bytes == exact->dram_bytes;
}

/* Queues do not change what is recorded, but the order would depend on them: it is that of the GPU without. */
static struct gpu_spec without_queues(const struct gpu_spec *spec) {
  struct gpu_spec free = *spec;
  free.lsu_transactions_per_cycle = free.l1_l2_bytes_per_cycle = 0;
  free.l2_bytes_per_cycle = free.dram_bytes_per_cycle = 0;
  return free;
}

static int make(struct recorded *r, const struct trace *trace, const struct isa_profile *isa,
                const struct gpu_spec *specs, size_t count, bool *whole, struct sim_result *result,
                struct error *error) {
  r->spec = without_queues(specs);
  r->group_count = trace->group_count;
  r->slots = occupancy_groups(trace, specs);
  r->warps_per_group = warp_count_in_group(&trace->header, specs);
  if (outcome_variants_init(&r->variants, specs, count, access_lines(trace, specs), error) ||
      record(r, trace, isa, whole, result, error))
    return -1;
  r->counts = *result;
  r->counts.core_stacks = NULL;
  r->counts.core_count = 0;
  r->counts.lines = NULL;
  r->counts.line_count = 0;
  outcome_variants_stop(&r->variants);
  *whole = *whole && gives_itself(r, result);
  return 0;
}

int recorded_make(const struct trace *trace, const struct isa_profile *isa, const struct gpu_spec *specs, size_t count,
                  struct recorded **out, struct sim_result *result, struct error *error) {
  *out = NULL;
  const struct gpu_spec recordable = without_queues(specs);
  if (!can_be_recorded(trace, &recordable))
    return simulate(trace, isa, specs, result, error);
  bool whole = false;
  struct recorded *r = calloc(1, sizeof *r);
  if (!r)
    return error_set(error, ERROR_WORK, "out of memory");
  int status = make(r, trace, isa, specs, count, &whole, result, error);
  if (status == 0 && memory_is_queued(specs)) {
    sim_result_clear(result);
    status = simulate(trace, isa, specs, result, error);
  }
  if (status == 0 && whole)
    *out = r;
  else
    recorded_destroy(r);
  return status;
}

void recorded_destroy(struct recorded *r) {
  if (!r)
    return;
  event_lists_clear(&r->lists);
  event_classes_clear(&r->classes);
  outcome_variants_clear(&r->variants);
  free(r);
}

uint64_t recorded_events(const struct recorded *r) {
  return r->lists.count - r->lists.warp_count;
}

uint64_t recorded_bytes(const struct recorded *r) {
  return r->lists.count * (r->lists.wide ? sizeof(uint16_t) : sizeof(uint8_t)) +
         r->lists.warp_count * sizeof *r->lists.starts;
}

/* ---- timing only ---- */

static void launch(struct timing *timing) {
  for (uint32_t i = 0; i < timing->core_count; i++)
    timing->cores[i].now = timing->cores[i].accounted = timing->cores[i].dispatch_free = timing->launch_ticks;
  for (uint32_t slot = 0; slot < timing->slots; slot++)
    for (uint32_t i = 0; i < timing->core_count; i++) {
      struct dispatch_range *range = timing_core_range(timing, &timing->cores[i]);
      if (range->next < range->end)
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

static uint64_t close_accounts(struct timing *timing, tick_sum stack[SIM_STACK_COUNT]) {
  uint64_t ticks = 0;
  for (uint32_t i = 0; i < timing->core_count; i++)
    ticks = timing->cores[i].now > ticks ? timing->cores[i].now : ticks;
  stack[STACK_launch] += (tick_sum)timing->launch_ticks * timing->execution_engines * timing->core_count;
  for (uint32_t i = 0; i < timing->core_count; i++) {
    timing_core_account(timing, &timing->cores[i], ticks);
    for (int s = 0; s < SIM_STACK_COUNT; s++)
      stack[s] += timing->cores[i].idle[s];
  }
  return ticks;
}

static bool run(const struct recorded *r, const struct gpu_spec *spec, struct timing *timing) {
  bool done = true;
  timing->cores = calloc(timing->core_count, sizeof *timing->cores);
  for (uint32_t i = 0; i < timing->core_count && timing->cores && done; i++)
    done = timing_core_init(timing, &timing->cores[i], spec, i, r->group_count);
  if (!done || !timing->cores || (timing->queued && !timing_slices_init(&timing->l2, spec)))
    return false;
  launch(timing);
  run_cores(timing);
  return !timing->too_long && !timing->no_memory;
}

/* Other caches miss more or less; what stores and atomics move stays. */
static void report_traffic(const struct recorded *r, uint64_t line_bytes, struct sim_result *out) {
  out->l1_l2_read_bytes = r->counts.l1_l2_read_bytes + (out->l1.misses - r->counts.l1.misses) * line_bytes;
  out->dram_bytes = out->dram_read_bytes = out->l2.misses * line_bytes;
}

static void report(const struct recorded *r, const struct gpu_spec *spec, struct timing *timing,
                   struct sim_result *out) {
  tick_sum stack[SIM_STACK_COUNT];
  memcpy(stack, timing->prices->stack, sizeof stack);
  const uint64_t ticks = close_accounts(timing, stack);
  *out = r->counts;
  out->approximate = true;
  out->cycles = ticks_to_cycles(ticks);
  out->time_ns = out->cycles * 1e9 / (double)spec->clock_hz;
  out->l1 = timing->prices->l1;
  out->l2 = timing->prices->l2;
  report_traffic(r, (uint64_t)spec->line_bytes, out);
  cycle_stack_report(stack, (uint64_t)timing->execution_engines * timing->core_count, ticks, &out->stack);
}

static bool replay(const struct recorded *r, const struct gpu_spec *spec, const struct timing_prices *prices,
                   struct sim_result *out) {
  struct timing timing = {.lists = &r->lists,
                          .prices = prices,
                          .queued = memory_is_queued(spec),
                          .blocking = spec->memory == MEMORY_BLOCKING,
                          .order = dispatch_orders[spec->dispatch],
                          .range = {0, r->group_count, 1},
                          .core_count = (uint32_t)spec->cores,
                          .slots = r->slots,
                          .warps_per_group = r->warps_per_group,
                          .execution_engines = (uint32_t)spec->execution_engines,
                          .launch_ticks = cycles_to_ticks(spec->launch_cycles),
                          .work_group_ticks = cycles_to_ticks(spec->work_group_cycles),
                          .stretches = spec->memory == MEMORY_BLOCKING && !memory_is_queued(spec) && !prices->instant};
  const bool done =
      prices->longest < MOMENT_MOST_TICK / 2 && timing.launch_ticks < MOMENT_MOST_TICK && run(r, spec, &timing);
  if (done)
    report(r, spec, &timing, out);
  for (uint32_t i = 0; i < timing.core_count && timing.cores; i++)
    timing_core_clear(&timing.cores[i]);
  free(timing.cores);
  timing_slices_clear(&timing.l2);
  return done;
}

bool recorded_time(const struct recorded *r, const struct gpu_spec *spec, struct sim_result *out) {
  struct timing_columns columns;
  struct timing_prices prices;
  *out = (struct sim_result){0};
  if (!recorded_serves(&r->spec, spec) || !outcome_variants_find(&r->variants, spec, &columns.l1, &columns.l2))
    return false;
  columns.l2 += r->variants.l1_count;
  if (!timing_prices_init(&prices, &r->classes, &columns, spec))
    return false;
  const bool done = replay(r, spec, &prices, out);
  timing_prices_clear(&prices);
  return done;
}
