/* Set-associative caches with any replacement policy except LRU (policy_sets.c). */
#ifndef MODEL_POLICY_SETS_H
#define MODEL_POLICY_SETS_H

#include "model/cache/cache.h"
#include "model/cache/replacement.h"

/* Returns a cache of `lines` / `ways` sets, or NULL when out of memory. */
struct cache *policy_sets_create(const struct replacement_ops *policy, uint32_t lines, uint32_t ways, bool hash);

#endif
