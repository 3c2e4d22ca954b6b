/* The reference replay's spilled values: the share of the results of a run that has no register is loaded and
 * stored. */
#ifndef SUPPORT_REFERENCE_SPILL_H
#define SUPPORT_REFERENCE_SPILL_H

#include "reference_gpu.h"

/* Returns the registers of a work-item. */
static inline uint32_t reference_wanted_registers(const struct reference_gpu *g) {
  const struct trace_header *h = &g->trace->header;
  if (g->spec->late_local_loads || h->early_load_registers == 0)
    return h->registers;
  return h->early_load_registers;
}

static inline uint32_t reference_registers(const struct reference_gpu *g) {
  const uint32_t wanted = reference_wanted_registers(g);
  uint32_t most = (uint32_t)g->spec->registers_per_item;
  while (most > 1 && g->spec->registers_per_core > 0 &&
         most * trace_local_size(&g->trace->header) > (uint64_t)g->spec->registers_per_core)
    most--; /* until a work-group fits */
  return most && wanted > most ? most : wanted;
}

/* Returns whether the registers of so many work-groups fit: warps go to the parts in turn, and the fullest part counts.
 * One work-group always fits whose values do. */
static inline bool reference_registers_fit(const struct reference_gpu *g, uint64_t groups) {
  const struct gpu_spec *s = g->spec;
  const uint64_t items = trace_local_size(&g->trace->header), values = reference_registers(g),
                 parts = s->register_parts;
  uint64_t taken = values, lanes = 0;
  if (s->registers_per_core == 0 || values == 0 || groups == 0)
    return true;
  while ((double)taken < (double)values * s->register_ratio && (taken + 1) * items <= (uint64_t)s->registers_per_core &&
         (s->registers_per_item == 0 || taken < (uint64_t)s->registers_per_item))
    taken++;
  uint64_t rounded = taken;
  while (rounded % (uint64_t)s->register_unit != 0)
    rounded++;
  taken = rounded * items <= (uint64_t)s->registers_per_core ? rounded : taken;
  if (parts == 1 || groups == 1)
    return groups * taken * items <= (uint64_t)s->registers_per_core;
  for (uint64_t group = 0, warp = 0; group < groups; group++)
    for (uint64_t item = 0; item < items; item += (uint64_t)s->warp_size, warp++)
      lanes += warp % parts == 0 ? (uint64_t)s->warp_size : 0;
  return lanes * taken <= (uint64_t)s->registers_per_core / parts;
}

/* Returns the bytes of L1: one memory less the part of the scratchpad, where they share one. Work-groups that threads,
 * registers or the spec refuse need no local memory. */
static inline int64_t reference_l1_bytes(const struct reference_gpu *g) {
  const struct gpu_spec *s = g->spec;
  const int64_t items = (int64_t)trace_local_size(&g->trace->header);
  int64_t groups = 0, part = s->scratchpad_least_bytes;
  if (s->local_memory != LOCAL_SCRATCHPAD || s->scratchpad_l1_bytes == 0)
    return s->l1_bytes;
  while (groups < (int64_t)trace_launch_groups(&g->trace->header) && (groups + 1) * items <= s->threads_per_core &&
         (s->work_groups_per_core == 0 || groups < s->work_groups_per_core) &&
         reference_registers_fit(g, (uint64_t)groups + 1))
    groups++;
  while (part < groups * (int64_t)g->trace->header.local_bytes)
    part = part == 0 ? s->line_bytes : part + part;
  part = part > s->scratchpad_bytes ? s->scratchpad_bytes : part;
  const int64_t tag = s->line_bytes * s->tag_lines;
  int64_t sets = (s->scratchpad_l1_bytes - part) / tag;
  if (s->l1_model == CACHE_REUSE_DISTANCE)
    return sets * tag;
  sets /= s->l1_ways;
  while (s->l1_index_hash && (sets & (sets - 1)) != 0)
    sets &= sets - 1; /* rounds down to a power of two */
  return sets * s->l1_ways * tag;
}

/* Returns the ticks for which a spilled value of a warp occupies the pipe: a pass, or its way from or to L2 if that is
 * longer. Stores go there if L1 writes through, and loads of the part that exceeds L1. */
static inline uint64_t reference_spill_pass(const struct reference_gpu *g, uint64_t spilled) {
  const struct gpu_spec *s = g->spec;
  const double mine = s->l2_bytes_per_cycle / (double)s->cores, link = s->l1_l2_bytes_per_cycle;
  const double held = 4.0 * (double)(g->slots * trace_local_size(&g->trace->header)) * (double)spilled;
  const double fits = held == 0 || (s->l1_enabled && held <= (double)s->l1_bytes);
  const double stored = s->l1_write == L1_WRITE_THROUGH ? 1 : 1 - fits;
  const double rate = link == 0 ? mine : mine == 0 ? link : fmin(mine, link);
  const double cycles = rate == 0 ? 0 : 4.0 * (double)s->warp_size * (1 - fits + stored) / 2 / rate;
  const uint64_t pass = reference_max(reference_rate_ticks(1, s->lsu_transactions_per_cycle), reference_least(s));
  return reference_max(reference_ticks(cycles), pass + reference_more(s));
}

/* Returns the ticks by which a run of so many slots takes its engine longer than `held`. */
static inline uint64_t reference_spill(struct reference_gpu *g, uint32_t id, uint64_t slots, uint64_t held) {
  const uint64_t wanted = reference_wanted_registers(g), spilled = wanted - reference_registers(g);
  const uint64_t share = wanted ? spilled * 1048576 / wanted : 0, accesses = slots * share / 1048576 * (3 + 1);
  uint64_t *pipe = &g->cores[id].way.pipe_free, longer = reference_run_ticks(g, accesses);
  if (share > 0 && reference_pipe_is_shared(g->spec)) {
    *pipe = reference_max(*pipe, g->now) + accesses * reference_spill_pass(g, spilled) / 1024;
    longer = reference_max(g->now + held + longer, *pipe) - g->now - held;
  }
  g->result->stacks[id][R_LSU] += longer;
  return longer;
}

#endif
