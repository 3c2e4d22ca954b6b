/* Dispatch orders: which work-groups a core may take, by enum dispatch_order. A private order gives each core its own
 * work-groups beforehand, as a range with a step; without one, cores take from one queue as room frees up. */
#ifndef MODEL_DISPATCH_H
#define MODEL_DISPATCH_H

#include <stdbool.h>
#include <stdint.h>

#include "model/params/gpu.h"

struct dispatch_range {
  uint32_t next, end, step; /* next == end: none left */
};

struct dispatch_order_ops {
  const char *name, *help;
  /* What core `core` of `cores` runs of `groups` work-groups; NULL: all cores share one queue. */
  struct dispatch_range (*own)(uint32_t core, uint32_t cores, uint32_t groups);
};

/* Index: enum dispatch_order. */
extern const struct dispatch_order_ops *const dispatch_orders[];
extern const unsigned dispatch_order_count;

/* Once it is, it stays so. Another thread may take from the range meanwhile. */
static inline bool dispatch_is_over(const struct dispatch_range *range) {
  return __atomic_load_n(&range->next, __ATOMIC_RELAXED) == range->end;
}

/* The next work-group of the range, which must not be empty. */
uint32_t dispatch_take(struct dispatch_range *range);

#endif
