/* Every method on measurements that an analytic predictor made from hidden deltas: the cost falls, within bounds and
 * budget, the same way each time. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tune_fixture.h"

#define RANGES "arith=0.1..4,store=0.5..20,l1_hit=0.5..20,l1_miss=5..200,l2_miss=10..400"

/* The cost each has to reach, in percent MAPE; the start values cost 40. The exact methods are asked for more. */
static double expected_cost(const char *method) {
  if (strcmp(method, "linear") == 0 || strcmp(method, "gauss_newton") == 0)
    return 0.05;
  if (strcmp(method, "simplex") == 0)
    return 0.5;
  return strcmp(method, "grid") == 0 ? 20 : 8;
}

static void test_methods(void **state) {
  (void)state;
  for (size_t i = 0; tune_methods[i]; i++) {
    const char *name = tune_methods[i]->name;
    struct tune_fixture f, again;
    const struct tune_setup setup = tune_fixture_setup(&f, RANGES, "mape", name);
    tune_fixture_search(&f, &setup);
    const struct tune_setup second = tune_fixture_setup(&again, RANGES, "mape", name);
    tune_fixture_search(&again, &second);
    print_message("%s: %.3f %% after %zu evaluations\n", name, f.tune.cost, f.tune.evaluator.asked);
    assert_true(f.tune.start_cost > 20);
    assert_true(f.tune.cost < expected_cost(name));
    assert_true(f.tune.evaluator.asked <= setup.method->budget + 2 * f.space.count + 64);
    assert_memory_equal(f.tune.tuned, again.tune.tuned, f.space.count * sizeof(double));
    for (size_t p = 0; p < f.space.count; p++)
      assert_true(f.tune.tuned[p] >= f.space.axes[p].low && f.tune.tuned[p] <= f.space.axes[p].high);
    tune_clear(&f.tune);
    tune_clear(&again.tune);
  }
}

static void test_recovers_hidden_deltas(void **state) {
  (void)state;
  const double hidden[] = {0.7, 2.5, 4, 40, 90};
  struct tune_fixture f;
  const struct tune_setup setup = tune_fixture_setup(&f, SPACE_DEFAULT, "mape", "linear"); /* the rows' whole ranges */
  tune_fixture_search(&f, &setup);
  for (size_t p = 0; p < f.space.count; p++)
    assert_true(fabs(f.tune.tuned[p] / hidden[p] - 1) < 0.01);
  tune_clear(&f.tune);
}

static void test_objectives(void **state) {
  (void)state;
  const char *const objectives[] = {"log", "pearson", "spearman", "kendall", "mape:0.7+spearman:0.3"};
  for (size_t i = 0; i < sizeof objectives / sizeof objectives[0]; i++) {
    struct tune_fixture f;
    const struct tune_setup setup = tune_fixture_setup(&f, RANGES, objectives[i], "linear");
    tune_fixture_search(&f, &setup);
    assert_true(f.tune.start_cost > 1);
    assert_true(f.tune.cost < 0.2 * f.tune.start_cost);
    tune_clear(&f.tune);
  }
}

static void test_budget_is_kept(void **state) {
  (void)state;
  for (size_t i = 0; tune_methods[i]; i++) {
    struct tune_fixture f;
    struct tune_setup setup = tune_fixture_setup(&f, RANGES, "mape", tune_methods[i]->name);
    setup.budget = 20;
    tune_fixture_search(&f, &setup);
    /* the search itself, the ends of all ranges, one batch begun before the end */
    assert_true(f.tune.evaluator.asked <= 20 + 2 * 5 + 5);
    tune_clear(&f.tune);
  }
}

static void test_nothing_moves(void **state) {
  (void)state;
  struct tune_fixture f;
  const struct tune_setup setup = tune_fixture_setup(&f, "launch,barrier", "mape", "binary");
  tune_fixture_search(&f, &setup);
  assert_true(f.tune.nothing_moves && f.tune.inert[0] && f.tune.inert[1]);
  assert_int_equal(f.tune.evaluator.asked, 3); /* the start, which is the lower ends, and both upper ends */
  tune_clear(&f.tune);
}

static void test_inert_parameters_stay(void **state) {
  (void)state;
  struct tune_fixture f;
  const struct tune_setup setup = tune_fixture_setup(&f, "arith,barrier=0..50@18", "mape", "simplex");
  tune_fixture_search(&f, &setup);
  assert_true(!f.tune.nothing_moves && !f.tune.inert[0] && f.tune.inert[1]);
  assert_true(f.tune.tuned[1] == 18);
  tune_clear(&f.tune);
}

static void test_refused_points_are_avoided(void **state) {
  (void)state;
  for (size_t i = 0; tune_methods[i]; i++) {
    struct tune_fixture f;
    const struct tune_setup setup = tune_fixture_setup(&f, "arith=0.1..4", "mape", tune_methods[i]->name);
    f.fake.refused_above = 1.05;
    tune_fixture_search(&f, &setup);
    assert_true(isfinite(f.tune.cost) && f.tune.cost <= f.tune.start_cost && f.tune.tuned[0] <= 1.05);
    tune_clear(&f.tune);
  }
  struct tune_fixture f;
  struct error error = ERROR_INIT;
  const struct tune_setup setup = tune_fixture_setup(&f, "arith", "mape", "binary");
  f.fake.refused_above = 0.5;
  assert_int_equal(tune_init(&f.tune, &setup, &error), 0);
  assert_int_equal(tune_search(&f.tune, &error), -1);
  assert_non_null(strstr(error.text, "the model refuses the start values: refused"));
  tune_clear(&f.tune);
}

/* A penalty holds values near their start. */
static void test_penalty(void **state) {
  (void)state;
  double change[2];
  for (int with = 0; with < 2; with++) {
    struct tune_fixture f;
    struct tune_setup setup = tune_fixture_setup(&f, RANGES, "mape", "coordinate");
    setup.penalty_percent = with ? 1000 : 0;
    tune_fixture_search(&f, &setup);
    change[with] = fabs(log(f.tune.tuned[3] / 15));
    tune_clear(&f.tune);
  }
  assert_true(change[1] < 0.2 * change[0]);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_methods),       cmocka_unit_test(test_recovers_hidden_deltas),
      cmocka_unit_test(test_objectives),    cmocka_unit_test(test_budget_is_kept),
      cmocka_unit_test(test_nothing_moves), cmocka_unit_test(test_inert_parameters_stay),
      cmocka_unit_test(test_penalty),       cmocka_unit_test(test_refused_points_are_avoided),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
