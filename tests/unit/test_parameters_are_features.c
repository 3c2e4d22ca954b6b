/* Parameters of workloads as features: those that are numbers everywhere and differ, with their products; and learners
 * that predict products of their powers. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tuner/learner/learned.h"

enum { ROWS = 144 };

static void test_columns(void **state) {
  (void)state;
  const char *workloads[] = {"w:A=1,SAME=2,TEXT=x,B=0", "w:B=3,A=3,SAME=2,TEXT=y", "w:A=7,SAME=2,TEXT=1,B=1"};
  struct features f;
  struct error error = ERROR_INIT;
  assert_int_equal(features_of_parameters(workloads, 3, &f, &error), 0);
  assert_int_equal(f.columns, 5); /* A, B, AA, AB, BB */
  const double a = log(4), b = log(4), expected[] = {a, b, a * a, a * b, b * b};
  for (size_t c = 0; c < 5; c++)
    assert_true(fabs(f.values[5 + c] - expected[c]) < 1e-12);
  features_clear(&f);
  const char *without[] = {"saxpy", "gemm-64"};
  assert_int_equal(features_of_parameters(without, 2, &f, &error), 0);
  assert_int_equal(f.columns, 0);
  features_clear(&f);
}

/* Times are (1 + A)^1.5 (1 + B)^-0.7 with a bend where A exceeds B. */
static double time_of(int a, int b) {
  return 1e5 * pow(1 + a, 1.5) * pow(1 + b, -0.7) * (a > b ? 1.3 : 1);
}

static double held_out_error(const struct learner *learner, const struct features *f, const double *measured) {
  double predicted[ROWS], sum = 0;
  size_t fold[ROWS];
  struct error error = ERROR_INIT;
  for (size_t i = 0; i < ROWS; i++)
    fold[i] = (i + i / 12) % 6;
  const struct learned_setup setup = {f, FEATURES_PARAMETERS, PROJECTION_ALL, learner, 1};
  assert_int_equal(learned_predict(&setup, measured, fold, 6, predicted, &error), 0);
  for (size_t i = 0; i < ROWS; i++)
    sum += fabs(predicted[i] / measured[i] - 1);
  return 100 * sum / ROWS;
}

static void test_learners(void **state) {
  (void)state;
  char texts[ROWS][32];
  const char *workloads[ROWS];
  double measured[ROWS];
  struct features f;
  struct error error = ERROR_INIT;
  size_t seen = 0;
  for (int i = 0; i < ROWS; i++) {
    snprintf(texts[i], sizeof texts[i], "w:A=%d,B=%d", i % 12, i / 12);
    workloads[i] = texts[i];
    measured[i] = time_of(i % 12, i / 12);
  }
  assert_int_equal(features_of_parameters(workloads, ROWS, &f, &error), 0);
  for (size_t l = 0; learners[l]; l++) {
    if (learners[l]->is_there && !learners[l]->is_there())
      continue;
    const double error_percent = held_out_error(learners[l], &f, measured);
    print_message("%s: %.1f %%\n", learners[l]->name, error_percent);
    assert_true(error_percent < 20); /* a constant: 94 % */
    assert_true(held_out_error(learners[l], &f, measured) == error_percent);
    seen++;
  }
  assert_true(seen >= 3);
  features_clear(&f);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_columns), cmocka_unit_test(test_learners)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
