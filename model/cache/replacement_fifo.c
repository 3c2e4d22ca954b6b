/* FIFO evicts the line that was fetched longest ago; uses change nothing. The state is the way whose line is evicted
 * next, because ways are filled one after another. Cost: O(1). Source: Belady, "A study of replacement algorithms for a
 * virtual-storage computer", IBM Systems Journal 5(2), 1966. */
#include "model/cache/replacement.h"

static uint32_t words(uint32_t ways) {
  (void)ways;
  return 1;
}

static void fill(uint32_t *state, uint32_t ways, uint32_t way) {
  *state = (way + 1) % ways;
}

static uint32_t victim(const uint32_t *state, uint32_t ways) {
  (void)ways;
  return *state;
}

const struct replacement_ops replacement_fifo = {.words = words, .fill = fill, .victim = victim};
