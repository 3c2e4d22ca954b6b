/* A sectored cache: one tag serves several neighbouring lines, which are fetched one by one (Liptay, "Structural
 * aspects of the System/360 Model 85, II: the cache", IBM Systems Journal 7(1), 1968). NVIDIA calls the lines sectors.
 *
 * Placement and replacement are those of a cache of tags. A line hits if the cache has its tag and the line has been
 * fetched since the tag came; a tag that goes takes all of its lines along. Ownership: as in cache.h, the tags belong
 * to the cache. Errors: NULL when out of memory. Cost: that of the cache of tags and a table look-up. Threads: one at a
 * time. */
#ifndef MODEL_SECTORED_H
#define MODEL_SECTORED_H

#include "model/cache/cache.h"

/* Lines of a tag at most. */
#define SECTORED_MOST_LINES 16

/* Creates a cache that has one tag for each aligned 2^shift lines, of which `tags` holds one a line. Takes `tags` over,
 * whose placement must not be binomial_sets, and which may be NULL; destroys it when out of memory. */
struct cache *sectored_create(struct cache *tags, uint32_t shift);
/* Frees what the cache has beside its own memory. */
void sectored_clear(struct cache *cache);

/* Create L1 and L2 as the GPU has them. Return NULL when out of memory. */
struct cache *cache_create_l1(const struct gpu_spec *spec);
struct cache *cache_create_l2(const struct gpu_spec *spec);

extern const struct cache_model_ops cache_sectored;

#endif
