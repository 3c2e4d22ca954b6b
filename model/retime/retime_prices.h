/* What the classes of a recording cost on one GPU: how long each holds an execution engine and how long its warp then
 * waits; and, because that does not depend on when an event comes, where the engines' busy time goes in sum.
 *
 * For many GPUs one after the other: what does not depend on caches is found again only when a latency is another.
 * Unit: ticks. Ownership: retime_prices_clear frees. Cost: O(classes). Threads: one. */
#ifndef MODEL_RETIME_PRICES_H
#define MODEL_RETIME_PRICES_H

#include "model/result/cycle_stack.h"
#include "model/retime/event_columns.h"
#include "model/params/gpu.h"

/* Ticks per unit, as the exact replay rounds them; 0 where no event of the recording has the unit. */
struct retime_rates {
  uint64_t blocking;          /* engines wait for accesses; else warps do, without an engine */
  uint64_t queued;            /* accesses queue */
  uint64_t round;             /* of an atomic */
  uint64_t arith;             /* cycles per slot, in 2^-20 */
  uint64_t transaction_slots; /* for issuing one: 1/1024 issue slot */
  uint64_t store, l1, barrier;
  uint64_t l2, dram;
};

/* What a level of caches counts: lines looked up, and of these not found. */
struct level_counts {
  uint64_t accesses, misses;
};

/* Lines that all events move, by their patterns. */
struct pattern_traffic {
  uint64_t to_l2, from_l2;        /* between L1 and L2 */
  uint64_t l1_evicted, l2_pushed; /* dirty lines that leave L1, L2 */
  uint64_t misses, reads, writes; /* of L2; of memory */
};

struct retime_prices {
  struct event_costs costs;
  uint64_t longest;                /* of costs.engine and what warps wait behind that */
  tick_sum stack[SIM_STACK_COUNT]; /* of all events: busy engines */
  struct level_counts l1, l2;
  struct pattern_traffic traffic; /* where patterns are told apart */
  /* Private: */
  const struct event_classes *classes;
  const struct event_columns *columns;
  const struct recorded_patterns *recorded; /* of the recording; NULL: patterns follow from counts, and are in: */
  struct recorded_patterns made;
  struct pattern_line *made_lines;      /* of the pattern at hand */
  struct retime_rates rates;            /* of the last GPU */
  uint64_t *base;                       /* [count]: busy (blocking) or memory, without what comes behind L1 */
  tick_sum base_stack[SIM_STACK_COUNT]; /* the same of `stack` */
  uint32_t *atomic_lines;               /* [count]: those that go to L2 in any case and wait for it */
  uint16_t *awaited;                    /* [count]: all bits, where somebody waits for misses */
  uint64_t store_lines, l1_lines, atomics, barriers;
};

/* `patterns` of the recording; NULL: it does not tell them apart. Returns false when memory has run out. */
bool retime_prices_init(struct retime_prices *prices, const struct event_classes *classes,
                        const struct event_columns *columns, const struct recorded_patterns *patterns);
void retime_prices_clear(struct retime_prices *prices);
/* What decides about times on a GPU whose caches have these columns. */
struct retime_rates retime_rates_of(const struct retime_prices *prices, const struct gpu_spec *spec, uint32_t l1,
                                    uint32_t l2);
/* Is all the same but what comes behind L1? */
bool retime_rates_same_base(const struct retime_rates *a, const struct retime_rates *b);
/* From now on the prices are that GPU's. `patterns`: their column, where they were recorded. */
void retime_prices_set(struct retime_prices *prices, const struct gpu_spec *spec, uint32_t l1, uint32_t l2,
                       uint32_t patterns);

#endif
