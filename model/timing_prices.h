/* What the classes of a recording cost on one GPU: how long each holds an execution engine and how long its warp then
 * waits; and, because that does not depend on when an event comes, where the engines' busy time goes in sum.
 *
 * Unit: ticks. Ownership: timing_prices_clear frees. Cost: O(classes). */
#ifndef MODEL_TIMING_PRICES_H
#define MODEL_TIMING_PRICES_H

#include "model/cycle_stack.h"
#include "model/event_class.h"
#include "model/gpu.h"

/* Which of a class's counts of misses belong to the GPU: misses[l1], misses[l2]. */
struct timing_columns {
  uint32_t l1, l2;
};

struct timing_prices {
  uint64_t *busy;                  /* [count]: of an engine */
  uint64_t *moments;               /* [count]: the same, as a difference of moments (timing_core.h) */
  uint64_t *latency;               /* [count]: of the warp, behind that */
  uint8_t *waits;                  /* [count]: enum stack_component that the latency counts as */
  uint64_t *memory;                /* [count]: of an access, its latencies in sum */
  uint32_t *lines;                 /* [count]: of an access, its transactions; 0: it is none */
  uint32_t *to_l2, *to_dram;       /* [count]: of them, those that go there */
  bool instant;                    /* an event takes no time */
  uint64_t longest;                /* of busy and latency */
  tick_sum stack[SIM_STACK_COUNT]; /* of all events: busy engines */
  struct sim_cache l1, l2;
};

/* False: out of memory. */
bool timing_prices_init(struct timing_prices *prices, const struct event_classes *classes,
                        const struct timing_columns *columns, const struct gpu_spec *spec);
void timing_prices_clear(struct timing_prices *prices);

#endif
