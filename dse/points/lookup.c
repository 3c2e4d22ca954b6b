#include "dse/points/lookup.h"

#include <stdlib.h>

bool lookup_init(struct lookup *lookup, size_t most) {
  size_t capacity = 16;
  while (capacity < 2 * most)
    capacity *= 2;
  *lookup = (struct lookup){calloc(capacity, sizeof *lookup->numbers), capacity - 1};
  return lookup->numbers != NULL;
}

/* The slot of an equal thing, or the free one where it would stand. */
static size_t slot_of(const struct lookup *lookup, uint64_t hash, lookup_same *same, const void *context) {
  size_t slot = (size_t)(hash ^ hash >> 32) & lookup->mask;
  while (lookup->numbers[slot] != 0 && !same(context, lookup->numbers[slot] - 1))
    slot = (slot + 1) & lookup->mask;
  return slot;
}

uint32_t lookup_add(struct lookup *lookup, uint64_t hash, uint32_t number, lookup_same *same, const void *context) {
  const size_t slot = slot_of(lookup, hash, same, context);
  if (lookup->numbers[slot] == 0)
    lookup->numbers[slot] = number + 1;
  return lookup->numbers[slot] - 1;
}

uint32_t lookup_find(const struct lookup *lookup, uint64_t hash, lookup_same *same, const void *context) {
  return lookup->numbers[slot_of(lookup, hash, same, context)] - 1; /* 0 - 1 is LOOKUP_NONE */
}

void lookup_clear(struct lookup *lookup) {
  free(lookup->numbers);
  *lookup = (struct lookup){0};
}
