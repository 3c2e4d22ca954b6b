/* The reference replay's spilled values: of the results of a run, the share that has no register is loaded and stored. */
#ifndef SUPPORT_REFERENCE_SPILL_H
#define SUPPORT_REFERENCE_SPILL_H

#include "reference_gpu.h"

/* Of a work-item. */
static inline uint32_t reference_registers(const struct reference_gpu *g) {
  uint32_t wanted = g->trace->header.registers;
  return g->spec->registers_per_item && wanted > g->spec->registers_per_item ? (uint32_t)g->spec->registers_per_item
                                                                             : wanted;
}

/* How much longer than `held` a run of so many slots takes its engine. */
static inline uint64_t reference_spill(struct reference_gpu *g, uint32_t id, uint64_t slots, uint64_t held) {
  const uint64_t wanted = g->trace->header.registers, spilled = wanted - reference_registers(g);
  const uint64_t share = wanted ? spilled * 1048576 / wanted : 0, accesses = slots * share / 1048576 * 2;
  uint64_t *pipe = &g->cores[id].way.pipe_free, longer = reference_run_ticks(g, accesses);
  if (share > 0 && reference_pipe_is_shared(g->spec)) {
    *pipe =
        reference_max(*pipe, g->now) + accesses * reference_rate_ticks(1, g->spec->lsu_transactions_per_cycle) / 1024;
    longer = reference_max(g->now + held + longer, *pipe) - g->now - held;
  }
  g->result->stacks[id][R_LSU] += longer;
  return longer;
}

#endif
