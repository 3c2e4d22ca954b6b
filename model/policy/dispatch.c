#include "model/policy/dispatch.h"

#include <assert.h>

#define X(constant, name, meaning) [constant] = &dispatch_##name,
const struct dispatch_order_ops *const dispatch_orders[] = {DISPATCH_ORDERS(X)};
#undef X

uint32_t dispatch_take(struct dispatch_range *range) {
  assert(range->next < range->end);
  uint32_t group = range->next;
  const uint32_t next = range->end - group > range->step ? group + range->step : range->end;
  __atomic_store_n(&range->next, next, __ATOMIC_RELAXED);
  return group;
}
