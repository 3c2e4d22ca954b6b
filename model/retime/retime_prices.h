/* The costs of the classes of a recording on one GPU: how long each holds an execution engine and how long its warp
 * then waits; and the cycle stack of all busy engines, which does not depend on the times of events.
 *
 * They are computed for many GPUs one after the other: costs that do not depend on caches are computed again only when
 * a latency differs. Unit: ticks. Ownership: retime_prices_clear frees. Cost: O(classes). Threads: one. */
#ifndef MODEL_RETIME_PRICES_H
#define MODEL_RETIME_PRICES_H

#include "model/result/cycle_stack.h"
#include "model/retime/event_columns.h"
#include "model/params/gpu.h"

/* Ticks of each unit, rounded as in the exact replay; 0 where no event of the recording has the unit. */
struct retime_rates {
  uint64_t blocking;          /* whether engines wait for accesses; else warps do, without an engine */
  uint64_t queued;            /* whether accesses queue */
  uint64_t round;             /* of a round of an atomic */
  uint64_t arith;             /* cycles of a slot, in 2^-20 */
  uint64_t transaction_slots; /* price of issuing a transaction, in 1/1024 issue slot */
  uint64_t store, l1, barrier;
  uint64_t l2, dram;
};

/* The counts of a level of caches: lines looked up, and those that missed. */
struct level_counts {
  uint64_t accesses, misses;
};

/* The lines that all events move, by their patterns. */
struct pattern_traffic {
  uint64_t to_l2, from_l2;        /* lines from L1 to L2; from L2 to L1 */
  uint64_t l1_evicted, l2_pushed; /* dirty lines that leave L1; that leave L2 */
  uint64_t misses, reads, writes; /* misses of L2; lines read from memory; written to memory */
};

struct retime_prices {
  struct event_costs costs;
  uint64_t longest;                /* largest sum of costs.engine and the wait of the warp behind it */
  tick_sum stack[SIM_STACK_COUNT]; /* ticks of busy engines of all events */
  struct level_counts l1, l2;
  struct pattern_traffic traffic; /* used where patterns are recorded */
  /* The following members are private. */
  const struct event_classes *classes;
  const struct event_columns *columns;
  const struct recorded_patterns *recorded; /* of the recording; NULL: patterns follow from counts, and are in `made` */
  struct recorded_patterns made;
  struct pattern_line *made_lines;      /* lines of the present pattern */
  struct retime_rates rates;            /* rates of the last GPU */
  uint64_t *base;                       /* [count]: busy ticks (blocking) or memory latency, without those behind L1 */
  tick_sum base_stack[SIM_STACK_COUNT]; /* the part of `stack` without costs behind L1 */
  uint32_t *atomic_lines;               /* [count]: lines of atomics, which go to L2 in any case and wait for it */
  uint16_t *awaited;                    /* [count]: all bits set if a warp waits for misses, else 0 */
  uint64_t store_lines, l1_lines, atomics, barriers;
};

/* Prepares prices. `patterns` are those of the recording, or NULL if it has none. Returns false when out of memory. */
bool retime_prices_init(struct retime_prices *prices, const struct event_classes *classes,
                        const struct event_columns *columns, const struct recorded_patterns *patterns);
void retime_prices_clear(struct retime_prices *prices);
/* Returns the rates that determine times on a GPU whose caches have these columns. */
struct retime_rates retime_rates_of(const struct retime_prices *prices, const struct gpu_spec *spec, uint32_t l1,
                                    uint32_t l2);
/* Returns whether all rates are equal except those behind L1. */
bool retime_rates_same_base(const struct retime_rates *a, const struct retime_rates *b);
/* Sets the prices to those of a GPU. `patterns` is their column, where they were recorded. */
void retime_prices_set(struct retime_prices *prices, const struct gpu_spec *spec, uint32_t l1, uint32_t l2,
                       uint32_t patterns);

#endif
