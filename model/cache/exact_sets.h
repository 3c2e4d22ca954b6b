/* The state of the set-associative LRU cache, and a look-up for the usual number of ways, for callers that need it
 * inline. Layout and sources are in exact_sets.c. The vectors of GCC and clang are those of the processor where it has
 * them, else plain code. */
#ifndef MODEL_EXACT_SETS_H
#define MODEL_EXACT_SETS_H

#include <stddef.h>
#include <string.h>

#include "model/cache/cache.h"
#include "model/cache/set_placement.h"

struct set_cache {
  struct cache base;
  struct set_placement placement;
  uint32_t ways;
  uint32_t tags[]; /* [sets][ways], newest first; CACHE_NO_LINE: empty */
};

/* Returns the index in `tags` at which the line's set begins. */
static inline __attribute__((always_inline)) size_t sets_at(const struct set_cache *c, uint32_t line) {
  return (size_t)set_placement_of(&c->placement, line) * c->ways;
}

typedef uint32_t sets_four __attribute__((vector_size(16)));
typedef uint64_t sets_two __attribute__((vector_size(16)));

/* Uses a line of a set of four ways: it becomes the newest, and those that were newer move on by one. Returns false and
 * changes nothing if the set does not hold the line. The only branch is the one on the result. */
static inline __attribute__((always_inline)) bool sets_touch_four(uint32_t *set, uint32_t line) {
  const sets_four none = {0};
  sets_four tags;
  memcpy(&tags, set, sizeof tags);
  const sets_four found = (sets_four)(tags == line);
  if (!(((sets_two)found)[0] | ((sets_two)found)[1]))
    return false;
  sets_four older = __builtin_shufflevector(none, found, 0, 4, 5, 6); /* lines that are older than the used one stay */
  older |= __builtin_shufflevector(none, older, 0, 4, 5, 6);
  older |= __builtin_shufflevector(none, older, 0, 1, 4, 5);
  const sets_four moved = __builtin_shufflevector(none, tags, 0, 4, 5, 6) | (sets_four){line};
  tags = (tags & older) | (moved & ~older);
  memcpy(set, &tags, sizeof tags);
  return true;
}

/* Touches a line like cache_touch, inline for sets of the usual number of ways. */
static inline __attribute__((always_inline)) bool cache_touch_inline(struct cache *cache, uint32_t line) {
  struct set_cache *sets = (struct set_cache *)cache;
  if (cache->ops == &cache_exact_sets && sets->ways == 4)
    return sets_touch_four(sets->tags + sets_at(sets, line), line);
  return cache_touch(cache, line);
}

#endif
