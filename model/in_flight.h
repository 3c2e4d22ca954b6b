/* Memory accesses in flight: which of a warp's it must wait for, and how many a core may have.
 *
 * dependency: a warp goes on after an access and waits at the first operation that uses the value of a load that has
 * not come back; at a barrier and at its end for all of its accesses; and, when it may have no more in flight, for the
 * oldest (places are freed in order). A core with a limit gives its places first come, first served. Times are ticks.
 * Memory: the caller's, see flight_list.ring. Cost: O(accesses of the warp in flight) where a warp may have to wait,
 * O(log limit) an access for the core's limit. Source: scoreboards of in-order cores (Thornton, "Design of a computer:
 * the CDC 6600", 1970); on GPUs Bakhoda et al., "Analyzing CUDA workloads using a detailed GPU simulator", ISPASS 2009.
 */
#ifndef MODEL_IN_FLIGHT_H
#define MODEL_IN_FLIGHT_H

#include <stdbool.h>
#include <stdint.h>

#include "model/time_heap.h"
#include "model/warp.h"

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

void flight_push(struct flight_list *list, struct flight flight);
/* The oldest access of which was not known when it comes back. */
void flight_resolve(struct flight_list *list, uint64_t done, uint8_t waits);
/* What the warp, about to do `event` of operation `op`, must wait for: false: nothing. */
bool flight_wait(struct flight_list *list, enum warp_event event, uint32_t op, uint64_t now, struct flight *wait);

/* Of one core; limit 0: not limited, nothing below is used. */
struct flight_places {
  uint32_t limit, taken;
  struct time_heap ends; /* [limit]: when taken places become free */
  uint32_t *parked;      /* ring of warps that wait for a place */
  uint32_t parked_mask, parked_head, parked_count;
};

/* False: no place; the warp is parked and takes over the place of an access that ends. */
bool flight_place_take(struct flight_places *places, uint32_t warp);
/* The place of an access that ends now goes to the warp that has waited longest; false: nobody waits. */
bool flight_place_pass_on(struct flight_places *places, uint32_t *warp);

#endif
