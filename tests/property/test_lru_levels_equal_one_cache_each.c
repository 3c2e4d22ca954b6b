/* A list with markers says of each size what a fully associative LRU cache of that size says, on random lines with much
 * and with little reuse. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <stdint.h>
#include <stdlib.h>

#include "base/random.h"
#include "model/cache/cache.h"
#include "model/cache/multi_size_lru.h"
#include "rounds.h"

enum { CASES = 300, ACCESSES = 2000, MOST_SIZES = 12 };

/* Near neighbours, a scan, or anything. */
static uint32_t some_line(struct random_state *r, uint32_t i, uint32_t span) {
  switch (random_below(r, 3)) {
  case 0:
    return random_below(r, 1 + span / 8);
  case 1:
    return i % span;
  default:
    return random_below(r, span) * 4096;
  }
}

static void check_case(struct random_state *r) {
  uint32_t sizes[MOST_SIZES], count = 0;
  struct cache *caches[MOST_SIZES];
  for (uint32_t size = 1 + random_below(r, 3); count < 1 + random_below(r, MOST_SIZES); size += 1 + random_below(r, 20))
    sizes[count++] = size;
  struct multi_size_lru *levels = multi_size_lru_create(sizes, count);
  assert_non_null(levels);
  for (uint32_t s = 0; s < count; s++)
    assert_non_null(caches[s] = cache_create(CACHE_REUSE_DISTANCE, REPLACEMENT_LRU, sizes[s], 1, false));
  const uint32_t span = 1 + random_below(r, 300);
  for (uint32_t i = 0; i < ACCESSES; i++) {
    const uint32_t line = some_line(r, i, span), level = multi_size_lru_access(levels, line);
    for (uint32_t s = 0; s < count; s++)
      assert_int_equal(cache_access(caches[s], line), s >= level);
  }
  for (uint32_t s = 0; s < count; s++)
    cache_destroy(caches[s]);
  multi_size_lru_destroy(levels);
}

static void test_equals_one_each(void **state) {
  (void)state;
  struct random_state r = {5};
  for (uint32_t i = 0; i < rounds(CASES); i++)
    check_case(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_equals_one_each)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
