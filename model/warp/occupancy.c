#include "model/warp/occupancy.h"

#include <math.h>

#include "model/isa/spill.h"

static uint64_t group_registers(const struct trace *trace, const struct gpu_spec *spec) {
  return (uint64_t)spill_registers(&trace->header, spec) * trace_local_size(&trace->header);
}

/* Returns the registers that the compiler gives to a work-item whose values fill `values`: more than these, but no more
 * than a work-item may have and than lets one work-group fit onto a core. */
static uint64_t taken_registers(const struct trace_header *header, const struct gpu_spec *spec, uint64_t values) {
  const uint64_t share = (uint64_t)spec->registers_per_core / trace_local_size(header),
                 most = (uint64_t)spill_most_registers(header, spec), limit = most > 0 && most < share ? most : share,
                 unit = (uint64_t)spec->register_unit;
  uint64_t taken = (uint64_t)ceil((double)values * spec->register_ratio);
  taken = taken < limit ? taken : limit;
  taken = taken > values ? taken : values;
  const uint64_t rounded = (taken + unit - 1) / unit * unit;
  return rounded <= share ? rounded : taken;
}

/* Returns the work-groups whose registers fit onto a core; at least one, where its values do. */
static uint64_t limit_of_registers(const struct trace *trace, const struct gpu_spec *spec) {
  const uint64_t values = spill_registers(&trace->header, spec), items = trace_local_size(&trace->header),
                 warp = (uint64_t)spec->warp_size, parts = (uint64_t)spec->register_parts;
  if (spec->registers_per_core == 0 || values == 0)
    return UINT64_MAX;
  const uint64_t taken = taken_registers(&trace->header, spec, values);
  const uint64_t together = (uint64_t)spec->registers_per_core / (taken * items);
  if (parts == 1)
    return together;
  const uint64_t warps = (uint64_t)spec->registers_per_core / parts / (taken * warp) * parts;
  const uint64_t groups = warps / ((items + warp - 1) / warp);
  return groups > 0 || together == 0 ? groups : 1;
}

/* Returns the work-groups whose local memory fits into a core's scratchpad. */
static uint64_t limit_of_scratchpad(const struct trace *trace, const struct gpu_spec *spec) {
  if (spec->local_memory != LOCAL_SCRATCHPAD || spec->scratchpad_bytes == 0 || trace->header.local_bytes == 0)
    return UINT64_MAX;
  return (uint64_t)spec->scratchpad_bytes / trace->header.local_bytes;
}

/* Returns the work-groups that fit on a core by threads, registers and the spec's own limit. */
static uint64_t groups_without_scratchpad(const struct trace *trace, const struct gpu_spec *spec) {
  uint64_t slots = (uint64_t)spec->threads_per_core / trace_local_size(&trace->header);
  const uint64_t by_registers = limit_of_registers(trace, spec);
  if (spec->work_groups_per_core > 0 && slots > (uint64_t)spec->work_groups_per_core)
    slots = (uint64_t)spec->work_groups_per_core;
  return slots < by_registers ? slots : by_registers;
}

uint32_t occupancy_groups(const struct trace *trace, const struct gpu_spec *spec) {
  uint64_t slots = groups_without_scratchpad(trace, spec);
  if (limit_of_scratchpad(trace, spec) < slots)
    slots = limit_of_scratchpad(trace, spec);
  if (slots > trace->group_count)
    slots = trace->group_count;
  return (uint32_t)slots;
}

/* Returns the bytes of the scratchpad in the memory that it shares with L1. */
static int64_t scratchpad_part(const struct trace *trace, const struct gpu_spec *spec) {
  uint64_t groups = groups_without_scratchpad(trace, spec);
  const uint64_t launched = trace_launch_groups(&trace->header);
  if (groups > launched)
    groups = launched;
  const int64_t needed = (int64_t)(groups * trace->header.local_bytes);
  int64_t part = spec->scratchpad_least_bytes;
  while (part < needed)
    part = part > 0 ? 2 * part : spec->line_bytes;
  return part < spec->scratchpad_bytes ? part : spec->scratchpad_bytes;
}

/* Returns the largest number of tags, up to `lines`, that fills the sets of L1; the hash of set numbers needs a power
 * of two of sets. */
static int64_t whole_sets(const struct gpu_spec *spec, int64_t lines) {
  int64_t sets = lines / spec->l1_ways, power = 1;
  if (spec->l1_model == CACHE_REUSE_DISTANCE)
    return lines;
  while (2 * power <= sets)
    power *= 2;
  return (spec->l1_index_hash ? power : sets) * spec->l1_ways;
}

int64_t occupancy_l1_bytes(const struct trace *trace, const struct gpu_spec *spec) {
  if (spec->local_memory != LOCAL_SCRATCHPAD || spec->scratchpad_l1_bytes == 0)
    return spec->l1_bytes;
  const int64_t tag = spec->line_bytes * spec->tag_lines;
  return whole_sets(spec, (spec->scratchpad_l1_bytes - scratchpad_part(trace, spec)) / tag) * tag;
}

int occupancy_check(const struct trace *trace, const struct gpu_spec *spec, struct error *error) {
  uint32_t items = trace_local_size(&trace->header);
  if (items > spec->max_work_group)
    return error_at(error, ERROR_INPUT, "", 0, 0, "max_work_group",
                    "kernel '%s' has work-groups of %u work-items, this GPU accepts at most %lld (max_work_group)",
                    trace->header.kernel, items, (long long)spec->max_work_group);
  if (items > spec->threads_per_core)
    return error_at(error, ERROR_INPUT, "", 0, 0, "threads_per_core",
                    "kernel '%s' has work-groups of %u work-items, a core of this GPU holds %lld (threads_per_core)",
                    trace->header.kernel, items, (long long)spec->threads_per_core);
  if (spec->registers_per_core > 0 && group_registers(trace, spec) > (uint64_t)spec->registers_per_core)
    return error_at(error, ERROR_INPUT, "", 0, 0, "registers_per_core",
                    "kernel '%s' has work-groups of %u work-items with %u registers each, a core of this GPU has %lld "
                    "(registers_per_core)",
                    trace->header.kernel, items, spill_registers(&trace->header, spec),
                    (long long)spec->registers_per_core);
  if (limit_of_scratchpad(trace, spec) == 0)
    return error_at(error, ERROR_INPUT, "", 0, 0, "scratchpad_bytes",
                    "kernel '%s' has work-groups with %u bytes of local memory, a core of this GPU has %lld",
                    trace->header.kernel, trace->header.local_bytes, (long long)spec->scratchpad_bytes);
  return 0;
}
