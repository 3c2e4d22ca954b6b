/* --params and --objective: what they take and what they refuse. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tuner/objective/objective.h"
#include "tuner/evaluate/space.h"

static struct gpu_spec spec;

static int set_up(void **state) {
  (void)state;
  params_defaults(&gpu_params, &spec, NULL);
  return 0;
}

static void test_params(void **state) {
  (void)state;
  struct space space;
  assert_int_equal(
      space_parse("arith,l1_miss=10..200@29,barrier_cycles@18,l1_ways=2..8,store=.5..2.", &spec, &space, NULL), 0);
  assert_int_equal(space.count, 5);
  assert_string_equal(space.axes[0].param->key, "arith_cycles");
  assert_true(space.axes[0].low == 0 && space.axes[0].high == 64 && space.axes[0].start == spec.arith_cycles);
  assert_true(space.axes[1].low == 10 && space.axes[1].high == 200 && space.axes[1].start == 29);
  assert_true(space.axes[2].start == 18);
  assert_string_equal(space.axes[3].param->key, "l1_ways");
  assert_true(space.axes[4].low == 0.5 && space.axes[4].high == 2);
}

static void test_points_are_normalised(void **state) {
  (void)state;
  struct space space;
  spec.store_cycles = 1.23456789;
  assert_int_equal(space_parse("arith,l1_ways=2..8,store", &spec, &space, NULL), 0);
  double point[] = {0.123456789, 3.4, 1.234570001};
  space_normalise(&space, point);
  assert_true(point[0] == 0.123457 && point[1] == 3 && point[2] == 1.23456789);
  double outside[] = {-1, 99, 2000};
  space_normalise(&space, outside);
  assert_true(outside[0] == 0 && outside[1] == 8 && outside[2] == 1000);
  for (double value = 0; value < 50; value += 0.7)
    assert_true(fabs(space_from_search(&space.axes[0], space_to_search(&space.axes[0], value)) - value) < 1e-9);
  const double whole[] = {0.5, 4, 2};
  const struct gpu_spec changed = space_apply(&space, &spec, whole);
  assert_true(changed.arith_cycles == 0.5 && changed.l1_ways == 4 && changed.store_cycles == 2);
  assert_true(changed.l1_hit_cycles == spec.l1_hit_cycles);
  spec.store_cycles = 1;
}

static void test_params_refused(void **state) {
  (void)state;
  static const struct {
    const char *text, *message;
  } cases[] = {
      {"", "found no parameter"},
      {"arith,,store", "found no parameter"},
      {"arth", "did you mean \"arith_cycles\"?"},
      {"arith,arith_cycles", "found twice"},
      {"memory", "only numbers can be tuned"},
      {"arith=1", "found no range behind '='"},
      {"arith=1..", "found no upper end"},
      {"arith=1..2x", "found something behind it"},
      {"arith=1..2@", "found no start value"},
      {"arith=nan..2", "found no range behind '='"},
      {"arith=2..1", "the range is empty"},
      {"arith=1..1", "the range is empty"},
      {"arith=0..65", "found the range 0 to 65, allowed 0 to 64"},
      {"arith=2..3", "excludes the start value 1"},
      {"arith=2..3@4", "excludes the start value 4"},
      {"l1_ways=1.5..3@2", "this parameter takes whole numbers"},
      {"arith_cycles_of_a_parameter_that_nobody_could_ever_have_named_like_this", "found no parameter"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    struct space space;
    struct error error = ERROR_INIT;
    assert_int_equal(space_parse(cases[i].text, &spec, &space, &error), -1);
    assert_int_equal(error.kind, ERROR_INPUT);
    if (!strstr(error.text, cases[i].message))
      fail_msg("%s: %s", cases[i].text, error.text);
  }
}

static void test_objective_values(void **state) {
  (void)state;
  const double measured[] = {100, 200, 400, 50}, predicted[] = {110, 180, 400, 1e9};
  const size_t rows[] = {0, 1, 2}, twice[] = {0, 0, 1};
  const struct sample sample = {measured, rows, 3}, repeated = {measured, twice, 3};
  struct objective objective;
  char text[128];
  assert_int_equal(objective_parse("mape", &objective, NULL), 0);
  assert_true(fabs(objective_cost(&objective, &sample, predicted) - 20.0 / 3) < 1e-9);
  assert_true(fabs(objective_cost(&objective, &repeated, predicted) - 10) < 1e-9);
  assert_int_equal(objective_parse("log", &objective, NULL), 0);
  assert_true(fabs(objective_cost(&objective, &sample, predicted) - 100 * (log(1.1) + log(1 / 0.9)) / 3) < 1e-9);
  assert_int_equal(objective_parse("spearman", &objective, NULL), 0);
  assert_true(fabs(objective_cost(&objective, &sample, predicted)) < 1e-9);
  assert_int_equal(objective_parse("spearman:0.3+mape:0.7", &objective, NULL), 0);
  assert_true(fabs(objective_cost(&objective, &sample, predicted) - 0.7 * 20 / 3) < 1e-9);
  assert_string_equal(objective_format(&objective, text, sizeof text), "mape:0.7+spearman:0.3");
  const double equal[] = {7, 7, 7, 7};
  assert_true(isinf(objective_cost(&objective, &sample, equal)));
}

static void test_objectives_refused(void **state) {
  (void)state;
  static const struct {
    const char *text, *message;
  } cases[] = {{"", "unknown objective"},       {"mpae", "did you mean \"mape\"?"},
               {"mape+mape", "found twice"},    {"mape:0", "allowed 0 to 1e6"},
               {"mape:-1", "allowed 0 to 1e6"}, {"mape:x", "found the weight \"x\""},
               {"mape:1+", "unknown objective"}};
  struct objective objective;
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    struct error error = ERROR_INIT;
    assert_int_equal(objective_parse(cases[i].text, &objective, &error), -1);
    if (!strstr(error.text, cases[i].message))
      fail_msg("%s: %s", cases[i].text, error.text);
  }
  const double measured[] = {5, 5, 5};
  const size_t rows[] = {0, 1, 2};
  struct error two = ERROR_INIT, equal = ERROR_INIT;
  assert_int_equal(objective_parse("spearman", &objective, NULL), 0);
  assert_int_equal(objective_check(&objective, &(struct sample){measured, rows, 2}, &two), -1);
  assert_non_null(strstr(two.text, "found 2, the objective spearman needs at least 3"));
  assert_int_equal(objective_check(&objective, &(struct sample){measured, rows, 3}, &equal), -1);
  assert_non_null(strstr(equal.text, "all values are equal"));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_params),
      cmocka_unit_test(test_points_are_normalised),
      cmocka_unit_test(test_params_refused),
      cmocka_unit_test(test_objective_values),
      cmocka_unit_test(test_objectives_refused),
  };
  return cmocka_run_group_tests(tests, set_up, NULL);
}
