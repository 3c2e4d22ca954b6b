/* The texts of --groups, and the work-groups that they choose of a launch. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "workload/group_choice.h"

static struct index_ranges chosen(const char *text, uint64_t x, uint64_t y, uint64_t z) {
  const uint64_t groups[3] = {x, y, z};
  struct group_choice choice;
  struct index_ranges out = {0};
  struct error error = ERROR_INIT;
  if (group_choice_parse(text, &choice, &error) || group_choice_apply(&choice, groups, &out, &error))
    fail_msg("%s: %s", text, error.text);
  group_choice_clear(&choice);
  return out;
}

static void expect_ids(const char *text, uint64_t x, uint64_t y, const uint32_t *ids, size_t count) {
  struct index_ranges ranges = chosen(text, x, y, 1);
  uint32_t *list = index_ranges_expand(&ranges);
  assert_int_equal(index_ranges_total(&ranges), count);
  assert_memory_equal(list, ids, count * sizeof *ids);
  free(list);
  index_ranges_clear(&ranges);
}

static void lists_are_taken_as_they_are(void **state) {
  (void)state;
  expect_ids("0..2,7", 4, 4, (const uint32_t[]){0, 1, 2, 7}, 4);
  expect_ids("3", 4, 4, (const uint32_t[]){3}, 1);
  expect_ids("0..1,2..3", 8, 1, (const uint32_t[]){0, 1, 2, 3}, 4);
  expect_ids("0..15", 4, 4, NULL, 0); /* all */
}

/* Every class of a 2D launch is there: corners, edges and the inside, with neighbours in both dimensions. */
static void auto_covers_corners_edges_and_inside(void **state) {
  (void)state;
  struct index_ranges ranges = chosen("auto", 100, 50, 1);
  uint32_t *list = index_ranges_expand(&ranges);
  const size_t count = index_ranges_total(&ranges);
  unsigned seen[3][3] = {{0}}, pairs[2] = {0};
  for (size_t i = 0; i < count; i++) {
    const uint32_t x = list[i] % 100, y = list[i] / 100;
    seen[x == 0 ? 0 : x == 99 ? 2 : 1][y == 0 ? 0 : y == 49 ? 2 : 1]++;
    for (size_t k = 0; k < count; k++) {
      pairs[0] += list[k] == list[i] + 1 && x > 0 && x < 98;
      pairs[1] += list[k] == list[i] + 100 && y > 0 && y < 48;
    }
  }
  for (int i = 0; i < 9; i++)
    assert_true(seen[i / 3][i % 3] >= (i == 4 ? 5u : i % 2 ? 3u : 1u));
  assert_true(pairs[0] > 0 && pairs[1] > 0);
  assert_true(count < 64);
  free(list);
  index_ranges_clear(&ranges);
}

static void shares_hold_at_least_as_many(void **state) {
  (void)state;
  struct index_ranges tenth = chosen("10%", 1000, 1, 1), same = chosen("0.1", 1000, 1, 1), all = chosen("1.0", 9, 9, 9);
  assert_in_range(index_ranges_total(&tenth), 100, 130);
  assert_int_equal(index_ranges_total(&tenth), index_ranges_total(&same));
  assert_int_equal(index_ranges_total(&all), 0);
  index_ranges_clear(&tenth);
  index_ranges_clear(&same);
}

static void small_launches_are_chosen_whole(void **state) {
  (void)state;
  struct index_ranges one = chosen("auto", 1, 1, 1), few = chosen("auto", 3, 3, 1);
  assert_int_equal(index_ranges_total(&one), 0);
  assert_int_equal(index_ranges_total(&few), 0);
}

static void other_texts_are_refused(void **state) {
  (void)state;
  const char *const bad[] = {"",    "all",  "-1",    "1,",  ",1", "3..1",       "5,4",   "1..2,2", "1.5",
                             "0.0", "101%", "1...3", "1..", "x%", "4294967295", "1 ..2", "auto,1"};
  for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
    struct group_choice choice;
    struct error error = ERROR_INIT;
    if (group_choice_parse(bad[i], &choice, &error) == 0)
      fail_msg("\"%s\" was taken", bad[i]);
    assert_int_equal(error.kind, ERROR_INPUT);
    group_choice_clear(&choice);
  }
}

static void groups_behind_the_last_are_refused(void **state) {
  (void)state;
  const uint64_t groups[3] = {4, 4, 1};
  struct group_choice choice;
  struct index_ranges out = {0};
  struct error error = ERROR_INIT;
  assert_int_equal(group_choice_parse("3,16", &choice, &error), 0);
  assert_int_equal(group_choice_apply(&choice, groups, &out, &error), -1);
  assert_string_equal(error.text, "groups: found work-group 16; the launch has 16, counted from 0");
  group_choice_clear(&choice);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(lists_are_taken_as_they_are),  cmocka_unit_test(auto_covers_corners_edges_and_inside),
      cmocka_unit_test(shares_hold_at_least_as_many), cmocka_unit_test(small_launches_are_chosen_whole),
      cmocka_unit_test(other_texts_are_refused),      cmocka_unit_test(groups_behind_the_last_are_refused)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
