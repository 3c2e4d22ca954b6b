#include "model/replay/outstanding_accesses.h"

#include <assert.h>
#include <stdlib.h>

static uint32_t power_of_two(uint32_t least) {
  uint32_t n = 1;
  while (n < least)
    n *= 2;
  return n;
}

bool outstanding_limit_init(struct outstanding_limit *limit, uint32_t most, uint32_t warps) {
  const uint32_t ends = power_of_two(most), parked = power_of_two(warps);
  *limit = (struct outstanding_limit){.limit = most, .parked_mask = parked - 1};
  limit->parked = calloc(parked, sizeof *limit->parked);
  limit->ends = time_queue_make(calloc(ends, sizeof *limit->ends.entries), ends - 1);
  return limit->parked && limit->ends.entries;
}

void outstanding_limit_clear(struct outstanding_limit *limit) {
  free(limit->parked);
  free(limit->ends.entries);
  *limit = (struct outstanding_limit){0};
}

void outstanding_resolve(struct outstanding_list *list, uint64_t done, uint8_t waits) {
  uint32_t i = 0;
  while (outstanding_at(list, i)->done != UINT64_MAX)
    i++;
  assert(i < list->count);
  outstanding_at(list, i)->done = done;
  outstanding_at(list, i)->waits = waits;
}
