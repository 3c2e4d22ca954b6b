/* A sectored cache: one tag serves several neighbouring lines, which are fetched one by one (Liptay, "Structural
 * aspects of the System/360 Model 85, II: the cache", IBM Systems Journal 7(1), 1968). NVIDIA calls the lines sectors.
 *
 * Placement and replacement are those of a cache of tags. A line hits if the cache has its tag and the line has been
 * fetched since the tag came; a tag that goes takes all of its lines along. Lines of one tag are used together as bits
 * of a set, for the cost of one. There are two kinds: one for any placement and replacement, and one that keeps the
 * lines of each tag in the list of a fully associative LRU cache. Ownership: as in cache.h, the tags belong to the
 * cache. Errors: NULL when out of memory. Cost: that of the cache of tags and, of the first kind, a table look-up.
 * Threads: one at a time. */
#ifndef MODEL_SECTORED_H
#define MODEL_SECTORED_H

#include "model/cache/cache.h"

/* Lines of a tag at most. */
#define SECTORED_MOST_LINES 16

/* Creates a cache that has one tag for each aligned 2^shift lines, of which `tags` holds one a line. Takes `tags` over,
 * whose placement must not be binomial_sets, and which may be NULL; destroys it when out of memory. */
struct cache *sectored_create(struct cache *tags, uint32_t shift);
/* Creates the same as sectored_create with `tags` tags of CACHE_REUSE_DISTANCE and REPLACEMENT_LRU. Returns NULL when
 * out of memory. */
struct cache *sectored_lru_create(uint32_t tags, uint32_t shift);
/* Frees what a cache of sectored_create has beside its own memory. */
void sectored_clear(struct cache *cache);

/* Create L1 and L2 as the GPU has them. Return NULL when out of memory. */
struct cache *cache_create_l1(const struct gpu_spec *spec);
struct cache *cache_create_l2(const struct gpu_spec *spec);

/* Lines of one tag. */
struct tag_lines {
  uint32_t tag, lines; /* a bit for each line */
  uint32_t count;
};

/* Returns those of `count` lines, at least one, that share the tag of the first and ascend, up to the first that does
 * not. 2^shift lines share a tag. */
static inline struct tag_lines tag_lines_first(uint32_t shift, const uint32_t *lines, uint32_t count) {
  const uint32_t others = (1u << shift) - 1;
  struct tag_lines first = {lines[0] >> shift, 1u << (lines[0] & others), 1};
  for (; first.count < count; first.count++) {
    const uint32_t line = lines[first.count];
    if (line >> shift != first.tag || line <= lines[first.count - 1])
      break;
    first.lines |= 1u << (line & others);
  }
  return first;
}

extern const struct cache_model_ops cache_sectored, cache_sectored_lru;

#endif
