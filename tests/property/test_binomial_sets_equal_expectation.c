/* The cache corrected for associativity equals a plain list with probabilities from a table of occupancies, access by
 * access; and its miss ratio is what an exact set-associative cache has on average if lines fall into sets at random.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "model/cache/cache.h"
#include "reference_binomial.h"
#include "rounds.h"

#define STREAMS 400
#define LENGTH  600

static void check_stream(uint32_t seed) {
  struct random_state r = {seed};
  uint32_t sets = 1 + random_below(&r, 9), ways = 1 + random_below(&r, 6), span = 1 + random_below(&r, 150);
  struct cache *cache = cache_create(CACHE_BINOMIAL_SETS, REPLACEMENT_LRU, sets * ways, ways, false);
  struct reference_binomial naive = {.sets = sets, .ways = ways};
  for (int i = 0; i < LENGTH; i++) {
    uint32_t line = random_below(&r, 6) ? random_below(&r, span) : CACHE_NO_LINE - 1 - random_below(&r, span);
    bool allocate = random_below(&r, 5) > 0;
    uint64_t left = UINT64_MAX;
    uint32_t victim = cache_victim(cache, line);
    bool hit = reference_binomial_use(&naive, line, allocate, &left);
    assert_int_equal(allocate ? cache_access(cache, line) : cache_touch(cache, line), hit);
    if (allocate)
      assert_true(left == (victim == CACHE_NO_LINE ? UINT64_MAX : victim));
  }
  reference_binomial_clear(&naive);
  cache_destroy(cache);
}

static void test_equals_plain_list(void **state) {
  (void)state;
  for (uint32_t seed = 0; seed < rounds(STREAMS); seed++)
    check_stream(seed);
}

static void test_one_set_is_fully_associative(void **state) {
  (void)state;
  struct random_state r = {3};
  for (uint32_t lines = 1; lines < 40; lines++) {
    struct cache *one = cache_create(CACHE_BINOMIAL_SETS, REPLACEMENT_LRU, lines, lines, false);
    struct cache *reuse = cache_create(CACHE_REUSE_DISTANCE, REPLACEMENT_LRU, lines, lines, false);
    for (int i = 0; i < 2000; i++) {
      uint32_t line = random_below(&r, 2 * lines);
      assert_int_equal(cache_access(one, line), cache_access(reuse, line));
    }
    cache_destroy(one);
    cache_destroy(reuse);
  }
}

/* ---- against exact sets ---- */

enum stream_kind { STREAM_LOOP, STREAM_RANDOM, STREAM_SKEWED, STREAM_KINDS };

/* Number i of a stream over `span` lines. */
static uint32_t next_line(enum stream_kind kind, uint32_t span, uint32_t i, struct random_state *r) {
  if (kind == STREAM_LOOP)
    return i % span;
  if (kind == STREAM_RANDOM)
    return random_below(r, span);
  double unit = random_unit(r);
  return (uint32_t)(unit * unit * unit * span);
}

static double miss_ratio(enum cache_placement model, uint32_t sets, uint32_t ways, enum stream_kind kind, uint32_t span,
                         uint32_t mapping) {
  enum { ACCESSES = 8000 };
  struct random_state r = {7}, places = {mapping + 1};
  uint32_t *line_of = calloc(span, sizeof *line_of), misses = 0;
  for (uint32_t i = 0; i < span; i++)
    line_of[i] = random_below(&places, CACHE_NO_LINE);
  struct cache *cache = cache_create(model, REPLACEMENT_LRU, sets * ways, ways, false);
  for (uint32_t i = 0; i < ACCESSES; i++)
    misses += !cache_access(cache, line_of[next_line(kind, span, i, &r)]);
  cache_destroy(cache);
  free(line_of);
  return (double)misses / ACCESSES;
}

/* Averages over places in memory; the corrected one and the one of reuse distance do not depend on them. */
static void test_miss_ratio_is_that_of_sets_at_random_places(void **state) {
  (void)state;
  static const uint32_t shapes[][2] = {{64, 1}, {32, 2}, {64, 4}, {16, 8}, {8, 16}};
  enum { MAPPINGS = 96 };
  double worst = 0, worst_plain = 0;
  for (size_t s = 0; s < sizeof shapes / sizeof shapes[0]; s++)
    for (int kind = 0; kind < STREAM_KINDS; kind++)
      for (uint32_t quarter = 2; quarter <= 8; quarter++) {
        uint32_t sets = shapes[s][0], ways = shapes[s][1], span = sets * ways * quarter / 4;
        double exact = 0;
        for (uint32_t m = 0; m < MAPPINGS; m++)
          exact += miss_ratio(CACHE_EXACT_SETS, sets, ways, (enum stream_kind)kind, span, m) / MAPPINGS;
        double off = fabs(miss_ratio(CACHE_BINOMIAL_SETS, sets, ways, (enum stream_kind)kind, span, 0) - exact);
        double plain = fabs(miss_ratio(CACHE_REUSE_DISTANCE, sets, ways, (enum stream_kind)kind, span, 0) - exact);
        worst = fmax(worst, off);
        worst_plain = fmax(worst_plain, plain);
      }
  print_message("largest difference of miss ratios: %.4f corrected, %.4f by reuse distance alone\n", worst,
                worst_plain);
  assert_true(worst < 0.03);
  assert_true(worst_plain > 0.3);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_equals_plain_list),
                                     cmocka_unit_test(test_one_set_is_fully_associative),
                                     cmocka_unit_test(test_miss_ratio_is_that_of_sets_at_random_places)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
