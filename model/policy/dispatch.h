/* Dispatch orders: which work-groups a core may take.
 *
 * The orders are the list DISPATCH_ORDERS (model/params/choices.h); each is a file dispatch_<name>.c. An order that
 * gives each core its own work-groups beforehand describes them as a range with a step; with any other, cores take from
 * one queue as room frees up. A launch may tie its work-groups to cores itself, and then no order is asked. Units:
 * work-groups by index. Errors: none. Cost: O(1). Threads: a range has one taker at a time, and others may ask
 * dispatch_is_over meanwhile. */
#ifndef MODEL_DISPATCH_H
#define MODEL_DISPATCH_H

#include <stdbool.h>
#include <stdint.h>

#include "model/params/choices.h"

struct dispatch_range {
  uint32_t next, end, step; /* next == end: no work-group is left */
  const uint32_t *listed;   /* NULL, or the work-groups: next and end are places in this list */
};

struct dispatch_order_ops {
  /* Returns the work-groups of core `core` of `cores`, out of `groups`; NULL: all cores share one queue. */
  struct dispatch_range (*own)(uint32_t core, uint32_t cores, uint32_t groups);
};

#define X(constant, name, meaning) extern const struct dispatch_order_ops dispatch_##name;
DISPATCH_ORDERS(X)
#undef X

/* The orders, by enum dispatch_order. */
extern const struct dispatch_order_ops *const dispatch_orders[CHOICE_COUNT(DISPATCH_ORDERS)];

/* Work-groups that a launch ties to cores (trace.homes), whatever the GPU's order is: by core, in order of number. */
struct dispatch_homes {
  uint32_t *list;   /* NULL: the launch ties none */
  uint32_t *begins; /* by core: its first place in the list; one more than cores */
};

/* Sorts the work-groups; clear frees. False: out of memory. Cost: linear in work-groups and cores. */
bool dispatch_homes_init(struct dispatch_homes *homes, const uint32_t *of_group, uint32_t groups, uint32_t cores);
void dispatch_homes_clear(struct dispatch_homes *homes);
struct dispatch_range dispatch_homes_of(const struct dispatch_homes *homes, uint32_t core);

/* Returns whether no work-group is left. Once it returns true, it always does. */
static inline bool dispatch_is_over(const struct dispatch_range *range) {
  return __atomic_load_n(&range->next, __ATOMIC_RELAXED) == range->end;
}

/* Returns the next work-group of the range, which must not be empty. */
uint32_t dispatch_take(struct dispatch_range *range);

#endif
