#include "model/replay/outstanding_accesses.h"

#include <assert.h>
#include <stdlib.h>

static uint32_t power_of_two(uint32_t least) {
  uint32_t n = 1;
  while (n < least)
    n *= 2;
  return n;
}

bool flight_places_init(struct flight_places *places, uint32_t limit, uint32_t warps) {
  const uint32_t ends = power_of_two(limit), parked = power_of_two(warps);
  *places = (struct flight_places){.limit = limit, .parked_mask = parked - 1, .ends = {.mask = ends - 1}};
  places->parked = calloc(parked, sizeof *places->parked);
  places->ends.entries = calloc(ends, sizeof *places->ends.entries);
  return places->parked && places->ends.entries;
}

void flight_places_clear(struct flight_places *places) {
  free(places->parked);
  free(places->ends.entries);
  *places = (struct flight_places){0};
}

void flight_resolve(struct flight_list *list, uint64_t done, uint8_t waits) {
  uint32_t i = 0;
  while (flight_at(list, i)->done != UINT64_MAX)
    i++;
  assert(i < list->count);
  flight_at(list, i)->done = done;
  flight_at(list, i)->waits = waits;
}
