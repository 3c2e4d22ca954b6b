/* One cache: which lines it holds, nothing else. Latencies are the engine's business.
 *
 * Lines are line numbers (address / line size) below CACHE_NO_LINE. Models stand in a registry (cache_models), by
 * enum cache_placement. Ownership: cache_create allocates, cache_destroy frees. Errors: NULL when out of memory.
 * Cost: an access is O(1) (reuse distance, hashed; at most 64 steps if corrected) or O(ways) (exact sets). Threads: one
 * at a time. */
#ifndef MODEL_CACHE_H
#define MODEL_CACHE_H

#include <stdbool.h>
#include <stdint.h>

#include "model/params/gpu.h"

#define CACHE_NO_LINE UINT32_MAX

struct cache;

struct cache_model_ops {
  struct cache *(*create)(uint32_t lines, uint32_t ways, bool hash);
  /* Looks the line up, makes it the most recent, allocates it on a miss. True: hit. */
  bool (*access)(struct cache *cache, uint32_t line);
  /* Makes the line the most recent if it is there; never allocates. True: it was there. */
  bool (*touch)(struct cache *cache, uint32_t line);
  /* The line that `access` would push out, CACHE_NO_LINE: none. Changes nothing. */
  uint32_t (*victim)(const struct cache *cache, uint32_t line);
};

struct cache {
  const struct cache_model_ops *ops;
  uint32_t capacity; /* lines it holds at most; the models' own state follows */
};

#define X(constant, name, meaning) extern const struct cache_model_ops cache_##name;
CACHE_PLACEMENTS(X)
#undef X

static inline bool cache_access(struct cache *cache, uint32_t line) {
  return cache->ops->access(cache, line);
}

static inline uint32_t cache_victim(const struct cache *cache, uint32_t line) {
  return cache->ops->victim(cache, line);
}

static inline bool cache_touch(struct cache *cache, uint32_t line) {
  return cache->ops->touch(cache, line);
}

/* `hash`: exact sets are chosen by all bits of the line; their number must be a power of two. */
struct cache *cache_create(enum cache_placement model, uint32_t lines, uint32_t ways, bool hash);
void cache_destroy(struct cache *cache);

#endif
