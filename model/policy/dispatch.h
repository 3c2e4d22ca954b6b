/* Dispatch orders: which work-groups a core may take.
 *
 * The orders are the list DISPATCH_ORDERS (model/params/choices.h); each is a file dispatch_<name>.c. An order that
 * gives each core its own work-groups beforehand describes them as a range with a step; with any other, cores take from
 * one queue as room frees up. Units: work-groups by index. Errors: none. Cost: O(1). Threads: a range has one taker at
 * a time, and others may ask dispatch_is_over meanwhile. */
#ifndef MODEL_DISPATCH_H
#define MODEL_DISPATCH_H

#include <stdbool.h>
#include <stdint.h>

#include "model/params/choices.h"

struct dispatch_range {
  uint32_t next, end, step; /* next == end: none left */
};

struct dispatch_order_ops {
  /* Returns what core `core` of `cores` runs of `groups` work-groups; NULL: all cores share one queue. */
  struct dispatch_range (*own)(uint32_t core, uint32_t cores, uint32_t groups);
};

#define X(constant, name, meaning) extern const struct dispatch_order_ops dispatch_##name;
DISPATCH_ORDERS(X)
#undef X

/* Index: enum dispatch_order. */
extern const struct dispatch_order_ops *const dispatch_orders[CHOICE_COUNT(DISPATCH_ORDERS)];

/* Returns whether no work-group is left; once that is so, it stays so. */
static inline bool dispatch_is_over(const struct dispatch_range *range) {
  return __atomic_load_n(&range->next, __ATOMIC_RELAXED) == range->end;
}

/* Returns the next work-group of the range, which must not be empty. */
uint32_t dispatch_take(struct dispatch_range *range);

#endif
