/* Ranking: order, intervals, ties and reasons on hand-made results. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "dse/rank.h"

static void test_order_ties_and_reasons(void **state) {
  (void)state;
  struct sim_line slow_lines[] = {{.line = 3, .stack = {.issue = 50, .dram = 10}},
                                  {.line = 7, .stack = {.issue = 50, .dram = 300}}};
  struct sim_line fast_lines[] = {{.line = 4, .stack = {.issue = 90, .barrier = 10}}};
  const struct sim_result slow = {
      .cycles = 410, .stack = {.issue = 100, .dram = 310}, .lines = slow_lines, .line_count = 2};
  const struct sim_result fast = {
      .cycles = 100, .stack = {.issue = 90, .barrier = 10}, .lines = fast_lines, .line_count = 1};
  const struct sim_result near_fast = {.cycles = 105, .stack = {.issue = 105}};
  const struct rank_variant variants[] = {
      {.name = "slow", .result = &slow}, {.name = "fast", .result = &fast}, {.name = "near", .result = &near_fast}};
  struct ranking r;
  assert_int_equal(rank_variants(variants, 3, (struct rank_errors){0.1, 0.1}, &r, NULL), 0);

  assert_int_equal(r.entries[0].variant, 1);
  assert_int_equal(r.entries[0].reason_count, 0);
  assert_true(r.entries[0].relative == 1);
  assert_true(r.entries[0].high > 109.9 && r.entries[0].high < 110.1);

  assert_int_equal(r.entries[1].variant, 2);
  assert_true(r.entries[1].tied_with_previous);

  assert_int_equal(r.entries[2].variant, 0);
  assert_false(r.entries[2].tied_with_previous);
  assert_true(r.entries[2].relative == 4.1);
  assert_string_equal(r.entries[2].reasons[0].component, "dram");
  assert_true(r.entries[2].reasons[0].cycles == 310);
  assert_int_equal(r.entries[2].reasons[0].source_line, 7);
  /* Where the slower one spends less, the line is the best variant's. */
  const struct rank_reason *barrier = NULL;
  for (size_t i = 0; i < r.entries[2].reason_count; i++)
    if (strcmp(r.entries[2].reasons[i].component, "barrier") == 0)
      barrier = &r.entries[2].reasons[i];
  assert_non_null(barrier);
  assert_true(barrier->cycles == -10);
  assert_int_equal(barrier->source_line, 4);
  rank_clear(&r);
}

/* Variants that cost nothing differ in nothing. */
static void test_no_reason_without_a_difference(void **state) {
  (void)state;
  const struct sim_result free_of_cost = {0};
  const struct rank_variant variants[] = {{.name = "a", .result = &free_of_cost},
                                          {.name = "b", .result = &free_of_cost}};
  struct ranking r;
  assert_int_equal(rank_variants(variants, 2, (struct rank_errors){0.1, 0.1}, &r, NULL), 0);
  assert_int_equal(r.entries[0].variant, 0); /* equal ones stay in the order given */
  assert_true(r.entries[1].tied_with_previous);
  assert_int_equal(r.entries[1].reason_count, 0);
  rank_clear(&r);
}

/* 100, 108, 116: each overlaps its neighbour, but the last is too far from the first to be of its tier. */
static void test_tiers_do_not_chain(void **state) {
  (void)state;
  const struct sim_result results[] = {{.cycles = 116}, {.cycles = 100}, {.cycles = 108}, {.cycles = 127}};
  const struct rank_variant variants[] = {{.name = "c", .result = &results[0]},
                                          {.name = "a", .result = &results[1]},
                                          {.name = "b", .result = &results[2]},
                                          {.name = "d", .result = &results[3]}};
  struct ranking r;
  assert_int_equal(rank_variants(variants, 4, (struct rank_errors){0.5, 0.1}, &r, NULL), 0);
  assert_int_equal(r.entries[0].tier, 1);
  assert_int_equal(r.entries[1].tier, 1);
  assert_int_equal(r.entries[2].tier, 2);
  assert_int_equal(r.entries[3].tier, 2);
  assert_true(r.entries[1].tied_with_previous && !r.entries[2].tied_with_previous);
  rank_clear(&r);
}

/* Without an error of the order, that of one prediction makes the tiers. */
static void test_errors_of_a_gpu(void **state) {
  (void)state;
  const struct gpu_spec unknown = {.prediction_error_ratio = 0.6};
  const struct gpu_spec known = {.prediction_error_ratio = 0.6, .order_error_ratio = 0.1};
  assert_true(rank_errors_of(&unknown).order == 0.6 && rank_errors_of(&unknown).prediction == 0.6);
  assert_true(rank_errors_of(&known).order == 0.1 && rank_errors_of(&known).prediction == 0.6);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_order_ties_and_reasons),
                                     cmocka_unit_test(test_no_reason_without_a_difference),
                                     cmocka_unit_test(test_tiers_do_not_chain), cmocka_unit_test(test_errors_of_a_gpu)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
