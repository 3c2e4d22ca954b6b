/* Listens to one replay: what every execution engine did when, how full the cores were, what every memory operation
 * met; and, to a function of the caller, every line that the caches are asked for.
 *
 *   struct observer observer = {.span_limit = 1000};
 *   simulate_observed(trace, isa, spec, &observer, &result, &error);   // ... read it ...
 *   observer_clear(&observer);
 *
 * The replay loop calls it only where it is given one; without one it costs nothing. Engines are numbered by the lowest
 * free one at the time. Times are ticks (TICKS_PER_CYCLE). Ownership: the caller clears; simulate_observed fills, also
 * when it fails. Memory: per core OBSERVER_BINS and span_limit spans of 40 bytes. Cost: O(engines) an event. Threads:
 * one.
 */
#ifndef MODEL_OBSERVER_H
#define MODEL_OBSERVER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/replay/hooks.h"
#include "trace/code.h"

#define OBSERVER_BINS 64 /* at most; each a power of two of ticks long */

enum span_kind { SPAN_RUN, SPAN_ACCESS, SPAN_BARRIER, SPAN_WAIT, SPAN_GROUP };

/* RUN, ACCESS, BARRIER: a warp on an engine. WAIT: a warp between two of these. GROUP: a work-group on the core. */
struct observed_span {
  uint64_t begin, end;
  uint32_t group, warp; /* work-group; number of the warp in it, 0 for GROUP */
  uint32_t track;       /* engine; place of the resident warp; place of the resident work-group */
  uint32_t op;          /* ACCESS, BARRIER: the operation; WAIT: that of the event before, TRACE_NO_OP: a run */
  uint8_t kind;         /* enum span_kind */
};

struct observed_warp { /* resident */
  uint64_t since;      /* its event began, or ended */
  uint32_t group, engine, op;
  uint8_t kind;
  bool started;
};

struct observed_core {
  uint64_t *busy; /* [engines] ticks */
  bool *taken;    /* [engines] */
  struct observed_warp *warps;
  uint64_t *group_since; /* [slots] */
  uint64_t items, since, bin_ticks, bins[OBSERVER_BINS];
  uint64_t resident; /* work-items times ticks */
  struct observed_span *spans;
  size_t span_count, span_capacity;
  uint64_t left_out; /* spans beyond the limit */
};

/* A memory operation: its share of what the levels count (model/result/counters.h), and what warps waited for its
 * accesses, from their issue to their end. A barrier: what warps waited behind it, until their next event. */
struct observed_op {
  uint64_t accesses, l1_misses, l2_accesses, l2_misses, waited;
  uint64_t executed;     /* accesses of warps */
  uint64_t transactions; /* of these accesses; at a port beside the load/store unit: passes */
  uint64_t
      least;    /* transactions (at a scratchpad: passes) that their bytes need if the warps' work-items lie together */
  uint8_t port; /* of the last access: STACK_local, STACK_uniform; STACK_issue: the load/store unit */
};

/* A line that L1 or L2 is asked for. L2: what an access carries along is a load (of a line that L1 allocates for a
 * store) or a store (of a dirty one that L1 gives up). */
struct observed_line {
  uint32_t level; /* 1, 2 */
  uint32_t core;
  uint32_t line; /* address / line size */
  enum trace_op_class op_class;
};

struct observer {
  size_t span_limit; /* of a core; 0: no spans are kept */
  /* Told each line before the level answers: L1s each in its own order, L2 in the order in which it serves. NULL:
   * nobody. */
  void (*line)(void *context, const struct observed_line *line);
  void *context;
  uint32_t core_count, engine_count, slot_count, warps_per_group, group_items, op_count;
  uint32_t transaction_bytes, pass_bytes; /* that one transaction, or one pass through the banks, can carry */
  uint64_t ticks;                         /* of the whole kernel */
  const struct trace_code *code;          /* that the replay executes, borrowed and forgotten at its end */
  struct observed_core *cores;
  struct observed_op *ops; /* [op_count] */
  bool out_of_memory;      /* some spans are missing */
};

void observer_clear(struct observer *observer);

/* Mean work-items resident on the core in each bin of *bin_ticks ticks, the same for all cores. Returns how many bins
 * the kernel takes; the last one may end behind it. */
size_t observer_occupancy(const struct observer *observer, uint32_t core, double items[OBSERVER_BINS],
                          uint64_t *bin_ticks);

/* Returns the hooks of a replay that the observer listens to. */
struct replay_hooks observer_hooks(struct observer *observer);

#endif
