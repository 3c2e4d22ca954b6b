/* The result of the simulation of one kernel: cycles, cycle stacks, counts of caches, queues and source lines.
 *
 * Ownership: simulate fills a struct sim_result, sim_result_clear frees it. Units: cycles, bytes and counts as each
 * field says. */
#ifndef MODEL_RESULT_H
#define MODEL_RESULT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/result/counters.h"
#include "model/result/queues.h"

/* The components of the cycles of all cores, which add up to the kernel's cycles exactly. A row is X(field, "name",
 * "meaning"). */
#define SIM_STACK_COMPONENTS(X)                                                                                        \
  X(issue, "issue", "execution engines issue work that the work-items asked for")                                      \
  X(divergence, "divergence", "issue slots spent again because items of a warp took different paths")                  \
  X(pipe, "pipe", "waiting for the pipes that execute a run's operations behind their issue")                          \
  X(store, "store", "execution engines hand over stores")                                                              \
  X(lsu, "lsu", "waiting for a place among the accesses that may be in flight")                                        \
  X(l1, "l1", "waiting for L1 hits")                                                                                   \
  X(local, "local", "waiting for local memory that is a scratchpad")                                                   \
  X(uniform, "uniform", "waiting for the port of loads that read one address")                                         \
  X(l2, "l2", "waiting for L2 hits (L1 misses)")                                                                       \
  X(dram, "dram", "waiting for memory behind L2")                                                                      \
  X(bandwidth, "bandwidth", "accesses queue at L2 and at the memory behind it")                                        \
  X(atomic, "atomic", "atomics wait for each other: of one warp on one address, or at a slice of L2")                  \
  X(translation, "translation", "waiting for translations of addresses that the TLB of a core does not have")          \
  X(barrier, "barrier", "barriers: their cost and waiting for the rest of the work-group")                             \
  X(fetch, "fetch", "execution engines wait for instructions")                                                         \
  X(launch, "launch", "kernel launch and work-group dispatch")                                                         \
  X(idle, "idle", "execution engine or core without work while others run (tail, too few warps)")

/* The components that a warp without an engine may wait for, the slowest first: the time of an idle engine belongs to
 * the first one that a warp of its core waits for. */
#define SIM_WAITS_SLOWEST_FIRST(X)                                                                                     \
  X(dram)                                                                                                              \
  X(bandwidth) X(atomic) X(translation) X(l2) X(l1) X(local) X(uniform) X(lsu) X(pipe) X(store) X(barrier) X(launch)

struct sim_stack {
#define X(field, name, meaning) double field;
  SIM_STACK_COMPONENTS(X)
#undef X
};

struct sim_queues { /* in cycles */
#define X(field, name, meaning) double field;
  SIM_QUEUES(X)
#undef X
};

struct sim_line { /* cost of a source line, in the unit of the stack */
  uint32_t line;
  struct sim_stack stack;
};

struct sim_op { /* cost of an operation of the code table, in the unit of the stack */
  double slots; /* issue slots of one execution */
  struct sim_stack stack;
};

struct sim_result {
  bool approximate; /* timed from a recording (retime_record.h): differs from the result of simulate */
  /* simulate_sampled, and sampled launches: a part was replayed, the rest is estimated. Cycles of an exact replay lie
   * between cycles * (1 - error_bound) and cycles * (1 + error_bound); the other numbers are estimated too, without a
   * bound. */
  bool estimated;
  double replayed_share;                  /* share of the work-items' work that was replayed; 1: all, exactly */
  double error_bound;                     /* 0: exact */
  uint32_t sampled_groups, launch_groups; /* of a sampled launch: work-groups in the trace, and in the launch; else 0 */
  double cycles, time_ns;
  uint64_t work_item_instructions, warp_instructions;
  uint64_t warp_events; /* runs, accesses and barriers that execution engines began; 0: timed from a recording */
  double issue_slots;
  struct sim_stack stack;        /* average over all execution engines; sums to `cycles` */
  struct sim_stack *core_stacks; /* [cores]; each sums to `cycles` */
  size_t core_count;
  struct sim_counters counters;
  struct sim_queues queues;
  double simd_efficiency; /* active lanes divided by lanes, over all warp operations */
  struct sim_line *lines; /* by source line, ascending */
  size_t line_count;
  struct sim_op *ops; /* by operation of the trace's code; a line is the sum of its operations */
  size_t op_count;
};

void sim_result_clear(struct sim_result *result);
/* Returns a copy without what belongs to the result: stacks of cores, lines, operations. It need not be cleared. */
struct sim_result sim_result_totals(const struct sim_result *result);

/* The names of the components, and their values in the same order, for tables and JSON. */
#define X(field, name, meaning) +1
enum { SIM_STACK_COUNT = 0 SIM_STACK_COMPONENTS(X) };
#undef X
extern const char *const sim_stack_names[SIM_STACK_COUNT];
void sim_stack_values(const struct sim_stack *stack, double values[SIM_STACK_COUNT]);

#endif
