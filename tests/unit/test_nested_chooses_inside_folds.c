/* Nested cross-validation: each fold finds the structure that made the measurements, no prediction depends on the
 * measurement that it predicts, refused combinations are left out, threads change nothing; and what --choose takes. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tune_fixture.h"
#include "tuner/nested.h"

#define PARAMS  "arith=0.1..4,l1_miss=5..200"
#define CHOICES "objective=mape/log,coalesce=false/true,penalty=0.1x/0,line_bytes=64/128"

/* The fake predictor, whose misses cost the square root of their sum without coalescing; it refuses lines of 128 bytes.
 */
static int predict(void *context, const struct gpu_spec *specs, size_t count, double *predictions,
                   struct error *refusal, struct error *error) {
  (void)error;
  for (size_t s = 0; s < count; s++) {
    double *out = predictions + s * FAKE_KERNELS;
    fake_predict(context, &specs[s], 1, out, refusal, error);
    for (size_t k = 0; k < FAKE_KERNELS; k++) {
      out[k] = specs[s].coalesce ? out[k] : 1000 * sqrt(out[k]);
      if (specs[s].line_bytes == 128)
        out[k] = NAN;
    }
    if (specs[s].line_bytes == 128)
      error_set(refusal, ERROR_INPUT, "refused");
  }
  return 0;
}

static void run(struct tune_fixture *f, bool search, int jobs, double first, struct nested *out) {
  struct tune_setup setup = tune_fixture_setup(f, PARAMS, "mape", "gauss_newton");
  struct choices choices;
  struct folds folds;
  struct error error = ERROR_INIT;
  f->predictor.predict = predict;
  f->spec.coalesce = f->hidden.coalesce = true;
  f->spec.line_bytes = 64;
  f->spec.store_cycles = f->hidden.store_cycles;
  f->spec.l1_hit_cycles = f->hidden.l1_hit_cycles;
  f->spec.l2_miss_cycles = f->hidden.l2_miss_cycles;
  f->measured[0] *= first;
  setup.penalty_percent = -1;
  assert_int_equal(choices_parse(CHOICES, &choices, &error), 0);
  assert_int_equal(folds_make("loo", FAKE_KERNELS, NULL, 1, &folds, &error), 0);
  const struct nested_setup nested = {setup, &choices, &folds, search, jobs};
  assert_int_equal(nested_run(&nested, out, &error), 0);
  choices_clear(&choices);
  folds_clear(&folds);
}

static void test_finds_the_structure(void **state) {
  (void)state;
  for (int search = 0; search < 2; search++) {
    struct tune_fixture f, again;
    struct nested one, two;
    run(&f, search != 0, 1, 1, &one);
    run(&again, search != 0, 2, 1, &two);
    print_message("nested MAPE %.2f %%, inner %.2f %%\n", one.score.mape_percent, one.all.inner_mape_percent);
    assert_int_equal(one.refused, 2); /* both of line_bytes=128 */
    for (size_t i = 0; i < FAKE_KERNELS; i++) {
      assert_int_equal(one.folds[i].search, 2); /* coalesce=true, line_bytes=64 */
      assert_true(one.held_out[i] == two.held_out[i]);
    }
    assert_true(one.score.mape_percent < 1 && isfinite(one.interval.ratio));
    nested_clear(&one);
    nested_clear(&two);
  }
}

/* The count equals that of intervals made without each measurement in turn. */
static void test_no_interval_judges_its_own_error(void **state) {
  (void)state;
  double measured[40], held_out[40], others[2][40];
  for (size_t n = 2; n <= 40; n++) {
    size_t held = 0;
    for (size_t i = 0; i < n; i++) {
      measured[i] = 1 + (double)(i * 7919 % 101);
      held_out[i] = measured[i] * (1 + (double)(i * 104729 % 89) / 100);
    }
    for (size_t i = 0; i < n; i++) {
      for (size_t k = 0; k + 1 < n; k++) {
        others[0][k] = measured[k < i ? k : k + 1];
        others[1][k] = held_out[k < i ? k : k + 1];
      }
      held += held_out[i] / measured[i] <= (1 + conformal_interval(others[0], others[1], n - 1).ratio) * (1 + 1e-12);
    }
    assert_int_equal(conformal_count_held(measured, held_out, n), held);
  }
}

/* The measurement of a fold may have any value: neither its choice nor its prediction changes. */
static void test_predictions_have_not_seen_their_measurement(void **state) {
  (void)state;
  struct tune_fixture f, other;
  struct nested plain, changed;
  run(&f, true, 1, 1, &plain);
  run(&other, true, 1, 7, &changed);
  assert_true(plain.held_out[0] == changed.held_out[0]);
  assert_true(plain.folds[0].search == changed.folds[0].search && plain.folds[0].fit == changed.folds[0].fit);
  assert_true(plain.folds[0].inner_mape_percent == changed.folds[0].inner_mape_percent);
  assert_true(plain.folds[1].inner_mape_percent != changed.folds[1].inner_mape_percent);
  nested_clear(&plain);
  nested_clear(&changed);
}

static void test_combinations_are_counted(void **state) {
  (void)state;
  struct choices c;
  struct error error = ERROR_INIT;
  struct objective objective;
  const struct tune_method *method = NULL;
  struct gpu_spec spec;
  double penalty = 3;
  char text[256];
  params_defaults(&gpu_params, &spec, NULL);
  assert_int_equal(choices_parse("method=linear/grid,penalty=1/2x/0.5,coalesce=false/true,objective=log", &c, &error),
                   0);
  assert_int_equal(choices_searches(&c), 4);
  assert_int_equal(choices_fits(&c), 3);
  choices_apply_search(&c, 2, &spec, &method);
  choices_apply_fit(&c, 1, &objective, &penalty);
  assert_string_equal(method->name, "grid");
  assert_true(!spec.coalesce && penalty == 6 && objective.weights[OBJECTIVE_LOG] == 1);
  assert_string_equal(choices_format(&c, 2, 1, text, sizeof text),
                      "method=grid,penalty=2x,coalesce=false,objective=log");
  choices_clear(&c);
}

static void test_what_choose_refuses(void **state) {
  (void)state;
  static const struct {
    const char *text, *problem;
  } cases[] = {
      {"penalty", "found no '=' behind a key"},
      {"=1", "found no '=' behind a key"},
      {"penalty=1,penalty=2", "found twice"},
      {"penalty=1/-2", "found no penalty"},
      {"penalty=x", "found no penalty"},
      {"memory=blocked", "this parameter does not have this value"},
      {"coalesce=1", "this parameter does not have this value"},
      {"cores=0", "found 0, allowed 1 to 1024"},
      {"method=binery", "did you mean \"binary\"?"},
      {"objective=map", "unknown objective"},
      {"memry=blocking", "did you mean"},
      {"penalty=1/2/3/4/5/6/7/8/9", "found more than 8 values"},
      {"penalty=1/2/3/4/5/6/7/8,l1_ways=1/2/4/8/16/32/64/128,l2_ways=1/2/4/8/16", "found more than 256 combinations"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    struct choices c;
    struct error error = ERROR_INIT;
    assert_int_equal(choices_parse(cases[i].text, &c, &error), -1);
    if (!strstr(error.text, cases[i].problem))
      fail_msg("%s: found \"%s\", expected \"%s\"", cases[i].text, error.text, cases[i].problem);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_no_interval_judges_its_own_error),
      cmocka_unit_test(test_finds_the_structure),
      cmocka_unit_test(test_predictions_have_not_seen_their_measurement),
      cmocka_unit_test(test_combinations_are_counted),
      cmocka_unit_test(test_what_choose_refuses),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
