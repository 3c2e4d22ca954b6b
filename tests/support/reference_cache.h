/* The slow and obvious caches of the reference replay: lists of lines, newest first. */
#ifndef SUPPORT_REFERENCE_CACHE_H
#define SUPPORT_REFERENCE_CACHE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "model/gpu.h"

struct reference_line { /* of a cache: a line, or nothing */
  uint64_t line;
  bool taken, dirty;
};

struct reference_cache {
  bool enabled, hash;
  uint64_t sets, ways;
  struct reference_line *lines; /* [sets][ways] */
};

static inline void reference_cache_make(struct reference_cache *c, bool enabled, int model, int64_t bytes, int64_t ways,
                                        int64_t line, bool hash) {
  c->enabled = enabled;
  c->hash = hash && model == CACHE_EXACT_SETS;
  c->ways = (uint64_t)(model == CACHE_EXACT_SETS ? ways : bytes / line);
  c->sets = (uint64_t)(bytes / line) / c->ways;
  c->lines = calloc(c->sets * c->ways, sizeof *c->lines);
}

/* With the hash the bits of the line number are added modulo two, bit i to bit i modulo log2(sets) of the set. */
static inline uint64_t reference_set(const struct reference_cache *c, uint64_t line) {
  unsigned bits = 0;
  uint64_t set = 0;
  while (UINT64_C(1) << bits < c->sets)
    bits++;
  for (unsigned i = 0; i < 64 && bits > 0 && c->hash; i++)
    set ^= (line >> i & 1) << i % bits;
  return c->hash ? set : line % c->sets;
}

/* Looks the line up and makes it the newest; one that is not there comes in if `allocate`. A line that is in the cache
 * then becomes dirty if `dirty`. *left: the dirty line that had to go for it, if any (.dirty says so). */
static inline bool reference_cache_write(struct reference_cache *c, uint64_t line, bool allocate, bool dirty,
                                         struct reference_line *left) {
  *left = (struct reference_line){0};
  if (!c->enabled)
    return false;
  struct reference_line *set = c->lines + reference_set(c, line) * c->ways;
  uint64_t way = 0;
  while (way < c->ways && !(set[way].taken && set[way].line == line))
    way++;
  bool hit = way < c->ways;
  if (!hit && !allocate)
    return false;
  if (!hit) {
    way = c->ways - 1;
    *left = set[way];
  }
  struct reference_line now = {line, true, dirty || (hit && set[way].dirty)};
  memmove(set + 1, set, way * sizeof *set);
  set[0] = now;
  return hit;
}

static inline bool reference_cache_use(struct reference_cache *c, uint64_t line, bool allocate) {
  struct reference_line left;
  return reference_cache_write(c, line, allocate, false, &left);
}

#endif
