#include "model/cache/cache.h"

#include <assert.h>
#include <stdlib.h>

#include "model/cache/policy_sets.h"
#include "model/cache/sectored.h"

#define X(constant, name, meaning) [constant] = &cache_##name,
static const struct cache_model_ops *const placements[] = {CACHE_PLACEMENTS(X)};
#undef X

struct cache *cache_create(enum cache_placement placement, enum replacement_policy replacement, uint32_t lines,
                           uint32_t ways, bool hash) {
  assert((unsigned)placement < CHOICE_COUNT(CACHE_PLACEMENTS) && lines > 0 && ways > 0);
  const struct replacement_ops *policy = replacement_policies[replacement];
  if (policy->by_last_use || placement == CACHE_BINOMIAL_SETS)
    return placements[placement]->create(lines, ways, hash);
  if (placement == CACHE_REUSE_DISTANCE)
    return policy_sets_create(policy, lines, lines, false);
  return policy_sets_create(policy, lines, ways, hash);
}

void cache_destroy(struct cache *cache) {
  if (cache && cache->ops == &cache_sectored)
    sectored_clear(cache);
  free(cache); /* every kind of cache is one allocation */
}
