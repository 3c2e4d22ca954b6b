/* SRRIP is static re-reference interval prediction with hit priority and two bits for each line. A line that is fetched
 * is predicted to be used again after a long interval (2), one that hits to be used at once (0). The first line that is
 * predicted for the distant future (3) is evicted; if there is none, all predictions grow until there is one. The state
 * is the prediction of each way; empty ones are distant. Cost: O(ways) for each miss of a full set.
 * Source: Jaleel, Theobald, Steely and Emer, "High performance cache replacement using re-reference interval prediction
 * (RRIP)", ISCA 2010, section 4.1 (SRRIP-HP). */
#include "model/cache/replacement.h"

enum { NEAR = 0, LONG = 2, DISTANT = 3 };

static uint32_t words(uint32_t ways) {
  return ways;
}

static void start(uint32_t *state, uint32_t ways, uint32_t set) {
  (void)set;
  for (uint32_t i = 0; i < ways; i++)
    state[i] = DISTANT;
}

static void hit(uint32_t *state, uint32_t ways, uint32_t way) {
  (void)ways;
  state[way] = NEAR;
}

/* Sets the prediction of a fetched line. The victim's prediction is the largest of the set: all grow until it is
 * distant. */
static void fill(uint32_t *state, uint32_t ways, uint32_t way) {
  const uint32_t growth = DISTANT - state[way];
  for (uint32_t i = 0; i < ways && growth > 0; i++)
    state[i] += growth;
  state[way] = LONG;
}

static uint32_t victim(const uint32_t *state, uint32_t ways) {
  uint32_t first = 0;
  for (uint32_t i = 1; i < ways; i++)
    if (state[i] > state[first])
      first = i;
  return first;
}

const struct replacement_ops replacement_srrip = {
    .words = words, .start = start, .hit = hit, .fill = fill, .victim = victim};
