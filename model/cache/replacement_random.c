/* Random evicts any line, each with the same probability. Each set draws its own numbers from SplitMix64, seeded with
 * the number of the set, so that results are reproducible. Cost: O(1). Source: Belady, "A study of replacement
 * algorithms for a virtual-storage computer", IBM Systems Journal 5(2), 1966 (RAND). */
#include <string.h>

#include "base/random.h"
#include "model/cache/replacement.h"

static uint32_t words(uint32_t ways) {
  (void)ways;
  return sizeof(struct random_state) / sizeof(uint32_t);
}

static void start(uint32_t *state, uint32_t ways, uint32_t set) {
  (void)ways;
  const struct random_state random = {set};
  memcpy(state, &random, sizeof random);
}

static void fill(uint32_t *state, uint32_t ways, uint32_t way) {
  (void)ways;
  (void)way;
  struct random_state random;
  memcpy(&random, state, sizeof random);
  random_next(&random);
  memcpy(state, &random, sizeof random);
}

static uint32_t victim(const uint32_t *state, uint32_t ways) {
  struct random_state random;
  memcpy(&random, state, sizeof random);
  return random_below(&random, ways);
}

const struct replacement_ops replacement_random = {.words = words, .start = start, .fill = fill, .victim = victim};
