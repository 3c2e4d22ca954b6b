/* Each replacement policy decides as a set of places that remember when their line came and when it was used does, for
 * any placement; and each keeps the laws that its paper states. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <stdint.h>
#include <stdlib.h>

#include "base/random.h"
#include "model/cache/cache.h"
#include "reference_cache.h"
#include "rounds.h"

#define STREAMS 600
#define LENGTH  600

static const char *const names[] = {
#define X(constant, name, meaning) #name,
    REPLACEMENT_POLICIES(X)
#undef X
};

/* ---- equality ---- */

struct shape {
  int placement, policy;
  uint32_t sets, ways;
  bool hash;
};

static struct cache *make(const struct shape *shape, struct reference_cache *reference) {
  const uint32_t lines = shape->sets * shape->ways;
  *reference = (struct reference_cache){0};
  reference_cache_make(reference, true, shape->placement, shape->policy, lines, shape->ways, 1, shape->hash);
  struct cache *cache = cache_create((enum cache_placement)shape->placement, (enum replacement_policy)shape->policy,
                                     lines, shape->ways, shape->hash);
  assert_non_null(cache);
  return cache;
}

static struct shape random_shape(struct random_state *r, int policy) {
  static const uint32_t ways[] = {1, 2, 3, 4, 5, 8, 16, 31, 33, 64};
  const bool hash = random_below(r, 3) == 0;
  return (struct shape){.placement = random_below(r, 3) ? CACHE_EXACT_SETS : CACHE_REUSE_DISTANCE,
                        .policy = policy,
                        .sets = hash ? UINT32_C(1) << random_below(r, 4) : 1 + random_below(r, 9),
                        .ways = ways[random_below(r, sizeof ways / sizeof ways[0])],
                        .hash = hash};
}

static void check_use(struct cache *cache, struct reference_cache *reference, uint32_t line, bool allocate) {
  struct reference_place left;
  const uint32_t victim = cache_victim(cache, line);
  const bool hit = reference_cache_write(reference, line, allocate, false, &left);
  if (allocate)
    assert_int_equal(victim, left.taken ? left.line : CACHE_NO_LINE);
  assert_int_equal(allocate ? cache_access(cache, line) : cache_touch(cache, line), hit);
}

static void check_stream(int policy, uint32_t seed) {
  struct random_state r = {seed};
  const struct shape shape = random_shape(&r, policy);
  const uint32_t span = 1 + random_below(&r, 3 * shape.sets * shape.ways);
  struct reference_cache reference;
  struct cache *cache = make(&shape, &reference);
  for (int i = 0; i < LENGTH; i++)
    check_use(cache, &reference,
              random_below(&r, 6) ? random_below(&r, span) : CACHE_NO_LINE - 1 - random_below(&r, span),
              random_below(&r, 5) > 0);
  reference_cache_clear(&reference);
  cache_destroy(cache);
}

static void test_equals_the_reference(void **state) {
  (void)state;
  for (int policy = 0; policy < CHOICE_COUNT(REPLACEMENT_POLICIES); policy++) {
    print_message("%s\n", names[policy]);
    for (uint32_t seed = 0; seed < rounds(STREAMS); seed++)
      check_stream(policy, seed);
  }
}

/* ---- laws ---- */

static struct cache *one_set(int policy, uint32_t ways) {
  struct cache *cache = cache_create(CACHE_EXACT_SETS, (enum replacement_policy)policy, ways, ways, false);
  assert_non_null(cache);
  return cache;
}

/* Lines that fit never leave, under any policy; a line that was used just now is there. */
static void test_lines_that_fit_stay(void **state) {
  (void)state;
  struct random_state r = {7};
  for (int policy = 0; policy < CHOICE_COUNT(REPLACEMENT_POLICIES); policy++)
    for (uint32_t ways = 1; ways < 40; ways++) {
      struct cache *cache = one_set(policy, ways);
      bool seen[40] = {false};
      for (int i = 0; i < 500; i++) {
        const uint32_t line = random_below(&r, ways);
        assert_int_equal(cache_access(cache, line), seen[line]);
        seen[line] = true;
      }
      for (int i = 0; i < 500; i++) {
        const uint32_t line = random_below(&r, 1000);
        cache_access(cache, line);
        assert_true(cache_touch(cache, line));
      }
      cache_destroy(cache);
    }
}

/* The law of FIFO: uses change nothing, so that lines leave in the order in which they came. */
static void test_fifo_ignores_uses(void **state) {
  (void)state;
  struct random_state r = {11};
  struct cache *cache = one_set(REPLACEMENT_FIFO, 6);
  for (uint32_t line = 0; line < 500; line++) {
    assert_int_equal(cache_victim(cache, line), line < 6 ? CACHE_NO_LINE : line - 6);
    assert_false(cache_access(cache, line));
    for (uint32_t i = 0; i < 10; i++) {
      const uint32_t back = random_below(&r, 6);
      assert_int_equal(cache_access(cache, line - (back <= line ? back : 0)), 1);
    }
  }
  cache_destroy(cache);
}

/* The laws of tree PLRU: the line used last never goes; with two ways it is LRU. */
static void test_tree_plru_spares_the_last_used(void **state) {
  (void)state;
  struct random_state r = {12};
  for (uint32_t ways = 2; ways < 40; ways++) {
    struct cache *tree = one_set(REPLACEMENT_TREE_PLRU, ways), *lru = one_set(REPLACEMENT_LRU, ways);
    for (int i = 0; i < 1000; i++) {
      const uint32_t line = random_below(&r, 2 * ways);
      const bool hit = cache_access(tree, line), lru_hit = cache_access(lru, line);
      assert_true(ways > 2 || hit == lru_hit);
      assert_int_not_equal(cache_victim(tree, 1000), line);
    }
    cache_destroy(tree);
    cache_destroy(lru);
  }
}

/* The laws of random replacement: each place goes equally often, two caches draw the same, two sets do not. */
static void test_random_is_fair_and_the_same_each_time(void **state) {
  (void)state;
  enum { WAYS = 8, DRAWS = 80000 };
  struct cache *a = cache_create(CACHE_EXACT_SETS, REPLACEMENT_RANDOM, 2 * WAYS, WAYS, false);
  struct cache *b = cache_create(CACHE_EXACT_SETS, REPLACEMENT_RANDOM, 2 * WAYS, WAYS, false);
  uint32_t held[2][WAYS], gone[WAYS] = {0}, different = 0;
  for (uint32_t i = 0; i < 2 * WAYS; i++)
    assert_false(cache_access(a, i) || cache_access(b, i)), held[i % 2][i / 2] = i;
  for (uint32_t i = 2 * WAYS; i < 2 * DRAWS; i += 2) {
    uint32_t way[2] = {0, 0};
    for (uint32_t set = 0; set < 2; set++) {
      const uint32_t victim = cache_victim(a, i + set);
      assert_int_equal(victim, cache_victim(b, i + set));
      while (held[set][way[set]] != victim)
        assert_true(++way[set] < WAYS);
      held[set][way[set]] = i + set;
      assert_false(cache_access(a, i + set) || cache_access(b, i + set));
    }
    gone[way[0]]++;
    different += way[0] != way[1];
  }
  for (uint32_t i = 0; i < WAYS; i++)
    assert_in_range(gone[i], DRAWS / WAYS * 95 / 100, DRAWS / WAYS * 105 / 100);
  assert_in_range(different, (uint64_t)DRAWS * 85 / 100, (uint64_t)DRAWS * 90 / 100); /* 7 of 8 */
  cache_destroy(a);
  cache_destroy(b);
}

static uint32_t misses(struct cache *cache, const uint32_t *lines, uint32_t count, uint32_t times) {
  uint32_t sum = 0;
  for (uint32_t i = 0; i < times * count; i++)
    sum += !cache_access(cache, lines[i % count]);
  return sum;
}

/* The law of SRRIP: lines that are used again stay while up to two lines that are used once pass through between two
 * of their uses. LRU keeps them only while all of these fit. */
static void test_srrip_resists_scans(void **state) {
  (void)state;
  enum { WAYS = 8, REUSED = WAYS - 1, SCANNED = 2 };
  struct cache *srrip = one_set(REPLACEMENT_SRRIP, WAYS), *lru = one_set(REPLACEMENT_LRU, WAYS);
  uint32_t reused[REUSED], srrip_misses = 0, lru_misses = 0;
  for (uint32_t i = 0; i < REUSED; i++)
    reused[i] = i;
  misses(srrip, reused, REUSED, 2);
  misses(lru, reused, REUSED, 2);
  for (uint32_t round = 1; round < 200; round++) {
    for (uint32_t i = 0; i < SCANNED; i++) {
      assert_false(cache_access(srrip, SCANNED * round + 100 + i));
      assert_false(cache_access(lru, SCANNED * round + 100 + i));
    }
    srrip_misses += misses(srrip, reused, REUSED, 1);
    lru_misses += misses(lru, reused, REUSED, 1);
  }
  assert_int_equal(srrip_misses, 0);
  assert_true(lru_misses >= 199 * (SCANNED - 1));
  cache_destroy(srrip);
  cache_destroy(lru);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_equals_the_reference),
      cmocka_unit_test(test_lines_that_fit_stay),
      cmocka_unit_test(test_fifo_ignores_uses),
      cmocka_unit_test(test_tree_plru_spares_the_last_used),
      cmocka_unit_test(test_random_is_fair_and_the_same_each_time),
      cmocka_unit_test(test_srrip_resists_scans),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
