/* Observes one replay: the events of every execution engine in time, the occupancy of the cores, the cache results of
 * every memory operation; and passes every line that a cache looks up to a function of the caller.
 *
 *   struct observer observer = {.span_limit = 1000};
 *   simulate_observed(trace, isa, spec, &observer, &result, &error);   // ... read it ...
 *   observer_clear(&observer);
 *
 * A replay without an observer costs nothing more. An event takes the free engine with the lowest number. Times are
 * ticks (TICKS_PER_CYCLE). Ownership: the caller clears; simulate_observed fills, also when it fails. Memory: for each
 * core OBSERVER_BINS and span_limit spans of 40 bytes. Cost: O(engines) an event. Threads: one. */
#ifndef MODEL_OBSERVER_H
#define MODEL_OBSERVER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/replay/hooks.h"
#include "trace/code.h"

#define OBSERVER_BINS 64 /* largest number of bins; each is a power of two of ticks long */

enum span_kind { SPAN_RUN, SPAN_ACCESS, SPAN_BARRIER, SPAN_WAIT, SPAN_GROUP };

/* RUN, ACCESS, BARRIER: a warp on an engine. WAIT: a warp between two of these. GROUP: a work-group on the core. */
struct observed_span {
  uint64_t begin, end;
  uint32_t group, warp; /* work-group; number of the warp in it, 0 for GROUP */
  uint32_t track;       /* engine; place of the resident warp; place of the resident work-group */
  uint32_t op;          /* ACCESS, BARRIER: the operation; WAIT: that of the event before, TRACE_NO_OP: a run */
  uint8_t kind;         /* enum span_kind */
};

struct observed_warp { /* a resident warp */
  uint64_t since;      /* time at which its event began, or ended */
  uint32_t group, engine, op;
  uint8_t kind;
  bool started;
};

struct observed_core {
  uint64_t *busy; /* [engines] ticks */
  bool *taken;    /* [engines] */
  struct observed_warp *warps;
  uint64_t *group_since; /* [places of work-groups] */
  uint64_t items, since, bin_ticks, bins[OBSERVER_BINS];
  uint64_t resident; /* work-items times ticks */
  struct observed_span *spans;
  size_t span_count, span_capacity;
  uint64_t left_out; /* number of spans beyond the limit */
};

/* The results of a memory operation: its share of the counters of the levels (model/result/counters.h), and the ticks
 * that warps waited for its accesses, from issue to end; or of a barrier: the ticks that warps waited behind it, until
 * their next event. */
struct observed_op {
  uint64_t accesses, l1_misses, l2_accesses, l2_misses, waited;
  uint64_t executed;     /* accesses of warps */
  uint64_t transactions; /* of these accesses; at a port beside the load/store unit: passes */
  uint64_t
      least;    /* transactions (at a scratchpad: passes) that their bytes need if the warps' work-items lie together */
  uint8_t port; /* of the last access: STACK_local, STACK_uniform; STACK_issue: the load/store unit */
};

/* A line that L1 or L2 looks up. At L2, a line that an access carries along is a load (of a line that L1 allocates for
 * a store) or a store (of a dirty line that L1 evicts). */
struct observed_line {
  uint32_t level; /* 1 or 2 */
  uint32_t core;
  uint32_t line; /* address / line size */
  enum trace_op_class op_class;
};

struct observer {
  size_t span_limit; /* largest number of spans of a core; 0: no spans are kept */
  /* Called for each line before the level answers, in each L1's own order, and in the order in which L2 serves. May be
   * NULL. */
  void (*line)(void *context, const struct observed_line *line);
  void *context;
  uint32_t core_count, engine_count, group_place_count, warps_per_group, group_items, op_count;
  uint32_t transaction_bytes, pass_bytes; /* largest bytes of one transaction, and of one pass through the banks */
  uint64_t ticks;                         /* ticks of the whole kernel */
  const struct trace_code *code;          /* code that the replay executes; borrowed, NULL after its end */
  struct observed_core *cores;
  struct observed_op *ops; /* [op_count] */
  bool out_of_memory;      /* whether some spans are missing */
};

void observer_clear(struct observer *observer);

/* Writes the mean number of work-items resident on the core in each bin of *bin_ticks ticks, the same for all cores.
 * Returns the number of bins that the kernel takes; the last one may end behind it. */
size_t observer_occupancy(const struct observer *observer, uint32_t core, double items[OBSERVER_BINS],
                          uint64_t *bin_ticks);

/* Returns the hooks by which the observer follows a replay. */
struct replay_hooks observer_hooks(struct observer *observer);

#endif
