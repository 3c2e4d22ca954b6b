/* The hashed LRU list hits exactly when the reuse distance, counted on a plain stack of lines, is below the capacity;
 * touch never allocates; a larger cache never misses more (inclusion). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "model/cache/cache.h"
#include "rounds.h"

#define STREAMS 3000
#define LENGTH  400

/* A stack of all lines ever used, newest first. */
struct stack {
  uint32_t lines[LENGTH], count;
};

static uint32_t distance(const struct stack *s, uint32_t line) {
  uint32_t d = 0;
  while (d < s->count && s->lines[d] != line)
    d++;
  return d < s->count ? d : UINT32_MAX;
}

static void use(struct stack *s, uint32_t line) {
  uint32_t d = distance(s, line);
  uint32_t moved = d == UINT32_MAX ? s->count++ : d;
  memmove(s->lines + 1, s->lines, moved * sizeof *s->lines);
  s->lines[0] = line;
}

/* Mostly near lines, sometimes far ones, up to the largest line number there is. */
static uint32_t next_line(struct random_state *r, uint32_t last, uint32_t span) {
  uint32_t kind = random_below(r, 8);
  if (kind == 0)
    return CACHE_NO_LINE - 1 - random_below(r, span);
  return kind < 4 ? random_below(r, span) : (last + 1) % span;
}

static void check_stream(uint32_t seed) {
  struct random_state r = {seed};
  uint32_t capacity = 1 + random_below(&r, 40), span = 1 + random_below(&r, 80), line = 0;
  struct cache *cache = cache_create(CACHE_REUSE_DISTANCE, REPLACEMENT_LRU, capacity, 1, false);
  struct stack stack = {.count = 0};
  for (uint32_t i = 0; i < LENGTH; i++) {
    line = next_line(&r, line, span);
    bool near = distance(&stack, line) < capacity;
    if (random_below(&r, 5) == 0) {
      assert_int_equal(cache_touch(cache, line), near);
      if (!near)
        continue;
    } else {
      assert_int_equal(cache_access(cache, line), near);
    }
    use(&stack, line);
  }
  cache_destroy(cache);
}

static void test_equals_stack(void **state) {
  (void)state;
  for (uint32_t seed = 0; seed < rounds(STREAMS); seed++)
    check_stream(seed);
}

static void test_larger_never_misses_more(void **state) {
  (void)state;
  struct random_state r = {7};
  uint32_t misses[64] = {0}, line = 0;
  struct cache *caches[64];
  for (uint32_t i = 0; i < 64; i++)
    caches[i] = cache_create(CACHE_REUSE_DISTANCE, REPLACEMENT_LRU, i + 1, 1, false);
  for (uint32_t n = 0; n < 20000; n++) {
    line = next_line(&r, line, 90);
    for (uint32_t i = 0; i < 64; i++)
      misses[i] += !cache_access(caches[i], line);
  }
  for (uint32_t i = 0; i < 64; i++) {
    assert_true(i == 0 || misses[i] <= misses[i - 1]);
    cache_destroy(caches[i]);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_equals_stack),
                                     cmocka_unit_test(test_larger_never_misses_more)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
