/* A set-associative LRU cache with exact sets and therefore conflict misses (set_placement.h defines the set of a
 * line). Each set is an array of lines in order of use; a hit moves its line to the front. */
#include "model/cache/exact_sets.h"

#include <assert.h>
#include <stdlib.h>

static struct cache *sets_create(uint32_t lines, uint32_t ways, bool hash) {
  assert(lines % ways == 0);
  struct set_cache *c = malloc(sizeof *c + lines * sizeof(uint32_t));
  if (!c)
    return NULL;
  *c = (struct set_cache){{&cache_exact_sets, lines}, set_placement_make(lines / ways, hash), ways};
  memset(c->tags, 0xff, lines * sizeof(uint32_t));
  return &c->base;
}

static uint32_t *set_of(struct set_cache *c, uint32_t line) {
  return c->tags + sets_at(c, line);
}

static uint32_t way_of(const uint32_t *set, uint32_t ways, uint32_t line) {
  uint32_t way = 0;
  while (way < ways && set[way] != line)
    way++;
  return way;
}

/* Makes `line` the newest. Lines that were newer than `way` move on by one, and overwrite the line in `way`. */
static void put_first(uint32_t *set, uint32_t way, uint32_t line) {
  memmove(set + 1, set, way * sizeof *set);
  set[0] = line;
}

static bool sets_touch(struct cache *cache, uint32_t line) {
  struct set_cache *c = (struct set_cache *)cache;
  uint32_t *set = set_of(c, line);
  if (c->ways == 4)
    return sets_touch_four(set, line);
  uint32_t way = way_of(set, c->ways, line);
  if (way < c->ways)
    put_first(set, way, line);
  return way < c->ways;
}

static bool sets_access(struct cache *cache, uint32_t line) {
  struct set_cache *c = (struct set_cache *)cache;
  if (sets_touch(cache, line))
    return true;
  put_first(set_of(c, line), c->ways - 1, line);
  return false;
}

static uint32_t sets_victim(const struct cache *cache, uint32_t line) {
  const struct set_cache *c = (const struct set_cache *)cache;
  const uint32_t *set = c->tags + sets_at(c, line);
  return way_of(set, c->ways, line) < c->ways ? CACHE_NO_LINE : set[c->ways - 1];
}

const struct cache_model_ops cache_exact_sets = {
    .create = sets_create,
    .access = sets_access,
    .touch = sets_touch,
    .victim = sets_victim,
};
