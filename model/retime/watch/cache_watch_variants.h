/* The caches of many GPUs, as far as they differ: which outcomes one replay has to record.
 *
 * Purpose: one exact replay records the outcomes of its accesses not only for its own caches but for all that a sweep
 *          wants (cache_watch_log.h, cache_watch_streams.h). Those are looked up in the order of the one replay,
 * which other
 *          caches would change a little: an approximation. The replay's own caches are variant 0 of both levels.
 * Shapes: a GPU's L1 is one of `l1_count` geometries; its L2, behind that L1, one of `l2_count`. Misses of an access:
 *         l1_count counts of lines that miss L1 (loads only), then l2_count counts that miss L2.
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
  uint32_t l1; /* the geometry in front of it */
  struct cache_geometry geometry;
};

struct cache_watch_variants {
  uint32_t l1_count, l2_count;
  struct cache_geometry *l1;
  struct l2_variant *l2;
};

/* The caches of specs[0] are the replay's own. All have the same lines. */
int cache_watch_variants_init(struct cache_watch_variants *variants, const struct gpu_spec *specs, size_t count,
                              struct error *error);
void cache_watch_variants_clear(struct cache_watch_variants *variants);
/* Which geometries a GPU has; false: they were not watched. */
bool cache_watch_variants_find(const struct cache_watch_variants *variants, const struct gpu_spec *spec, uint32_t *l1,
                               uint32_t *l2);

/* Fully associative: those of many sizes share a look-up (multi_size_lru.h). */
static inline bool cache_geometry_is_lru(const struct cache_geometry *geometry) {
  return geometry->enabled && geometry->model == CACHE_REUSE_DISTANCE;
}

/* *out is NULL where the cache is disabled. False: out of memory. */
bool cache_geometry_create(const struct cache_geometry *geometry, struct cache **out);

#endif
