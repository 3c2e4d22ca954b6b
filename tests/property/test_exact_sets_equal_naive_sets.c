/* The set-associative cache equals one that keeps a time stamp per way and searches; one set of n ways equals the
 * reuse-distance cache of n lines. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <stdint.h>
#include <stdlib.h>

#include "base/random.h"
#include "model/cache/cache.h"
#include "rounds.h"

#define STREAMS 2000
#define LENGTH  400

struct way {
  uint32_t line;
  uint64_t used; /* 0: empty */
};

static bool naive_use(struct way *ways, uint32_t sets, uint32_t per_set, uint32_t line, uint64_t now, bool allocate) {
  struct way *oldest = NULL;
  for (uint32_t i = 0; i < sets * per_set; i++) {
    if (i / per_set != line % sets)
      continue;
    if (ways[i].used && ways[i].line == line) {
      ways[i].used = now;
      return true;
    }
    if (!oldest || ways[i].used < oldest->used)
      oldest = &ways[i];
  }
  if (allocate)
    *oldest = (struct way){line, now};
  return false;
}

static void check_stream(uint32_t seed) {
  struct random_state r = {seed};
  uint32_t sets = 1 + random_below(&r, 9), per_set = 1 + random_below(&r, 6), span = 1 + random_below(&r, 120);
  struct cache *cache = cache_create(CACHE_EXACT_SETS, REPLACEMENT_LRU, sets * per_set, per_set, false);
  struct way *ways = calloc(sets * per_set, sizeof *ways);
  for (uint64_t now = 1; now <= LENGTH; now++) {
    uint32_t line = random_below(&r, 6) ? random_below(&r, span) : CACHE_NO_LINE - 1 - random_below(&r, span);
    bool allocate = random_below(&r, 5) > 0;
    bool hit = naive_use(ways, sets, per_set, line, now, allocate);
    assert_int_equal(allocate ? cache_access(cache, line) : cache_touch(cache, line), hit);
  }
  free(ways);
  cache_destroy(cache);
}

static void test_equals_naive(void **state) {
  (void)state;
  for (uint32_t seed = 0; seed < rounds(STREAMS); seed++)
    check_stream(seed);
}

static void test_one_set_equals_reuse_distance(void **state) {
  (void)state;
  struct random_state r = {3};
  for (uint32_t lines = 1; lines < 40; lines++) {
    struct cache *sets = cache_create(CACHE_EXACT_SETS, REPLACEMENT_LRU, lines, lines, false);
    struct cache *reuse = cache_create(CACHE_REUSE_DISTANCE, REPLACEMENT_LRU, lines, lines, false);
    for (int i = 0; i < 2000; i++) {
      uint32_t line = random_below(&r, 2 * lines);
      assert_int_equal(cache_access(sets, line), cache_access(reuse, line));
    }
    cache_destroy(sets);
    cache_destroy(reuse);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_equals_naive),
                                     cmocka_unit_test(test_one_set_equals_reuse_distance)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
