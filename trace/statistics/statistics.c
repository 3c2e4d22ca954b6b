#include "trace/statistics/statistics.h"

#include <assert.h>
#include <stdbool.h>

static uint64_t accesses_of(const struct trace_summary *summary, enum trace_space space) {
  uint64_t count = 0;
  for (int d = 0; d < DIRECTION_COUNT; d++)
    count += summary->traffic[space][d].accesses;
  return count;
}

static void count_classes(const struct trace_summary *summary, struct statistics *out) {
  for (int c = 0; c < OP_CLASS_COUNT; c++)
    out->instructions += c != OP_MOVE ? summary->operations[c] : 0;
  out->control_flow = summary->operations[OP_BRANCH];
  out->queries = summary->operations[OP_QUERY];
  out->barriers = summary->operations[OP_BARRIER];
  out->global_memory = accesses_of(summary, SPACE_GLOBAL);
  out->constant_memory = accesses_of(summary, SPACE_CONSTANT);
  out->local_memory = accesses_of(summary, SPACE_LOCAL);
  out->private_memory = accesses_of(summary, SPACE_PRIVATE);
  out->arithmetic = out->instructions - out->control_flow - out->queries - out->barriers -
                    summary->operations[OP_LOAD] - summary->operations[OP_STORE] - summary->operations[OP_ATOMIC];
}

static bool runs_apart(const struct trace_shape *shape, uint32_t first, uint32_t end) {
  for (uint32_t i = first + 1; i < end; i++)
    if (shape->cohort_of_item[i] != shape->cohort_of_item[first])
      return true;
  return false;
}

/* Counts warps. A warp consists of neighbours by flattened local id; the last one of a work-group may be smaller. */
static void count_warps(const struct trace *trace, const struct trace_summary *summary, struct statistics *out) {
  const uint32_t items = trace_local_size(&trace->header);
  for (uint32_t s = 0; s < trace->shape_count; s++) {
    trace_shape_read(trace, s);
    const struct trace_shape *shape = trace->shapes[s];
    const uint64_t groups = summary->groups_of_shape[s];
    for (uint32_t first = 0; first < items; first += out->warp_size) {
      const uint32_t end = items - first < out->warp_size ? items : first + out->warp_size;
      out->warps += groups;
      out->divergent_warps += shape->cohort_count > 1 && runs_apart(shape, first, end) ? groups : 0;
    }
    /* All work-items of a work-group pass the same number of barriers, so the first cohort's number is that of all. */
    out->barriers_hit += groups * trace->paths[shape->cohorts[0].path]->barrier_executions;
  }
}

void statistics_compute(const struct trace *trace, const struct trace_summary *summary, uint32_t warp_size,
                        struct statistics *out) {
  assert(warp_size >= 1 && warp_size <= STATISTICS_MAX_WARP);
  *out = (struct statistics){.warp_size = warp_size,
                             .work_groups = trace->group_count,
                             .work_items = (uint64_t)trace->group_count * trace_local_size(&trace->header),
                             .pages_touched = summary->pages};
  for (uint32_t b = 0; b < trace->code.block_count; b++)
    out->blocks += summary->blocks[b];
  count_classes(summary, out);
  count_warps(trace, summary, out);
  out->divergence_percentage = out->warps > 0 ? 100.0 * (double)out->divergent_warps / (double)out->warps : 0;
}
