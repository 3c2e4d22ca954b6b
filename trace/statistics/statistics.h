/* Functional statistics of a launch: what its work-items did, and how many warps of a given size would have diverged.
 *
 * Units: counts over all work-items, unless a row says otherwise. Nothing is timed; of a GPU only the warp size
 * matters.
 * Errors: none. Cost: linear in shapes times work-items of a work-group, beside the summary.
 * Source: Kaszyk, PhD thesis (Edinburgh), table 5.2, without the rows that need machine code or an operating system
 * (NOPs, clauses, register file reads, control registers, interrupts). docs/statistics.md defines every row. */
#ifndef TRACE_STATISTICS_H
#define TRACE_STATISTICS_H

#include <stdint.h>

#include "trace/statistics/summary.h"

#define STATISTICS_MAX_WARP 1024

/* A row of the counts is X(field, "name", "meaning"). */
#define STATISTICS_COUNTS(X)                                                                                           \
  X(instructions, "instructions", "operations executed, moves not counted")                                            \
  X(arithmetic, "arithmetic", "integer, float, conversion, selection, vector, address, built-in function")             \
  X(control_flow, "control_flow", "branches, switches, returns")                                                       \
  X(queries, "queries", "work-item queries")                                                                           \
  X(barriers, "barriers", "barrier operations of work-items")                                                          \
  X(global_memory, "global_memory", "loads, stores and atomics of global memory")                                      \
  X(constant_memory, "constant_memory", "loads of constant memory")                                                    \
  X(local_memory, "local_memory", "loads, stores and atomics of local memory")                                         \
  X(private_memory, "private_memory", "loads and stores of private memory (arrays, spills)")                           \
  X(blocks, "blocks", "basic blocks executed")                                                                         \
  X(work_items, "work_items", "work-items of the launch")                                                              \
  X(work_groups, "work_groups", "work-groups of the launch")                                                           \
  X(barriers_hit, "barriers_hit", "barriers that work-groups came through, each once for a work-group")                \
  X(warps, "warps", "warps of the given size, partial ones at the ends of work-groups too")                            \
  X(divergent_warps, "divergent_warps", "warps whose work-items ran different paths")                                  \
  X(pages_touched, "pages_touched", "pages of 4 KiB of the buffers that were read or written")

struct statistics {
#define X(field, name, meaning) uint64_t field;
  STATISTICS_COUNTS(X)
#undef X
  uint32_t warp_size;
  double divergence_percentage; /* share of divergent_warps in all warps, in percent */
};

/* Computes the statistics of a trace for warps of `warp_size` work-items, 1 to STATISTICS_MAX_WARP. `summary` is that
 * of the same trace. */
void statistics_compute(const struct trace *trace, const struct trace_summary *summary, uint32_t warp_size,
                        struct statistics *out);

#endif
