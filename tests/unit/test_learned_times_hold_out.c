/* Learned baselines: projections keep what they say, laws that can be learned are, and what is held out stays unseen.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "base/random.h"
#include "tuner/folds.h"
#include "tuner/learner/learned.h"

enum { ROWS = 40, COLUMNS = 4 };

static double values[ROWS * COLUMNS], measured[ROWS];
static const struct features features = {ROWS, COLUMNS, values};
static struct error error;

/* Three independent columns and one that does not vary. */
static void draw(double (*law)(const double *row)) {
  struct random_state random = {7};
  for (size_t i = 0; i < ROWS; i++) {
    for (size_t c = 0; c < COLUMNS; c++)
      values[i * COLUMNS + c] = c < 3 ? 100 * random_unit(&random) : 5;
    measured[i] = law(values + i * COLUMNS);
  }
}

static double linear_law(const double *row) {
  return 1000 + 3 * row[0] + 0.5 * row[1];
}

static double power_law(const double *row) {
  return 7 * pow(1 + row[0], 1.5) * sqrt(1 + row[1]);
}

static double curved_law(const double *row) {
  return 1000 + (row[0] - 50) * (row[0] - 50) / 5;
}

static double held_out_mape(const struct learner *learner, enum feature_view view, enum projection_kind projection) {
  const struct learned_setup setup = {&features, view, projection, learner, 1};
  struct folds folds;
  double predicted[ROWS], sum = 0;
  assert_int_equal(folds_make("kfold=8", ROWS, NULL, 1, &folds, &error), 0);
  assert_int_equal(learned_predict(&setup, measured, folds.of, folds.count, predicted, &error), 0);
  folds_clear(&folds);
  for (size_t i = 0; i < ROWS; i++)
    sum += fabs(predicted[i] - measured[i]) / measured[i];
  return 100 * sum / ROWS;
}

static void linear_regression_finds_a_linear_law(void **state) {
  (void)state;
  draw(linear_law);
  assert_true(held_out_mape(learners[0], FEATURES_COUNTS, PROJECTION_ALL) < 1e-6);
  assert_true(held_out_mape(learners[0], FEATURES_COUNTS, PROJECTION_PCA) < 1e-6); /* three components say it all */
}

static void logarithms_make_a_power_law_linear(void **state) {
  (void)state;
  draw(power_law);
  struct features logarithms = features;
  double logs[ROWS * COLUMNS], predicted[ROWS];
  struct folds folds;
  for (size_t i = 0; i < ROWS * COLUMNS; i++)
    logs[i] = log1p(values[i]);
  logarithms.values = logs;
  const struct learned_setup setup = {&logarithms, FEATURES_LOGARITHMS, PROJECTION_ALL, learners[0], 1};
  assert_int_equal(folds_make("loo", ROWS, NULL, 1, &folds, &error), 0);
  assert_int_equal(learned_predict(&setup, measured, folds.of, folds.count, predicted, &error), 0);
  folds_clear(&folds);
  for (size_t i = 0; i < ROWS; i++)
    assert_true(fabs(predicted[i] / measured[i] - 1) < 1e-6);
}

static void a_perceptron_learns_what_a_line_cannot(void **state) {
  (void)state;
  draw(curved_law);
  const double line = held_out_mape(learners[0], FEATURES_COUNTS, PROJECTION_ALL);
  const double perceptron = held_out_mape(learners[1], FEATURES_COUNTS, PROJECTION_ALL);
  assert_true(perceptron < line / 2);
}

static void what_is_held_out_is_not_seen(void **state) {
  (void)state;
  draw(power_law);
  struct folds folds;
  double before[ROWS], after[ROWS];
  assert_int_equal(folds_make("kfold=5", ROWS, NULL, 3, &folds, &error), 0);
  for (const struct learner *const *l = learners; *l; l++)
    for (int p = 0; p < PROJECTION_KINDS; p++) {
      const struct learned_setup setup = {&features, FEATURES_COUNTS, (enum projection_kind)p, *l, 1};
      assert_int_equal(learned_predict(&setup, measured, folds.of, folds.count, before, &error), 0);
      const double kept = measured[11];
      measured[11] *= 10;
      assert_int_equal(learned_predict(&setup, measured, folds.of, folds.count, after, &error), 0);
      measured[11] = kept;
      assert_true(before[11] == after[11]); /* to the bit */
      assert_true(memcmp(before, after, sizeof before) != 0);
    }
  folds_clear(&folds);
}

static void projections_drop_what_does_not_vary(void **state) {
  (void)state;
  draw(linear_law);
  size_t rows[ROWS];
  for (size_t i = 0; i < ROWS; i++)
    rows[i] = i;
  struct projection p;
  assert_int_equal(projection_fit(&p, PROJECTION_ALL, &features, rows, ROWS, NULL, &error), 0);
  assert_int_equal(p.outputs, 3);
  projection_clear(&p);
  assert_int_equal(projection_fit(&p, PROJECTION_CORRELATED, &features, rows, ROWS, measured, &error), 0);
  assert_int_equal(p.outputs, 3);
  assert_true(p.weights[0] > 0 && p.weights[1] == 0); /* column a moves the target most, so it comes first */
  projection_clear(&p);
}

static void components_have_deviation_1_and_no_correlation(void **state) {
  (void)state;
  draw(linear_law);
  for (size_t i = 0; i < ROWS; i++)
    values[i * COLUMNS + 2] =
        values[i * COLUMNS] + 1e-7 * values[i * COLUMNS + 2]; /* nearly a: two components remain */
  size_t rows[ROWS];
  for (size_t i = 0; i < ROWS; i++)
    rows[i] = i;
  struct projection p;
  double sums[2][2] = {{0}};
  assert_int_equal(projection_fit(&p, PROJECTION_PCA, &features, rows, ROWS, NULL, &error), 0);
  assert_int_equal(p.outputs, 2);
  for (size_t i = 0; i < ROWS; i++) {
    double out[2];
    projection_apply(&p, values + i * COLUMNS, out);
    for (int a = 0; a < 2; a++)
      for (int b = 0; b < 2; b++)
        sums[a][b] += out[a] * out[b] / (ROWS - 1);
  }
  assert_true(fabs(sums[0][0] - 1) < 1e-9 && fabs(sums[1][1] - 1) < 1e-9 && fabs(sums[0][1]) < 1e-9);
  projection_clear(&p);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(linear_regression_finds_a_linear_law),
      cmocka_unit_test(logarithms_make_a_power_law_linear),
      cmocka_unit_test(a_perceptron_learns_what_a_line_cannot),
      cmocka_unit_test(what_is_held_out_is_not_seen),
      cmocka_unit_test(projections_drop_what_does_not_vary),
      cmocka_unit_test(components_have_deviation_1_and_no_correlation),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
