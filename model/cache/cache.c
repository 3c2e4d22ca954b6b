#include "model/cache/cache.h"

#include <assert.h>
#include <stdlib.h>

const struct cache_model_ops *const cache_models[] = {
    [CACHE_REUSE_DISTANCE] = &cache_reuse_distance,
    [CACHE_EXACT_SETS] = &cache_exact_sets,
    [CACHE_BINOMIAL_SETS] = &cache_binomial_sets,
};
const unsigned cache_model_count = sizeof cache_models / sizeof cache_models[0];

struct cache *cache_create(enum cache_model model, uint32_t lines, uint32_t ways, bool hash) {
  assert((unsigned)model < cache_model_count && lines > 0 && ways > 0);
  return cache_models[model]->create(lines, ways, hash);
}

void cache_destroy(struct cache *cache) {
  free(cache); /* every model is one allocation */
}
