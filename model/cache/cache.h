/* One cache: which lines it holds. What hits and misses cost is decided elsewhere (model/memory).
 *
 * A cache is a placement (CACHE_PLACEMENTS: where a line may be) and a replacement policy (REPLACEMENT_POLICIES: which
 * line goes), both lists in model/params/choices.h. binomial_sets is defined for LRU and takes no other policy.
 * Shapes: lines are line numbers (address / line size) below CACHE_NO_LINE. Ownership: cache_create allocates,
 * cache_destroy frees. Errors: NULL when out of memory. Cost of an access under LRU: O(1) where a line may be anywhere
 * (binomial_sets: at most 64 steps), O(ways) in sets; under other policies see policy_sets.c. Threads: one at a time.
 * */
#ifndef MODEL_CACHE_H
#define MODEL_CACHE_H

#include <stdbool.h>
#include <stdint.h>

#include "model/params/gpu.h"

#define CACHE_NO_LINE UINT32_MAX

struct cache;

struct cache_model_ops {
  struct cache *(*create)(uint32_t lines, uint32_t ways, bool hash); /* under LRU */
  /* Uses the line, and fetches it on a miss. Returns whether it hit. */
  bool (*access)(struct cache *cache, uint32_t line);
  /* Uses the line if it is there; never fetches it. Returns whether it was there. */
  bool (*touch)(struct cache *cache, uint32_t line);
  /* Returns the line that `access` would push out, CACHE_NO_LINE where none goes. Changes nothing. */
  uint32_t (*victim)(const struct cache *cache, uint32_t line);
};

struct cache {
  const struct cache_model_ops *ops;
  uint32_t capacity; /* lines that it holds at most; the state of its kind follows */
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

/* Creates an empty cache. `ways` and `hash` are for sets: with the hash, all bits of a line choose its set, and the
 * number of sets must be a power of two. */
struct cache *cache_create(enum cache_placement placement, enum replacement_policy replacement, uint32_t lines,
                           uint32_t ways, bool hash);
void cache_destroy(struct cache *cache);

#endif
