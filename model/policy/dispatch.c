#include "model/policy/dispatch.h"

#include <assert.h>

static struct dispatch_range dealt_out(uint32_t core, uint32_t cores, uint32_t groups) {
  return (struct dispatch_range){core < groups ? core : groups, groups, cores};
}

/* Neighbours stay together: as many for each core, the last cores may have fewer. */
static struct dispatch_range one_piece(uint32_t core, uint32_t cores, uint32_t groups) {
  uint64_t piece = (groups + (uint64_t)cores - 1) / cores, first = core * piece, end = first + piece;
  return (struct dispatch_range){(uint32_t)(first < groups ? first : groups), (uint32_t)(end < groups ? end : groups),
                                 1};
}

static const struct dispatch_order_ops first_free = {"first_free", "the next one goes where room frees up first", NULL};
static const struct dispatch_order_ops round_robin = {"round_robin", "number i runs on core i modulo cores", dealt_out};
static const struct dispatch_order_ops chunked = {"chunked", "each core runs a piece of neighbours", one_piece};

const struct dispatch_order_ops *const dispatch_orders[] = {
    [DISPATCH_FIRST_FREE] = &first_free, [DISPATCH_ROUND_ROBIN] = &round_robin, [DISPATCH_CHUNKED] = &chunked};
const unsigned dispatch_order_count = sizeof dispatch_orders / sizeof dispatch_orders[0];

uint32_t dispatch_take(struct dispatch_range *range) {
  assert(range->next < range->end);
  uint32_t group = range->next;
  const uint32_t next = range->end - group > range->step ? group + range->step : range->end;
  __atomic_store_n(&range->next, next, __ATOMIC_RELAXED);
  return group;
}
