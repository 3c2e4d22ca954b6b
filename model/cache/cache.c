#include "model/cache/cache.h"

#include <assert.h>
#include <stdlib.h>

#define X(constant, name, meaning) [constant] = &cache_##name,
static const struct cache_model_ops *const cache_models[] = {CACHE_PLACEMENTS(X)};
#undef X

struct cache *cache_create(enum cache_placement model, uint32_t lines, uint32_t ways, bool hash) {
  assert((unsigned)model < CHOICE_COUNT(CACHE_PLACEMENTS) && lines > 0 && ways > 0);
  return cache_models[model]->create(lines, ways, hash);
}

void cache_destroy(struct cache *cache) {
  free(cache); /* every model is one allocation */
}
