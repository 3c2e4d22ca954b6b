/* Folded steps expand to the sequence they came from, and loops are found: nests of loops fold to a handful of steps.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "base/random.h"
#include "trace/path/fold.h"

/* Naive expansion into `to` (room for `room`); returns the length. */
static size_t expand(const struct trace_step *steps, uint32_t begin, uint32_t end, uint16_t *to, size_t room) {
  size_t length = 0;
  for (uint32_t i = begin; i < end; i += 1 + steps[i].body) {
    if (steps[i].body == 0) {
      assert_true(length < room);
      to[length++] = (uint16_t)steps[i].block;
      continue;
    }
    assert_true(steps[i].repeat >= 2 && i + steps[i].body < end);
    for (uint32_t r = 0; r < steps[i].repeat; r++)
      length += expand(steps, i + 1, i + 1 + steps[i].body, to + length, room - length);
  }
  return length;
}

static uint32_t depth_of(const struct trace_step *steps, uint32_t begin, uint32_t end) {
  uint32_t deepest = 0;
  for (uint32_t i = begin; i < end; i += 1 + steps[i].body)
    if (steps[i].body) {
      const uint32_t depth = 1 + depth_of(steps, i + 1, i + 1 + steps[i].body);
      deepest = depth > deepest ? depth : deepest;
    }
  return deepest;
}

/* Folds, compares with the expansion, gives the number of steps. */
static uint32_t folded(const uint16_t *blocks, size_t count) {
  static struct fold fold;
  const struct trace_step *steps;
  uint32_t step_count;
  uint16_t *again = malloc((count + 1) * sizeof *again);
  assert_int_equal(fold_blocks(&fold, blocks, count, &steps, &step_count, NULL), 0);
  assert_int_equal(expand(steps, 0, step_count, again, count), count);
  assert_memory_equal(again, blocks, count * sizeof *blocks);
  assert_true(depth_of(steps, 0, step_count) <= TRACE_MAX_DEPTH);
  free(again);
  fold_clear(&fold);
  return step_count;
}

static void random_sequences(void **state) {
  (void)state;
  struct random_state random = {1};
  static uint16_t blocks[600];
  for (int i = 0; i < 20000; i++) {
    const size_t count = 1 + random_below(&random, i % 10 ? 40 : 600);
    const uint32_t different = 1 + random_below(&random, 4);
    for (size_t k = 0; k < count; k++)
      blocks[k] = (uint16_t)random_below(&random, different);
    folded(blocks, count);
  }
}

/* A random nest: each level's body is a few blocks around the level inside. */
static size_t nest(struct random_state *random, uint16_t *to, uint32_t depth, uint16_t label) {
  size_t length = 0;
  to[length++] = label;
  if (depth == 0)
    return length;
  length += nest(random, to + length, depth - 1, (uint16_t)(label + 2));
  to[length++] = (uint16_t)(label + 1);
  const uint32_t trips = 2 + random_below(random, 5);
  for (uint32_t t = 1; t < trips; t++)
    memcpy(to + t * length, to, length * sizeof *to);
  return trips * length;
}

static void nests_fold_completely(void **state) {
  (void)state;
  struct random_state random = {2};
  uint16_t *blocks = malloc(4000000 * sizeof *blocks);
  for (int i = 0; i < 200; i++) {
    const uint32_t depth = 1 + random_below(&random, 6);
    const size_t count = nest(&random, blocks, depth, 0);
    assert_true(folded(blocks, count) == 3 * depth + 1);
  }
  free(blocks);
}

/* Ten loops around each other: eight stay folded, the rest is unrolled. */
static void deeper_nests_stay_unrolled(void **state) {
  (void)state;
  enum { DEPTH = 10 };
  uint16_t *blocks = malloc((4u << DEPTH) * sizeof *blocks);
  size_t count = 1;
  blocks[0] = 0;
  for (uint16_t d = 1; d <= DEPTH; d++) {
    blocks[count++] = d;
    memcpy(blocks + count, blocks, count * sizeof *blocks);
    count *= 2;
  }
  const uint32_t steps = folded(blocks, count);
  assert_true(steps > 2 * DEPTH + 1 && steps < 8 * (2 * DEPTH + 1));
  free(blocks);
}

static void triangular_nest_folds_inside(void **state) {
  (void)state;
  static uint16_t blocks[6000];
  size_t count = 0;
  for (uint32_t i = 2; i < 100; i++) {
    blocks[count++] = 1;
    for (uint32_t k = 0; k < i; k++)
      blocks[count++] = 2;
  }
  assert_int_equal(folded(blocks, count), 98 * 3);
}

/* Near linear: ten million blocks of no regularity take seconds at most even with sanitizers. */
static void long_sequences(void **state) {
  (void)state;
  const size_t count = 10000000;
  uint16_t *blocks = malloc(count * sizeof *blocks);
  struct random_state random = {3};
  for (size_t i = 0; i < count; i++)
    blocks[i] = (uint16_t)random_below(&random, 3);
  const clock_t start = clock();
  folded(blocks, count);
  assert_true((double)(clock() - start) / CLOCKS_PER_SEC < 60);
  free(blocks);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(random_sequences),
      cmocka_unit_test(nests_fold_completely),
      cmocka_unit_test(deeper_nests_stay_unrolled),
      cmocka_unit_test(triangular_nest_folds_inside),
      cmocka_unit_test(long_sequences),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
