/* A cache as the set of lines that it holds. The costs of hits and misses are decided in model/memory.
 *
 * A cache has a placement (CACHE_PLACEMENTS: where a line may be) and a replacement policy (REPLACEMENT_POLICIES: which
 * line is evicted); both lists are in model/params/choices.h. binomial_sets is defined for LRU and takes no other
 * policy. Shapes: lines are line numbers (address / line size) below CACHE_NO_LINE. Ownership: cache_create allocates,
 * cache_destroy frees. Errors: NULL when out of memory. Cost of an access under LRU: O(1) where a line may be anywhere
 * (binomial_sets: at most 64 steps), O(ways) in sets; under other policies see policy_sets.c. Threads: one at a
 * time. */
#ifndef MODEL_CACHE_H
#define MODEL_CACHE_H

#include <stdbool.h>
#include <stdint.h>

#include "model/params/gpu.h"

#define CACHE_NO_LINE UINT32_MAX

struct cache;

struct cache_model_ops {
  struct cache *(*create)(uint32_t lines, uint32_t ways, bool hash); /* with LRU replacement; NULL: out of memory */
  /* Uses the line, and fetches it on a miss. Returns whether it hit. */
  bool (*access)(struct cache *cache, uint32_t line);
  /* Uses the line if the cache holds it; never fetches it. Returns whether the cache held it. */
  bool (*touch)(struct cache *cache, uint32_t line);
  /* Returns the line that `access` would evict, or CACHE_NO_LINE if it would evict none. Changes nothing. */
  uint32_t (*victim)(const struct cache *cache, uint32_t line);
  /* Only of a sectored cache (sectored.h), else NULL: do `access` and `touch` for lines of one tag, which are bits of
   * `lines`, one after another. Return those that hit. */
  uint32_t (*access_lines)(struct cache *cache, uint32_t tag, uint32_t lines);
  uint32_t (*touch_lines)(struct cache *cache, uint32_t tag, uint32_t lines);
};

struct cache {
  const struct cache_model_ops *ops;
  uint32_t capacity; /* the most lines that it holds; the state of its kind follows */
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

static inline uint32_t cache_access_lines(struct cache *cache, uint32_t tag, uint32_t lines) {
  return cache->ops->access_lines(cache, tag, lines);
}

static inline uint32_t cache_touch_lines(struct cache *cache, uint32_t tag, uint32_t lines) {
  return cache->ops->touch_lines(cache, tag, lines);
}

/* Creates an empty cache, or returns NULL when out of memory. `ways` and `hash` apply to sets: with the hash, all bits
 * of a line number choose its set, and the number of sets must be a power of two. */
struct cache *cache_create(enum cache_placement placement, enum replacement_policy replacement, uint32_t lines,
                           uint32_t ways, bool hash);
void cache_destroy(struct cache *cache);

#endif
