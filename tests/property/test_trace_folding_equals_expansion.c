/* Folded steps expand to the sequence they came from, and loops are found: nests of loops fold to a handful of steps.
 * The steps are those of a slow reference, which compares nodes step by step and tries every length of a body; also by
 * a fold that has folded other sequences before. */
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

enum { MOST = 900 }; /* fewer blocks than the fold keeps nodes */

struct slow_node {
  uint32_t first, count, length, height; /* steps; blocks of the expansion; loops nested in it */
};

struct slow_fold {
  struct trace_step steps[2 * MOST];
  struct slow_node nodes[MOST];
  uint32_t step_count, node_count;
};

static uint32_t most(uint32_t a, uint32_t b) {
  return a > b ? a : b;
}

/* Returns whether the last k nodes equal the k before them, and writes the loops nested in them to *height. */
static int repeats(const struct slow_fold *s, uint32_t k, uint32_t *height) {
  *height = 0;
  for (uint32_t i = s->node_count - k; i < s->node_count; i++) {
    const struct slow_node *a = &s->nodes[i], *b = &s->nodes[i - k];
    if (a->count != b->count || memcmp(s->steps + a->first, s->steps + b->first, a->count * sizeof *s->steps) != 0)
      return 0;
    *height = most(*height, a->height);
  }
  return *height < TRACE_MAX_DEPTH;
}

/* Makes the last 2k nodes a loop, which takes in what follows at *at. */
static void make_loop(struct slow_fold *s, uint32_t k, uint32_t height, const uint16_t *blocks, size_t count,
                      size_t *at) {
  const struct slow_node *first = &s->nodes[s->node_count - 2 * k], *second = first + k;
  uint32_t length = 0, repeat = 2;
  for (uint32_t i = 0; i < k; i++)
    length += first[i].length;
  for (; count - *at >= length && memcmp(blocks + *at, blocks + *at - length, length * sizeof *blocks) == 0; repeat++)
    *at += length;
  const uint32_t step = first->first, body = second->first - step;
  memmove(s->steps + step + 1, s->steps + step, body * sizeof *s->steps);
  s->steps[step] = (struct trace_step){.repeat = repeat, .body = body};
  s->step_count = step + 1 + body;
  s->node_count -= 2 * k;
  s->nodes[s->node_count++] = (struct slow_node){step, 1 + body, repeat * length, height + 1};
}

static void fold_slowly(struct slow_fold *s, const uint16_t *blocks, size_t count) {
  s->step_count = s->node_count = 0;
  for (size_t at = 0; at < count;) {
    s->nodes[s->node_count++] = (struct slow_node){s->step_count, 1, 1, 0};
    s->steps[s->step_count++] = (struct trace_step){.block = blocks[at++], .repeat = 1};
    for (uint32_t k = 1, height; k <= FOLD_MAX_BODY && 2 * k <= s->node_count;) {
      if (repeats(s, k, &height)) {
        make_loop(s, k, height, blocks, count, &at);
        k = 1;
      } else {
        k++;
      }
    }
  }
}

/* A sequence like that of a loop whose iterations take one of two ways, in one of some patterns or at random. */
static size_t draw(struct random_state *random, uint16_t *blocks) {
  const size_t count = 1 + random_below(random, MOST);
  const uint32_t pattern = random_below(random, 4096), bits = 1 + random_below(random, 12);
  const uint32_t noise = 1 + random_below(random, 60);
  size_t at = 0;
  for (uint32_t i = 0; at + 3 < count; i++) {
    const uint32_t way = random_below(random, noise) == 0 ? random_below(random, 2) : pattern >> i % bits & 1;
    blocks[at++] = 2;
    if (way)
      blocks[at++] = (uint16_t)(noise % 2 ? 3 : 300);
    blocks[at++] = 4;
  }
  while (at < count)
    blocks[at++] = (uint16_t)random_below(random, 6);
  return count;
}

static void equals_reference(void **state) {
  (void)state;
  static struct fold fold;
  static struct slow_fold slow;
  static uint16_t blocks[MOST + 1], long_one[5000];
  struct random_state random = {17};
  for (int i = 0; i < 4000; i++) {
    const struct trace_step *steps;
    uint32_t count;
    const size_t length = draw(&random, blocks);
    fold_slowly(&slow, blocks, length);
    assert_int_equal(fold_blocks(&fold, blocks, length, &steps, &count, NULL), 0);
    assert_int_equal(count, slow.step_count);
    assert_memory_equal(steps, slow.steps, count * sizeof *steps);
    if (i % 50 == 0) /* serial numbers start again in the next sequences */
      fold.first_serial = UINT32_MAX / 2 - 2000;
    if (i % 7 == 0) /* more nodes than are kept */
      for (size_t k = 0; k < sizeof long_one / sizeof *long_one; k++)
        long_one[k] = (uint16_t)random_below(&random, 1000);
    assert_int_equal(i % 7 == 0   ? fold_blocks(&fold, long_one, 5000, &steps, &count, NULL)
                     : i % 7 == 1 ? fold_not(&fold, blocks, length, &steps, &count, NULL)
                                  : 0,
                     0);
  }
  fold_clear(&fold);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(random_sequences),
      cmocka_unit_test(nests_fold_completely),
      cmocka_unit_test(deeper_nests_stay_unrolled),
      cmocka_unit_test(triangular_nest_folds_inside),
      cmocka_unit_test(long_sequences),
      cmocka_unit_test(equals_reference),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
