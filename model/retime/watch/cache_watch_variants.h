/* The different caches of many GPUs, for which one replay records the outcomes of accesses.
 *
 * Purpose: one exact replay records the outcomes of its accesses for its own caches and for all that a sweep needs
 * (cache_watch_log.h, cache_watch_streams.h). The other caches are looked up in the order of the one replay, which they
 * would change a little: this is an approximation. The replay's own caches are variant 0 of both levels.
 * Shapes: a GPU's L1 is one of `l1_count` geometries; its L2, behind that L1, one of `l2_count`. Misses of an access
 * are l1_count counts of lines that miss L1 (loads only), then l2_count counts of lines that miss L2.
 * Ownership: cache_watch_variants_clear frees. Cost: O(GPUs x geometries). Threads: read-only once made. */
#ifndef MODEL_CACHE_WATCH_VARIANTS_H
#define MODEL_CACHE_WATCH_VARIANTS_H

#include "base/error.h"
#include "model/cache/cache.h"
#include "model/params/gpu.h"

struct cache_geometry {
  bool enabled, hash;
  int model;
  uint32_t lines, ways;
};

struct l2_variant {
  uint32_t l1; /* number of the L1 geometry in front of it */
  struct cache_geometry geometry;
};

struct cache_watch_variants {
  uint32_t l1_count, l2_count;
  struct cache_geometry *l1;
  struct l2_variant *l2;
};

/* Finds the variants. The caches of specs[0] are the replay's own. All GPUs have the same line size. */
int cache_watch_variants_init(struct cache_watch_variants *variants, const struct gpu_spec *specs, size_t count,
                              struct error *error);
void cache_watch_variants_clear(struct cache_watch_variants *variants);
/* Finds the geometries of a GPU. Returns false if they were not watched. */
bool cache_watch_variants_find(const struct cache_watch_variants *variants, const struct gpu_spec *spec, uint32_t *l1,
                               uint32_t *l2);

/* Returns whether the cache is fully associative with LRU: such caches of many sizes share a look-up
 * (multi_size_lru.h). */
static inline bool cache_geometry_is_lru(const struct cache_geometry *geometry) {
  return geometry->enabled && geometry->model == CACHE_REUSE_DISTANCE;
}

/* Creates the cache; *out is NULL if it is disabled. Returns false when out of memory. */
bool cache_geometry_create(const struct cache_geometry *geometry, struct cache **out);

#endif
