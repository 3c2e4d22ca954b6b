/* A fully associative LRU cache: an access hits iff fewer than `lines` distinct other lines were used since the last use
 * of its line (its LRU stack distance). Source: Mattson et al. 1970 (lru_list.h); REASSEMBLE, thesis table 5.6. */
#include "model/cache/cache.h"

#include <stdlib.h>

#include "model/cache/lru_list.h"

struct distance_cache {
  struct cache base;
  struct lru_list list; /* its memory follows */
};

static struct cache *distance_create(uint32_t lines, uint32_t ways, bool hash) {
  (void)ways;
  (void)hash;
  struct distance_cache *c = malloc(sizeof *c + lru_list_bytes(lines));
  if (!c)
    return NULL;
  c->base = (struct cache){&cache_reuse_distance, lines};
  lru_list_start(&c->list, c + 1, lines);
  return &c->base;
}

static bool distance_touch(struct cache *cache, uint32_t line) {
  struct lru_list *list = &((struct distance_cache *)cache)->list;
  if (list->newest != LRU_NONE && list->entries[list->newest].line == line)
    return true;
  const uint32_t i = lru_list_find(list, line);
  if (i == LRU_NONE)
    return false;
  lru_list_use(list, i);
  return true;
}

static bool distance_access(struct cache *cache, uint32_t line) {
  if (distance_touch(cache, line))
    return true;
  lru_list_add(&((struct distance_cache *)cache)->list, line);
  return false;
}

static uint32_t distance_victim(const struct cache *cache, uint32_t line) {
  return lru_list_victim(&((const struct distance_cache *)cache)->list, line, CACHE_NO_LINE);
}

const struct cache_model_ops cache_reuse_distance = {
    .create = distance_create,
    .access = distance_access,
    .touch = distance_touch,
    .victim = distance_victim,
};
