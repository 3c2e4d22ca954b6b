/* Outstanding memory accesses: those that a warp must wait for, and how many a core may have.
 *
 * Under `dependency` a warp continues after an access. It waits at the first operation that uses the value of a load
 * that has not come back; at a barrier and at its end for all of its accesses; and, when it may have no more
 * outstanding, for the oldest (they are freed in order). A core with a limit admits warps in the order in which they
 * ask. Times are ticks. Memory: outstanding_list.ring is the caller's; outstanding_limit_init allocates,
 * outstanding_limit_clear frees. Cost: O(outstanding accesses of the warp) where a warp may have to wait, O(log limit)
 * an access for the core's limit. Source: scoreboards of in-order cores (Thornton, "Design of a computer: the CDC
 * 6600", 1970); on GPUs Bakhoda et al., "Analyzing CUDA workloads using a detailed GPU simulator", ISPASS 2009. */
#ifndef MODEL_OUTSTANDING_ACCESSES_H
#define MODEL_OUTSTANDING_ACCESSES_H

#include <stdbool.h>
#include <stdint.h>

#include "model/policy/time_queue.h"
#include "model/warp/warp.h"

struct outstanding_access {
  uint64_t done; /* time at which it comes back, UINT64_MAX: not known yet */
  uint32_t use;  /* operation that first uses the value, TRACE_NO_OP: none */
  uint8_t waits; /* enum stack_component that a wait for it belongs to */
};

/* The outstanding accesses of one warp, oldest first. */
struct outstanding_list {
  struct outstanding_access *ring; /* [limit] */
  uint32_t first, count, limit;
};

static inline struct outstanding_access *outstanding_at(const struct outstanding_list *list, uint32_t number) {
  const uint32_t at = list->first + number;
  return &list->ring[at < list->limit ? at : at - list->limit];
}

static inline void outstanding_push(struct outstanding_list *list, struct outstanding_access access) {
  *outstanding_at(list, list->count++) = access;
}

/* Sets the end of the oldest access whose end was not known. */
void outstanding_resolve(struct outstanding_list *list, uint64_t done, uint8_t waits);

/* Returns whether the warp must wait before `event` of operation `op`, which is not a run, and sets *wait to the access
 * that it waits for. */
static inline bool outstanding_wait(struct outstanding_list *list, enum warp_event event, uint32_t op, uint64_t now,
                                    struct outstanding_access *wait) {
  *wait = (struct outstanding_access){.done = now};
  if (event == WARP_ACCESS && list->count < list->limit)
    return false;
  for (; list->count > 0 && outstanding_at(list, 0)->done <= now; list->count--)
    list->first = list->first + 1 < list->limit ? list->first + 1 : 0;
  const uint32_t count = event == WARP_ACCESS ? list->count == list->limit : list->count;
  for (uint32_t i = 0; i < count; i++) {
    const struct outstanding_access *access = outstanding_at(list, i);
    if ((event != WARP_USE || access->use == op) && access->done > wait->done)
      *wait = *access;
  }
  return wait->done > now;
}

/* The limit of one core; 0: unlimited, and the other members are not used. */
struct outstanding_limit {
  uint32_t limit, taken;
  struct time_queue ends; /* ends of the accesses that count */
  uint32_t *parked;       /* ring of warps that wait until an access ends */
  uint32_t parked_mask, parked_head, parked_count;
};

/* Prepares the limit of a core with `warps` warps. Returns false when out of memory. */
bool outstanding_limit_init(struct outstanding_limit *limit, uint32_t most, uint32_t warps);
void outstanding_limit_clear(struct outstanding_limit *limit);

/* Returns whether the warp's access may begin. Otherwise the warp is parked until an access ends. */
static inline bool outstanding_limit_take(struct outstanding_limit *limit, uint32_t warp) {
  if (limit->taken < limit->limit) {
    limit->taken++;
    return true;
  }
  limit->parked[(limit->parked_head + limit->parked_count++) & limit->parked_mask] = warp;
  return false;
}

/* Ends an access now. Returns whether a warp waited, and sets *warp to the one that has waited longest. */
static inline bool outstanding_limit_pass_on(struct outstanding_limit *limit, uint32_t *warp) {
  time_queue_pop(&limit->ends);
  if (limit->parked_count == 0) {
    limit->taken--;
    return false;
  }
  *warp = limit->parked[limit->parked_head++ & limit->parked_mask];
  limit->parked_count--;
  return true;
}

#endif
