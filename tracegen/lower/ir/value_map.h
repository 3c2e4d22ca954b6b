/* A hash table from pointers to 32-bit numbers: open addressing, linear probing, at most half full. Private to
 * tracegen/lower and tracegen/sanitize.
 *
 * Ownership: value_map_clear frees; {0} is an empty table. Cost: constant on average. A table of its own, as code of
 * LLVM's values spends much time in it and inlining counts. */
#ifndef TRACEGEN_LOWER_VALUE_MAP_H
#define TRACEGEN_LOWER_VALUE_MAP_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

struct value_map {
  const void **keys;
  uint32_t *values;
  uint32_t capacity, count;
};

static inline uint32_t value_map_slot(const struct value_map *map, const void *key) {
  uint32_t slot = (uint32_t)(((uintptr_t)key >> 4) * 0x9e3779b97f4a7c15u >> 32) & (map->capacity - 1);
  while (map->keys[slot] && map->keys[slot] != key)
    slot = (slot + 1) & (map->capacity - 1);
  return slot;
}

static inline bool value_map_get(const struct value_map *map, const void *key, uint32_t *value) {
  if (!map->capacity)
    return false;
  const uint32_t slot = value_map_slot(map, key);
  if (!map->keys[slot])
    return false;
  *value = map->values[slot];
  return true;
}

static inline void value_map_clear(struct value_map *map) {
  free(map->keys);
  free(map->values);
  *map = (struct value_map){0};
}

/* Sets the number of a key. False: out of memory. */
static inline bool value_map_put(struct value_map *map, const void *key, uint32_t value) {
  if (2 * map->count >= map->capacity) {
    struct value_map larger = {.capacity = map->capacity ? 2 * map->capacity : 64};
    larger.keys = calloc(larger.capacity, sizeof *larger.keys);
    larger.values = calloc(larger.capacity, sizeof *larger.values);
    if (!larger.keys || !larger.values) {
      value_map_clear(&larger);
      return false;
    }
    for (uint32_t i = 0; i < map->capacity; i++)
      if (map->keys[i]) {
        const uint32_t slot = value_map_slot(&larger, map->keys[i]);
        larger.keys[slot] = map->keys[i];
        larger.values[slot] = map->values[i];
      }
    larger.count = map->count;
    value_map_clear(map);
    *map = larger;
  }
  const uint32_t slot = value_map_slot(map, key);
  map->count += !map->keys[slot];
  map->keys[slot] = key;
  map->values[slot] = value;
  return true;
}

#endif
