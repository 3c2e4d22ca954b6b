/* The document of `reassemble dse --json`: plan, sensitivities with intervals, main effects and interactions,
 * front, targets and the difference of two designs. They agree with each other, with the files of results and with
 * `simulate`. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "json_documents.h"

/* A whole grid around the base: 3 x 2 x 2 designs, one of them the base. */
static const char sweep[] = "schema: reassemble.sweep/1\nname: grid\ngpu: mali-g71-mp8\nworkloads: [saxpy, gemm-64]\n"
                            "axes:\n  - cores: [4, 8, 16]\n  - warp_size: [4, 8]\n  - l1_hit_cycles: [x0.5, x1]\n";

static const json_t *answers_of(const json_t *root) {
  return json_array_get(list(root, "answers", 1), 0);
}

static const json_t *sensitivity(const json_t *answers, const char *value) {
  const json_t *all = list(answers, "sensitivities", 7);
  for (size_t i = 0; i < json_array_size(all); i++)
    if (strcmp(text(json_array_get(all, i), "value"), value) == 0)
      return json_array_get(all, i);
  fail_msg("no sensitivity to %s", value);
  return NULL;
}

static void check_sensitivities(const json_t *answers) {
  const json_t *base = sensitivity(answers, "cores=8"), *faster = sensitivity(answers, "l1_hit_cycles=x0.5");
  assert_true(number(base, "speedup") == 1 && number(base, "low") == 1 && number(base, "high") == 1);
  assert_string_equal(text(faster, "axis"), "l1_hit_cycles");
  assert_string_equal(text(faster, "interval_from"), "parameters");
  assert_true(number(faster, "low") < number(faster, "speedup") && number(faster, "speedup") < number(faster, "high"));
  const json_t *ends = json_object_get(faster, "at_ends");
  assert_int_equal(json_object_size(ends), 5); /* the tuned parameters */
  assert_int_equal(json_array_size(json_object_get(ends, "arith_cycles")), 2);
}

/* Shares of the variance; means of factors weighted by samples are one. */
static void check_effects(const json_t *answers) {
  const json_t *effects = list(answers, "main_effects", 3), *pairs = list(answers, "interactions", 3);
  for (size_t a = 0; a < 3; a++) {
    assert_true(number(json_array_get(effects, a), "variance_share") >= 0);
    assert_true(number(json_array_get(pairs, a), "variance_share") >= 0);
    list(json_array_get(effects, a), "values", 2);
  }
  assert_string_equal(text(json_array_get(effects, 0), "axis"), "cores");
  assert_true(number(json_array_get(effects, 0), "variance_share") > 0.5);
  assert_string_equal(text(json_array_get(pairs, 0), "axis"), "cores");
  assert_string_equal(text(json_array_get(pairs, 0), "with"), "warp_size");
}

/* Cheapest first, each faster than all before it. */
static void check_front(const json_t *front) {
  double area = 0, speedup = 0;
  for (size_t i = 0; i < json_array_size(front); i++) {
    const json_t *design = json_array_get(front, i);
    assert_true(number(design, "area") > area && number(design, "speedup") > speedup);
    area = number(design, "area");
    speedup = number(design, "speedup");
    assert_true(strlen(text(design, "name")) > 0 && whole(design, "point") >= 0);
  }
}

static void check_targets(const json_t *answers) {
  const json_t *target = json_array_get(list(answers, "targets", 1), 0), *designs = list(target, "designs", 1);
  double area = 0;
  assert_true(number(target, "target") == 1.5);
  assert_int_equal(whole(target, "reached_by"), json_array_size(designs));
  for (size_t i = 0; i < json_array_size(designs); i++) {
    assert_true(number(json_array_get(designs, i), "speedup") >= 1.5);
    assert_true(number(json_array_get(designs, i), "area") >= area);
    area = number(json_array_get(designs, i), "area");
  }
}

/* Components add up to the difference in time, which is that of the points' results. */
static void check_diff(const json_t *diff, const json_t *points) {
  const json_t *components = json_object_get(diff, "components"), *value, *workloads = list(diff, "workloads", 2);
  const char *key;
  double sum = 0, mean = 0;
  json_object_foreach((json_t *)components, key, value) sum += json_number_value(value);
  assert_true(fabs(sum - number(diff, "time_ratio")) < 1e-12);
  for (size_t w = 0; w < 2; w++)
    mean += number(json_array_get(workloads, w), "time_ratio") / 2;
  assert_true(fabs(mean - number(diff, "time_ratio")) < 1e-12);
  assert_string_equal(text(diff, "from"), "base");
  assert_string_equal(text(diff, "to"), "cores=16 warp_size=4 l1_hit_cycles=x1");
  for (size_t i = 0; i < json_array_size(points); i++) {
    const json_t *point = json_array_get(points, i);
    if (strcmp(text(point, "name"), text(diff, "to")) != 0)
      continue;
    double ratio = 0;
    for (size_t w = 0; w < 2; w++)
      ratio += (1 / number(json_array_get(list(point, "workloads", 2), w), "speedup") - 1) / 2;
    assert_true(fabs(ratio - mean) < 1e-9);
    return;
  }
  fail_msg("%s is no point", text(diff, "to"));
}

static void test_dse(void **state) {
  (void)state;
  assert_int_equal(system("rm -rf out"), 0);
  write_text("grid.yaml", sweep);
  json_t *plan = document("dse grid.yaml -o out --plan --json --quiet", "reassemble.dse-plan/1");
  assert_int_equal(whole(json_object_get(plan, "plan"), "points"), 13);
  assert_int_equal(whole(json_object_get(plan, "plan"), "impossible"), 0);
  assert_int_equal(whole(json_object_get(plan, "plan"), "duplicates"), 1);
  assert_true(number(json_object_get(plan, "plan"), "estimated_s") > 0);
  json_decref(plan);

  json_t *root = document("dse grid.yaml -o out --target 1.5 --json --quiet "
                          "--diff 'base,cores=16 warp_size=4 l1_hit_cycles=x1'",
                          "reassemble.dse/1");
  const json_t *answers = answers_of(root);
  check_sensitivities(answers);
  check_effects(answers);
  assert_true(json_array_size(list(answers, "pareto", 3)) < 12);
  check_front(json_object_get(answers, "pareto"));
  check_targets(answers);
  char *written = contents("out/results.json");
  json_t *results = parse(written);
  assert_true(json_equal(json_object_get(results, "answers"), json_object_get(root, "answers")));
  assert_int_equal(json_array_size(json_object_get(results, "points")), 13);
  check_diff(json_object_get(root, "diff"), json_object_get(results, "points"));
  json_decref(results);
  json_decref(root);
  free(written);
}

/* Exact results are those of `simulate`. */
static void test_results_are_those_of_simulate(void **state) {
  (void)state;
  write_text("wide.yaml",
             "schema: reassemble.gpu/1\nname: wide\nabout: a\nbase: mali-g71-mp8\nparameters:\n  warp_size: 8\n");
  write_text("one.yaml", "schema: reassemble.sweep/1\nname: one\ngpu: mali-g71-mp8\nworkloads: [saxpy]\n"
                         "variants: [{name: wide, warp_size: 8}]\n");
  assert_int_equal(system("rm -rf one"), 0);
  json_t *root = document("dse one.yaml -o one --json --quiet", "reassemble.dse/1");
  json_t *simulated = document("simulate --gpu wide.yaml saxpy --json --quiet", "reassemble.simulate/1");
  char *written = contents("one/results.json");
  json_t *results = parse(written);
  const json_t *wide = json_array_get(list(results, "points", 2), 1);
  assert_true(number(json_array_get(list(wide, "workloads", 1), 0), "cycles") ==
              number(json_array_get(list(simulated, "kernels", 1), 0), "cycles"));
  json_decref(results);
  json_decref(simulated);
  json_decref(root);
  free(written);
}

static void write_sampled(const char *path, const char *sampling) {
  char text[1024];
  snprintf(text, sizeof text,
           "schema: reassemble.sweep/1\nname: s\ngpu: mali-g71-mp8\nworkloads: [saxpy, gemm-64]\nsampling: %s\naxes:\n"
           "  - cores: [2, 4, 8, 16]\n  - warp_size: [4, 8]\n  - arith_cycles: [x0.5, x0.75, x1, x2]\n"
           "  - l2_miss_cycles: [x0.5, x0.75, x1, x2]\n",
           sampling);
  write_text(path, text);
}

/* Half of the grid's 128 designs, by Sobol's sequence, say what the grid says of every axis and value. */
static void test_sobol_agrees_with_the_grid(void **state) {
  (void)state;
  assert_int_equal(system("rm -rf whole half"), 0);
  write_sampled("whole.yaml", "grid");
  write_sampled("half.yaml", "{sobol: 64}");
  json_t *whole_root = document("dse whole.yaml -o whole --json --quiet", "reassemble.dse/1");
  json_t *half_root = document("dse half.yaml -o half --json --quiet", "reassemble.dse/1");
  const json_t *grid = list(answers_of(whole_root), "main_effects", 4);
  const json_t *sobol = list(answers_of(half_root), "main_effects", 4);
  double explained = 0;
  for (size_t a = 0; a < 4; a++) {
    const json_t *g = json_array_get(grid, a), *s = json_array_get(sobol, a), *values = list(g, "values", 2);
    assert_true(number(g, "variance_share") > 0.001); /* there is something to find */
    assert_float_equal(number(g, "variance_share"), number(s, "variance_share"), 0.02);
    explained += number(g, "variance_share");
    for (size_t v = 0; v < json_array_size(values); v++)
      assert_float_equal(number(json_array_get(values, v), "factor"),
                         number(json_array_get(list(s, "values", 2), v), "factor"), 0.03);
  }
  assert_true(explained > 0.9 && explained <= 1 + 1e-9);
  json_decref(half_root);
  json_decref(whole_root);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_dse), cmocka_unit_test(test_results_are_those_of_simulate),
                                     cmocka_unit_test(test_sobol_agrees_with_the_grid)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
