/* Warp schedulers: which of a core's ready warps a free execution engine takes. Registry by enum scheduler.
 * Cost: O(1) for first_available, O(ready warps) for the others. Source: Lakshminarayana and Kim, "Effect of
 * instruction fetch and memory scheduling on GPU performance", LCA-GPGPU 2010; Rogers et al., "Cache-conscious
 * wavefront scheduling", MICRO 2012 (greedy-then-oldest). */
#ifndef MODEL_SCHEDULER_H
#define MODEL_SCHEDULER_H

#include <stdint.h>

#include "model/params/gpu.h"

struct ready_warp {
  uint64_t age;   /* order of the warps' starts on the core */
  uint32_t index; /* place on the core */
};

struct scheduler_ops {
  const char *name, *help;
  /* Is ready warp `a` taken rather than `b`, when `last` was taken last? NULL: in the order in which they became ready.
   */
  int (*rather)(const struct ready_warp *a, const struct ready_warp *b, const struct ready_warp *last);
};

/* Index: enum scheduler. */
extern const struct scheduler_ops *const schedulers[];
extern const unsigned scheduler_count;

#endif
