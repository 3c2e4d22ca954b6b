/* Cross-validation, bootstrap and identification are right about problems whose answer is known. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tune_fixture.h"
#include "tuner/bootstrap.h"
#include "tuner/cross_validate.h"
#include "tuner/folds.h"
#include "tuner/identify.h"

/* Every fit without one measurement finds the hidden deltas, so each is predicted. */
static void test_held_out_is_predicted(void **state) {
  (void)state;
  for (size_t folds = 0; folds <= 4; folds += 4) {
    struct tune_fixture f;
    struct error error = ERROR_INIT;
    const struct tune_setup setup = tune_fixture_setup(&f, SPACE_DEFAULT, "mape", "linear");
    tune_fixture_search(&f, &setup);
    struct folds groups;
    assert_int_equal(folds_make(folds > 0 ? "kfold=4" : "loo", FAKE_KERNELS, NULL, 1, &groups, &error), 0);
    assert_int_equal(groups.count, folds > 0 ? 4 : FAKE_KERNELS);
    assert_int_equal(tune_cross_validate(&f.tune, &groups, &error), 0);
    folds_clear(&groups);
    assert_true(f.tune.held_out_score.mape_percent < 1);
    tune_clear(&f.tune);
  }
}

/* One wrong measurement: the others do not follow it, and it is predicted as they say. */
static void test_held_out_has_not_seen_it(void **state) {
  (void)state;
  struct tune_fixture f;
  struct error error = ERROR_INIT;
  const struct tune_setup setup = tune_fixture_setup(&f, SPACE_DEFAULT, "mape", "linear");
  const double right = f.measured[3];
  f.measured[3] *= 3;
  tune_fixture_search(&f, &setup);
  struct folds alone;
  assert_int_equal(folds_make("loo", FAKE_KERNELS, NULL, 1, &alone, &error), 0);
  assert_int_equal(tune_cross_validate(&f.tune, &alone, &error), 0);
  folds_clear(&alone);
  assert_true(fabs(f.tune.held_out[3] / right - 1) < 0.02);
  tune_clear(&f.tune);
}

/* Measurements with one name in common are held out together, others never; sizes of drawn folds are nearly equal. */
static void test_folds(void **state) {
  (void)state;
  static const char *const names[] = {"a", "b", "a", "c", "b"}, *const missing[] = {"a", NULL},
                           *const same[] = {"a", "a"};
  static const size_t expected[] = {0, 1, 0, 2, 1};
  struct error error = ERROR_INIT;
  struct folds folds;
  assert_int_equal(folds_make("groups", 5, names, 1, &folds, &error), 0);
  assert_int_equal(folds.count, 3);
  assert_memory_equal(folds.of, expected, sizeof expected);
  folds_clear(&folds);
  assert_int_equal(folds_make("kfold=3", 8, NULL, 7, &folds, &error), 0);
  size_t sizes[3] = {0};
  for (size_t i = 0; i < 8; i++)
    sizes[folds.of[i]]++;
  assert_true(sizes[0] == 3 && sizes[1] == 3 && sizes[2] == 2);
  folds_clear(&folds);
  assert_int_equal(folds_make("groups", 2, missing, 1, &folds, &error), -1);
  assert_non_null(strstr(error.text, "measurement 1 has no \"group\""));
  error = (struct error)ERROR_INIT;
  assert_int_equal(folds_make("groups", 2, same, 1, &folds, &error), -1);
  assert_non_null(strstr(error.text, "found 1 groups for 2 measurements, allowed 2 to 2"));
  error = (struct error)ERROR_INIT;
  assert_int_equal(folds_make("kfold=9", 8, NULL, 1, &folds, &error), -1);
  assert_non_null(strstr(error.text, "found 9 folds for 8 measurements, allowed 2 to 8"));
}

static void test_intervals_need_freedom(void **state) {
  (void)state;
  struct tune_fixture f;
  struct error error = ERROR_INIT;
  const struct tune_setup setup = tune_fixture_setup(&f, SPACE_DEFAULT, "mape", "linear");
  f.predictor.count = f.fake.kernels = 5;
  tune_fixture_search(&f, &setup);
  assert_int_equal(tune_bootstrap(&f.tune, 20, 1, &error), -1);
  assert_non_null(strstr(error.text, "found 5 measurements for 5 parameters"));
  tune_clear(&f.tune);
}

/* Without noise the intervals are narrow and hold the truth; they do not depend on the number of threads. */
static void test_intervals(void **state) {
  (void)state;
  const double hidden[] = {0.7, 2.5, 4, 40, 90};
  struct interval first[5];
  for (int jobs = 1; jobs <= 2; jobs++) {
    struct tune_fixture f;
    struct error error = ERROR_INIT;
    const struct tune_setup setup = tune_fixture_setup(&f, SPACE_DEFAULT, "log", "linear");
    for (int k = 0; k < FAKE_KERNELS; k++)
      f.measured[k] *= k % 2 == 0 ? 1.02 : 0.98;
    tune_fixture_search(&f, &setup);
    assert_int_equal(tune_bootstrap(&f.tune, 200, jobs, &error), 0);
    for (int p = 0; p < 5; p++) {
      const struct interval *interval = &f.tune.parameter_intervals[p];
      assert_true(interval->low <= hidden[p] && hidden[p] <= interval->high);
      assert_true(interval->low < interval->high && interval->high < 3 * hidden[p]);
    }
    for (int k = 0; k < FAKE_KERNELS; k++)
      assert_true(f.tune.prediction_intervals[k].low <= f.tune.predictions[k] * 1.0001 &&
                  f.tune.prediction_intervals[k].high >= f.tune.predictions[k] * 0.9999);
    if (jobs == 1)
      memcpy(first, f.tune.parameter_intervals, sizeof first);
    else
      assert_memory_equal(first, f.tune.parameter_intervals, sizeof first);
    tune_clear(&f.tune);
  }
}

static struct identification identify(struct tune_fixture *f, const char *params, size_t kernels) {
  struct identification id;
  struct error error = ERROR_INIT;
  struct tune_setup setup = tune_fixture_setup(f, params, "mape", "linear");
  f->predictor.count = f->fake.kernels = kernels;
  setup.force = true;
  tune_fixture_search(f, &setup);
  assert_int_equal(tune_identify(&f->tune, &id, &error), 0);
  return id;
}

static void test_determined(void **state) {
  (void)state;
  struct tune_fixture f;
  const struct identification id = identify(&f, SPACE_DEFAULT, FAKE_KERNELS);
  assert_int_equal(id.axis_count, 5);
  assert_int_equal(id.flat_count, 0);
  for (int p = 0; p < 5; p++) {
    assert_true(id.identities[p].amplification < undetermined_amplification);
    assert_true(id.identities[p].fixed[0] > 1 && id.identities[p].fixed[3] > 1);
    /* the others may help, never hurt */
    assert_true(id.identities[p].refitted[0] <= id.identities[p].fixed[0] * 1.001);
    assert_true(id.identities[p].refitted[0] > 0.1);
  }
  tune_clear(&f.tune);
}

/* Two kernels do not determine three parameters: something is flat, and a pair trades off. */
static void test_undetermined(void **state) {
  (void)state;
  struct tune_fixture f;
  const struct identification id = identify(&f, "arith,l1_hit,l1_miss", 2);
  assert_true(id.flat_count >= 1);
  double largest = 0, length = 0;
  for (int p = 0; p < 3; p++) {
    largest = fmax(largest, id.identities[p].amplification);
    length += id.flat[0][p] * id.flat[0][p];
    assert_true(fabs(id.correlation[p][p] - 1) < 1e-9);
  }
  assert_true(largest > 1000 && fabs(length - 1) < 1e-9);
  assert_true(fabs(id.correlation[0][1]) > 0.99 || fabs(id.correlation[0][2]) > 0.99 ||
              fabs(id.correlation[1][2]) > 0.99);
  /* along it the objective can be kept */
  assert_true(id.identities[2].refitted[1] < 0.3 * id.identities[2].fixed[1]);
  tune_clear(&f.tune);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_held_out_is_predicted),
      cmocka_unit_test(test_held_out_has_not_seen_it),
      cmocka_unit_test(test_folds),
      cmocka_unit_test(test_intervals_need_freedom),
      cmocka_unit_test(test_intervals),
      cmocka_unit_test(test_determined),
      cmocka_unit_test(test_undetermined),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
