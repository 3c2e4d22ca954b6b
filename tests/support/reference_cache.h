/* The slow and obvious caches of the reference replay: lists of lines, newest first. */
#ifndef SUPPORT_REFERENCE_CACHE_H
#define SUPPORT_REFERENCE_CACHE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "model/params/gpu.h"
#include "reference_binomial.h"

struct reference_line { /* of a cache: a line, or nothing */
  uint64_t line;
  bool taken, dirty;
};

struct reference_cache {
  bool enabled, hash;
  uint64_t sets, ways;
  struct reference_line *lines; /* [sets][ways] */
  bool expected;                /* binomial_sets: these instead of the lines above */
  struct reference_binomial binomial;
  uint64_t *dirty;
  uint32_t dirty_count;
};

static inline void reference_cache_make(struct reference_cache *c, bool enabled, int model, int64_t bytes, int64_t ways,
                                        int64_t line, bool hash) {
  c->enabled = enabled;
  c->hash = hash && model == CACHE_EXACT_SETS;
  c->ways = (uint64_t)(model == CACHE_EXACT_SETS ? ways : bytes / line);
  c->sets = (uint64_t)(bytes / line) / c->ways;
  c->expected = model == CACHE_BINOMIAL_SETS;
  c->binomial = (struct reference_binomial){.sets = (uint64_t)(bytes / line / ways), .ways = (uint64_t)ways};
  c->lines = calloc(c->sets * c->ways, sizeof *c->lines);
}

static inline void reference_cache_clear(struct reference_cache *c) {
  reference_binomial_clear(&c->binomial);
  free(c->dirty);
  free(c->lines);
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

/* True: the line was dirty, and is no more. */
static inline bool reference_clean(struct reference_cache *c, uint64_t line) {
  for (uint32_t i = 0; i < c->dirty_count; i++)
    if (c->dirty[i] == line) {
      c->dirty[i] = c->dirty[--c->dirty_count];
      return true;
    }
  return false;
}

/* By expectation: a line that is missed, though nothing says when it left, leaves now. */
static inline bool reference_expected_write(struct reference_cache *c, uint64_t line, bool allocate, bool dirty,
                                            struct reference_line *left) {
  uint64_t gone = UINT64_MAX;
  bool hit = reference_binomial_use(&c->binomial, line, allocate, &gone), was_dirty = reference_clean(c, line);
  if (!hit && was_dirty)
    *left = (struct reference_line){line, true, true};
  else if (gone != UINT64_MAX && reference_clean(c, gone))
    *left = (struct reference_line){gone, true, true};
  if ((hit && was_dirty) || ((hit || allocate) && dirty)) {
    c->dirty = realloc(c->dirty, (c->dirty_count + 1) * sizeof *c->dirty);
    c->dirty[c->dirty_count++] = line;
  }
  return hit;
}

/* Looks the line up and makes it the newest; one that is not there comes in if `allocate`. A line that is in the cache
 * then becomes dirty if `dirty`. *left: the dirty line that had to go for it, if any (.dirty says so). */
static inline bool reference_cache_write(struct reference_cache *c, uint64_t line, bool allocate, bool dirty,
                                         struct reference_line *left) {
  *left = (struct reference_line){0};
  if (!c->enabled)
    return false;
  if (c->expected)
    return reference_expected_write(c, line, allocate, dirty, left);
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
