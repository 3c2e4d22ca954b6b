/* Points of a board: strata of measured time, a split whose halves never meet, and points outside of it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "tuner/board/board_choice.h"

enum { POINTS = 1000, SPLIT = 100 };

static double values[POINTS];
static const struct board_split split = {.points = SPLIT, .seed = 7};

/* Times in an order that has nothing to do with their size: 7 is coprime to 1,000. */
static void fill_values(void) {
  for (size_t i = 0; i < POINTS; i++)
    values[i] = 1 + (double)(7 * i % POINTS);
}

static size_t *choose(const char *choice, size_t *count) {
  struct error error = ERROR_INIT;
  size_t *rows;
  assert_int_equal(board_choose(choice, values, POINTS, &split, &rows, count, &error), 0);
  for (size_t i = 1; i < *count; i++)
    assert_true(rows[i] > rows[i - 1]);
  return rows;
}

static void mark(const char *choice, size_t expected, bool *marks) {
  size_t count, *rows = choose(choice, &count);
  assert_int_equal(count, expected);
  for (size_t i = 0; i < count; i++) {
    assert_false(marks[rows[i]]);
    marks[rows[i]] = true;
  }
  free(rows);
}

/* Each of 100 equal parts of the sorted times has one of the 100 points. */
static void test_strata(void **state) {
  size_t count, *rows = choose("100", &count);
  bool parts[SPLIT] = {false};
  assert_int_equal(count, SPLIT);
  for (size_t i = 0; i < count; i++) {
    const size_t part = (size_t)(values[rows[i]] - 1) / (POINTS / SPLIT);
    assert_false(parts[part]);
    parts[part] = true;
  }
  free(rows);
  (void)state;
}

/* The halves and the unseen points do not meet; both halves together are the points of the split. */
static void test_split(void **state) {
  bool marks[POINTS] = {false}, whole[POINTS] = {false};
  mark("train", SPLIT / 2, marks);
  mark("test", SPLIT / 2, marks);
  mark("100", SPLIT, whole);
  assert_memory_equal(marks, whole, sizeof marks);
  mark("unseen=900", 900, marks);
  for (size_t i = 0; i < POINTS; i++)
    assert_true(marks[i]);
  (void)state;
}

/* Some of a half are part of it, and all of them are the half. */
static void test_some_of_a_half(void **state) {
  bool half[POINTS] = {false}, all[POINTS] = {false};
  mark("train", SPLIT / 2, half);
  mark("train=50", SPLIT / 2, all);
  assert_memory_equal(half, all, sizeof half);
  size_t count, *rows = choose("train=7", &count);
  assert_int_equal(count, 7);
  for (size_t i = 0; i < count; i++)
    assert_true(half[rows[i]]);
  free(rows);
  (void)state;
}

static void test_all(void **state) {
  size_t count, *rows = choose("all", &count);
  assert_int_equal(count, POINTS);
  free(rows);
  rows = choose(NULL, &count);
  assert_int_equal(count, POINTS);
  free(rows);
  (void)state;
}

static void test_too_many(void **state) {
  static const char *const choices[] = {"0", "1001", "unseen=901", "unseen=0", "train=51", "test=0"};
  for (size_t i = 0; i < sizeof choices / sizeof choices[0]; i++) {
    struct error error = ERROR_INIT;
    size_t *rows, count;
    assert_int_equal(board_choose(choices[i], values, POINTS, &split, &rows, &count, &error), -1);
    assert_int_equal(error.kind, ERROR_INPUT);
  }
  (void)state;
}

static void test_names(void **state) {
  static const struct {
    const char *text;
    size_t length;
  } names[] = {{"a", 1},          {"a:train", 1}, {"a:test", 1}, {"a:300", 1},
               {"a:unseen=5", 1}, {"a:all", 1},   {"b:c", 3},    {"b:", 2}};
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
    assert_int_equal(board_name_length(names[i].text), names[i].length);
  (void)state;
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_strata),         cmocka_unit_test(test_split),
                                     cmocka_unit_test(test_some_of_a_half), cmocka_unit_test(test_all),
                                     cmocka_unit_test(test_too_many),       cmocka_unit_test(test_names)};
  fill_values();
  return cmocka_run_group_tests(tests, NULL, NULL);
}
