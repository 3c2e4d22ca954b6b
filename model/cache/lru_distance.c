/* A fully associative LRU cache: an access hits if and only if fewer than `lines` distinct other lines were used since
 * the last use of its line (its LRU stack distance). Source: Mattson et al. 1970 (lru_list.h); REASSEMBLE, thesis table
 * 5.6. */
#include "model/cache/cache.h"

#include <stdlib.h>

#include "model/cache/lru_list.h"

struct distance_cache {
  struct cache base;
  struct lru_list list; /* the memory of the list follows */
};

static struct cache *distance_create(uint32_t lines, uint32_t ways, bool hash) {
  (void)ways;
  (void)hash;
  struct distance_cache *c = calloc(1, sizeof *c + lru_list_bytes(lines));
  if (!c)
    return NULL;
  c->base = (struct cache){&cache_reuse_distance, lines};
  lru_list_start(&c->list, c + 1, lines);
  return &c->base;
}

/* Uses the line if the cache holds it, and returns whether it does. Inline in both functions of the cache, because
 * replays spend several percent of their time here. */
static inline __attribute__((always_inline)) bool use_line(struct lru_list *list, uint32_t line) {
  if (list->newest != LRU_NONE && list->entries[list->newest].line == line)
    return true;
  const uint32_t i = lru_list_find(list, line);
  if (i == LRU_NONE)
    return false;
  lru_list_unlink(list, i);
  lru_list_push(list, i);
  return true;
}

static bool distance_touch(struct cache *cache, uint32_t line) {
  return use_line(&((struct distance_cache *)cache)->list, line);
}

static bool distance_access(struct cache *cache, uint32_t line) {
  struct lru_list *list = &((struct distance_cache *)cache)->list;
  if (use_line(list, line))
    return true;
  lru_list_add(list, line);
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
