/* Scores against values worked out by hand. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tuner/objective/score.h"

static void near(double actual, double expected) {
  if (!(fabs(actual - expected) < 1e-9))
    fail_msg("found %.12g, expected %.12g", actual, expected);
}

static void test_errors_and_correlations(void **state) {
  (void)state;
  const double measured[] = {100, 200, 400, 1000}, predicted[] = {110, 180, 400, 500};
  struct score s;
  score_compute(measured, predicted, 4, &s);
  near(s.mape_percent, 100 * (0.1 + 0.1 + 0 + 0.5) / 4);
  near(s.mape_percent_without_largest, 100 * (0.1 + 0.1 + 0) / 3);
  /* Weights 1/100, 1/200, 1/400, 1/1000: the median is 100. */
  near(s.constant_baseline_mape_percent, 100 * (0 + 0.5 + 0.75 + 0.9) / 4);
  near(s.spearman, 1);
  near(s.kendall, 1);
  /* Deviations from the means (425, 297.5): products and squares by hand. */
  near(s.pearson, (325 * 187.5 + 225 * 117.5 - 25 * 102.5 + 575 * 202.5) /
                      sqrt((325.0 * 325 + 225 * 225 + 25 * 25 + 575 * 575) *
                           (187.5 * 187.5 + 117.5 * 117.5 + 102.5 * 102.5 + 202.5 * 202.5)));
}

static void test_ties_take_average_ranks(void **state) {
  (void)state;
  const double values[] = {5, 1, 5, 9};
  double ranks[4];
  score_ranks(values, 4, ranks);
  near(ranks[0], 2.5);
  near(ranks[1], 1);
  near(ranks[2], 2.5);
  near(ranks[3], 4);
  const double other[] = {1, 2, 3, 4};
  struct score s;
  score_compute(other, values, 4, &s);
  /* Pairs: -,0,+ ; +,+ ; + : balance 3 of sqrt(6 * 5). */
  near(s.kendall, 3 / sqrt(30));
}

static void test_one_point_has_no_correlation(void **state) {
  (void)state;
  const double measured[] = {3}, predicted[] = {4};
  struct score s;
  score_compute(measured, predicted, 1, &s);
  near(s.mape_percent, 100.0 / 3);
  assert_true(isnan(s.pearson) && isnan(s.spearman) && isnan(s.kendall) && isnan(s.mape_percent_without_largest));
}

/* Ratios 2, 2, 4 of weights 1/2, 1/2, 1/4: the median is 2, and half of the last one's time is missing. */
static void test_one_scale(void **state) {
  (void)state;
  const double measured[] = {100, 200, 400}, predicted[] = {50, 100, 100};
  struct score s;
  score_compute(measured, predicted, 3, &s);
  near(s.scale, 2);
  near(s.scaled_mape_percent, 100 * 0.5 / 3);
  assert_true(isnan(score_best_scale(measured, (double[]){0, 0, 0}, 3, 3)));
  near(score_best_scale(measured, predicted, 3, 0), 2);
}

/* Twenty kernels, the fastest is predicted eleventh, and the two predicted to be fastest tie: the slower one counts. */
static void test_losses_of_choices(void **state) {
  (void)state;
  const double measured[] = {15, 18, 12, 30, 30, 30, 30, 30, 30, 30, 10, 40, 40, 40, 40, 40, 40, 40, 40, 40};
  const double predicted[] = {1, 1, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20};
  struct score s;
  score_compute(measured, predicted, 20, &s);
  near(s.first_choice_loss_percent, 80);
  near(s.best_of_ten_loss_percent, 20);
  score_compute(measured, predicted, 19, &s);
  assert_true(isnan(s.best_of_ten_loss_percent));
}

static void test_noise_is_half_the_spread(void **state) {
  (void)state;
  near(score_noise_percent((double[]){100, 50, 10}, (double[]){10, 2, -1}, 3), (5 + 2) / 2.0);
  assert_true(isnan(score_noise_percent((double[]){100}, (double[]){-1}, 1)));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_errors_and_correlations),
      cmocka_unit_test(test_ties_take_average_ranks),
      cmocka_unit_test(test_one_point_has_no_correlation),
      cmocka_unit_test(test_one_scale),
      cmocka_unit_test(test_losses_of_choices),
      cmocka_unit_test(test_noise_is_half_the_spread),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
