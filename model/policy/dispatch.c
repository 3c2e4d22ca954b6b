#include "model/policy/dispatch.h"

#include <assert.h>
#include <stdlib.h>

#define X(constant, name, meaning) [constant] = &dispatch_##name,
const struct dispatch_order_ops *const dispatch_orders[] = {DISPATCH_ORDERS(X)};
#undef X

uint32_t dispatch_take(struct dispatch_range *range) {
  assert(range->next < range->end);
  const uint32_t place = range->next;
  const uint32_t next = range->end - place > range->step ? place + range->step : range->end;
  __atomic_store_n(&range->next, next, __ATOMIC_RELAXED);
  return range->listed ? range->listed[place] : place;
}

/* A counting sort, which keeps the order of a core's work-groups. */
bool dispatch_homes_init(struct dispatch_homes *homes, const uint32_t *of_group, uint32_t groups, uint32_t cores) {
  *homes =
      (struct dispatch_homes){malloc((groups + 1u) * sizeof *homes->list), calloc(cores + 2u, sizeof *homes->begins)};
  if (!homes->list || !homes->begins)
    return false;
  for (uint32_t i = 0; i < groups; i++)
    homes->begins[of_group[i] % cores + 2]++;
  for (uint32_t core = 2; core < cores + 2; core++)
    homes->begins[core] += homes->begins[core - 1];
  for (uint32_t i = 0; i < groups; i++)
    homes->list[homes->begins[of_group[i] % cores + 1]++] = i;
  return true;
}

void dispatch_homes_clear(struct dispatch_homes *homes) {
  free(homes->list);
  free(homes->begins);
  *homes = (struct dispatch_homes){0};
}

struct dispatch_range dispatch_homes_of(const struct dispatch_homes *homes, uint32_t core) {
  return (struct dispatch_range){homes->begins[core], homes->begins[core + 1], 1, homes->list};
}
