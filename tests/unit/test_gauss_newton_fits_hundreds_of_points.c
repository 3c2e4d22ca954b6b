/* 300 measurements of analytic kernels with ten hidden parameters, 5 % of noise and one in thirty that no parameters
 * explain: gauss_newton finds the parameters in about a hundred evaluations, and better than a method that looks at the
 * cost alone. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "synthetic_kernels.h"

static const size_t most_evaluations = 150;

static double largest_error(const struct tune *tune) {
  double largest = 0;
  for (int p = 0; p < SYNTHETIC_PARAMETERS; p++)
    largest = fmax(largest, fabs(log(tune->tuned[p] / synthetic_hidden[p])));
  return largest;
}

struct outcome {
  double cost, largest; /* percent; |ln(tuned / hidden)| */
  size_t evaluations;
};

/* Tunes from the start values. */
static struct outcome tune_by(const char *method, const char *objective_text, size_t budget, struct synthetic *s) {
  struct gpu_spec spec;
  struct objective objective;
  struct tune tune;
  struct error error = ERROR_INIT;
  const struct predictor predictor = {.count = s->tuned, .context = s, .predict = synthetic_predict};
  params_defaults(&gpu_params, &spec, NULL);
  assert_int_equal(space_parse(SYNTHETIC_PARAMS, &spec, &s->space, &error), 0);
  assert_int_equal(objective_parse(objective_text, &objective, &error), 0);
  const struct tune_setup setup = {.spec = &spec,
                                   .space = &s->space,
                                   .objective = &objective,
                                   .method = tune_method_find(method, &error),
                                   .predictor = &predictor,
                                   .measured = s->measured,
                                   .seed = 1,
                                   .budget = budget,
                                   .tolerance = 0.01};
  assert_int_equal(tune_init(&tune, &setup, &error), 0);
  assert_int_equal(tune_search(&tune, &error), 0);
  const struct outcome outcome = {tune.cost, largest_error(&tune), tune.evaluator.asked};
  print_message("%s, %s: cost %.2f %%, parameters within %.1f %%, %zu evaluations\n", method, objective_text, tune.cost,
                100 * expm1(outcome.largest), outcome.evaluations);
  tune_clear(&tune);
  return outcome;
}

static void check_default(const char *objective, struct synthetic *s) {
  const struct outcome outcome = tune_by("gauss_newton", objective, 0, s);
  assert_true(outcome.largest < log(1.15) && outcome.evaluations < most_evaluations);
}

static void test_finds_the_parameters(void **state) {
  (void)state;
  static struct synthetic s = {.tuned = SYNTHETIC_KERNELS};
  gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
  for (unsigned long seed = 1; seed <= 3; seed++) {
    gsl_rng_set(random, seed);
    synthetic_make(&s, random);
    check_default("log", &s);
    check_default("mape", &s);
    assert_true(tune_by("simplex", "log", 300, &s).largest > log(1.3));
  }
  gsl_rng_free(random);
}

/* With at most 300 evaluations each: what comes as near as the default takes more of them. */
static void test_methods_side_by_side(void **state) {
  (void)state;
  static struct synthetic s = {.tuned = SYNTHETIC_KERNELS};
  gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
  gsl_rng_set(random, 4);
  synthetic_make(&s, random);
  gsl_rng_free(random);
  const struct outcome ours = tune_by(tune_methods[0]->name, "mape", 300, &s);
  for (size_t i = 1; tune_methods[i]; i++) {
    const struct outcome other = tune_by(tune_methods[i]->name, "mape", 300, &s);
    assert_true(other.cost > 0.98 * ours.cost && other.evaluations > ours.evaluations);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_finds_the_parameters),
                                     cmocka_unit_test(test_methods_side_by_side)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
