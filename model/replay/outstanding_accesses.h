/* Memory accesses in flight: which of a warp's it must wait for, and how many a core may have.
 *
 * dependency: a warp goes on after an access and waits at the first operation that uses the value of a load that has
 * not come back; at a barrier and at its end for all of its accesses; and, when it may have no more in flight, for the
 * oldest (places are freed in order). A core with a limit gives its places first come, first served. Times are ticks.
 * Memory: flight_list.ring is the caller's; flight_places_init allocates, flight_places_clear frees. Cost: O(accesses
 * of the warp in flight) where a warp may have to wait, O(log limit) an access for the core's limit. Source:
 * scoreboards of in-order cores (Thornton, "Design of a computer: the CDC 6600", 1970); on GPUs Bakhoda et al.,
 * "Analyzing CUDA workloads using a detailed GPU simulator", ISPASS 2009.
 */
#ifndef MODEL_OUTSTANDING_ACCESSES_H
#define MODEL_OUTSTANDING_ACCESSES_H

#include <stdbool.h>
#include <stdint.h>

#include "model/policy/time_queue.h"
#include "model/warp/warp.h"

struct flight {
  uint64_t done; /* when it comes back, UINT64_MAX: not known yet */
  uint32_t use;  /* operation that first uses the value, TRACE_NO_OP: none */
  uint8_t waits; /* enum stack_component that waiting for it counts as */
};

/* Of one warp, oldest first. */
struct flight_list {
  struct flight *ring; /* [limit] */
  uint32_t first, count, limit;
};

static inline struct flight *flight_at(const struct flight_list *list, uint32_t number) {
  const uint32_t at = list->first + number;
  return &list->ring[at < list->limit ? at : at - list->limit];
}

static inline void flight_push(struct flight_list *list, struct flight flight) {
  *flight_at(list, list->count++) = flight;
}

/* The oldest access of which was not known when it comes back. */
void flight_resolve(struct flight_list *list, uint64_t done, uint8_t waits);

/* What the warp, about to do `event` of operation `op` (no run), must wait for: false: nothing. */
static inline bool flight_wait(struct flight_list *list, enum warp_event event, uint32_t op, uint64_t now,
                               struct flight *wait) {
  *wait = (struct flight){.done = now};
  if (event == WARP_ACCESS && list->count < list->limit)
    return false;
  for (; list->count > 0 && flight_at(list, 0)->done <= now; list->count--)
    list->first = list->first + 1 < list->limit ? list->first + 1 : 0;
  const uint32_t count = event == WARP_ACCESS ? list->count == list->limit : list->count;
  for (uint32_t i = 0; i < count; i++) {
    const struct flight *flight = flight_at(list, i);
    if ((event != WARP_USE || flight->use == op) && flight->done > wait->done)
      *wait = *flight;
  }
  return wait->done > now;
}

/* Of one core; limit 0: not limited, nothing below is used. */
struct flight_places {
  uint32_t limit, taken;
  struct time_queue ends; /* when taken places become free */
  uint32_t *parked;       /* ring of warps that wait for a place */
  uint32_t parked_mask, parked_head, parked_count;
};

/* Of a core with so many warps. False: out of memory. */
bool flight_places_init(struct flight_places *places, uint32_t limit, uint32_t warps);
void flight_places_clear(struct flight_places *places);

/* False: no place; the warp is parked and takes over the place of an access that ends. */
static inline bool flight_place_take(struct flight_places *places, uint32_t warp) {
  if (places->taken < places->limit) {
    places->taken++;
    return true;
  }
  places->parked[(places->parked_head + places->parked_count++) & places->parked_mask] = warp;
  return false;
}

/* The place of an access that ends now goes to the warp that has waited longest; false: nobody waits. */
static inline bool flight_place_pass_on(struct flight_places *places, uint32_t *warp) {
  time_queue_pop(&places->ends);
  if (places->parked_count == 0) {
    places->taken--;
    return false;
  }
  *warp = places->parked[places->parked_head++ & places->parked_mask];
  places->parked_count--;
  return true;
}

#endif
