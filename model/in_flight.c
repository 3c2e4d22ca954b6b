#include "model/in_flight.h"

#include <assert.h>

static struct flight *flight_at(struct flight_list *list, uint32_t number) {
  uint32_t at = list->first + number;
  return &list->ring[at < list->limit ? at : at - list->limit];
}

void flight_push(struct flight_list *list, struct flight flight) {
  assert(list->count < list->limit);
  *flight_at(list, list->count++) = flight;
}

void flight_resolve(struct flight_list *list, uint64_t done, uint8_t waits) {
  uint32_t i = 0;
  while (flight_at(list, i)->done != UINT64_MAX)
    i++;
  assert(i < list->count);
  flight_at(list, i)->done = done;
  flight_at(list, i)->waits = waits;
}

static void retire(struct flight_list *list, uint64_t now) {
  while (list->count > 0 && flight_at(list, 0)->done <= now) {
    list->first = list->first + 1 < list->limit ? list->first + 1 : 0;
    list->count--;
  }
}

/* Must `event` of `op` wait until access number `number` is back? */
static bool holds_up(struct flight_list *list, uint32_t number, enum warp_event event, uint32_t op) {
  switch (event) {
  case WARP_USE:
    return flight_at(list, number)->use == op;
  case WARP_ACCESS:
    return number == 0 && list->count == list->limit;
  case WARP_BARRIER:
  case WARP_DONE:
    return true;
  default:
    return false;
  }
}

bool flight_wait(struct flight_list *list, enum warp_event event, uint32_t op, uint64_t now, struct flight *wait) {
  retire(list, now);
  wait->done = now;
  for (uint32_t i = 0; i < list->count; i++)
    if (holds_up(list, i, event, op) && flight_at(list, i)->done > wait->done)
      *wait = *flight_at(list, i);
  return wait->done > now;
}

bool flight_place_take(struct flight_places *places, uint32_t warp) {
  if (places->taken < places->limit) {
    places->taken++;
    return true;
  }
  places->parked[(places->parked_head + places->parked_count++) & places->parked_mask] = warp;
  return false;
}

bool flight_place_pass_on(struct flight_places *places, uint32_t *warp) {
  time_heap_pop(&places->ends);
  if (places->parked_count == 0) {
    places->taken--;
    return false;
  }
  *warp = places->parked[places->parked_head++ & places->parked_mask];
  places->parked_count--;
  return true;
}
