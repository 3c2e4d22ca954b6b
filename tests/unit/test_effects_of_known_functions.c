/* Main effects and interactions of functions whose effects are known; a Sobol sample of a sweep finds the grid's, of a
 * formula and of real replays. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/file.h"
#include "dse/answer/answers.h"
#include "tracegen/emulate.h"
#include "workload/workload.h"

/* y = 3 a + 10 b + 2 a b for a, b in {-1, 0, 1}: variances 6, 200/3, 16/9. */
static void test_grid_of_a_formula(void **state) {
  (void)state;
  static const size_t levels[] = {3, 3};
  size_t coordinates[18];
  double y[9];
  for (size_t i = 0; i < 9; i++) {
    const double a = (double)(i / 3) - 1, b = (double)(i % 3) - 1;
    coordinates[2 * i] = i / 3;
    coordinates[2 * i + 1] = i % 3;
    y[i] = 7 + 3 * a + 10 * b + 2 * a * b;
  }
  struct effects e;
  assert_int_equal(effects_compute(2, levels, coordinates, y, 9, &e), 0);
  const double va = 9 * 2.0 / 3, vb = 100 * 2.0 / 3, vab = 4 * 4.0 / 9, v = va + vb + vab;
  assert_float_equal(e.grand_mean, 7, 1e-12);
  assert_float_equal(e.variance, v, 1e-9);
  assert_float_equal(e.means[0][0], -3, 1e-12);
  assert_float_equal(e.means[1][2], 10, 1e-12);
  assert_float_equal(e.shares[0], va / v, 1e-12);
  assert_float_equal(e.shares[1], vb / v, 1e-12);
  assert_float_equal(e.pair_shares[1], vab / v, 1e-12);
  effects_clear(&e);
}

static void test_level_without_samples_is_not_a_number(void **state) {
  (void)state;
  static const size_t levels[] = {3, 2}, coordinates[] = {0, 0, 2, 1, 0, 1};
  static const double y[] = {1, 2, 3};
  struct effects e;
  assert_int_equal(effects_compute(2, levels, coordinates, y, 3, &e), 0);
  assert_true(isnan(e.means[0][1]));
  assert_float_equal(e.means[0][2], 0, 1e-12);
  assert_true(isnan(e.pair_shares[1])); /* half a sample a cell */
  effects_clear(&e);
}

static void load(const char *sampling, struct sweep **sweep, struct points *points) {
  char path[64];
  struct error error = ERROR_INIT;
  snprintf(path, sizeof path, "effects-%ld.yaml", (long)getpid());
  FILE *out = fopen(path, "w");
  assert_non_null(out);
  fprintf(out,
          "schema: reassemble.sweep/1\nname: effects\ngpu: mali-g71-mp8\nworkloads: [saxpy]\nsampling: %s\naxes:\n"
          "  - cores: [2, 4, 8, 16]\n  - execution_engines: [1, 2, 3, 4]\n  - l2_miss_cycles: [x0.5, x0.75, x1, x2]\n"
          "  - arith_cycles: [x0.5, x0.75, x1, x2]\n",
          sampling);
  fclose(out);
  if (sweep_load(path, sweep, &error) != 0 || points_enumerate(*sweep, false, points, &error) != 0)
    fail_msg("%s:%u: %s: %s", error.file, error.line, error.key, error.text);
  unlink(path);
}

/* A made-up performance law: cores and engines with diminishing returns, latencies that add up. */
static double law(const struct gpu_spec *spec) {
  const double parallel = pow((double)spec->cores, 0.8) * pow((double)spec->execution_engines, 0.6);
  return parallel / (0.3 * spec->arith_cycles / 0.44 + 0.7 * spec->l2_miss_cycles / 100) / 12;
}

/* One over the cycles of a replay. */
static double replayed(const struct evaluation *evaluation, const struct gpu_spec *spec) {
  double values[MOST_OUTCOME_VALUES];
  assert_int_equal(evaluate(evaluation, spec, 0, values, NULL), 0);
  return 1e4 / values[outcome_value("cycles")];
}

/* Returns the effects of the law, or of replays. */
static struct effects effects_of(const char *sampling, const struct evaluation *evaluation) {
  struct sweep *sweep;
  struct points points;
  struct effects e;
  bool any;
  load(sampling, &sweep, &points);
  double *score = calloc(points.design_count, sizeof *score);
  for (size_t d = 0; d < points.design_count; d++) {
    struct gpu_spec spec;
    points_spec(&points, points.first_points[d], &spec, NULL);
    score[d] = evaluation ? replayed(evaluation, &spec) : law(&spec);
  }
  assert_int_equal(answer_effects(&points, score, &e, &any, NULL), 0);
  assert_true(any);
  free(score);
  points_clear(&points);
  sweep_destroy(sweep);
  return e;
}

static void compare(const struct evaluation *evaluation) {
  struct effects grid = effects_of("grid", evaluation), sobol = effects_of("{sobol: 64}", evaluation);
  for (size_t a = 0; a < 4; a++) {
    assert_float_equal(grid.shares[a], sobol.shares[a], 0.03);
    for (size_t v = 0; v < 4; v++)
      assert_float_equal(exp(grid.means[a][v]), exp(sobol.means[a][v]), 0.05);
  }
  assert_true(grid.shares[0] > 0.3); /* and there is something to find */
  effects_clear(&grid);
  effects_clear(&sobol);
}

static void test_sobol_finds_the_grids_effects_of_a_law(void **state) {
  (void)state;
  compare(NULL);
}

static void test_sobol_finds_the_grids_effects_of_replays(void **state) {
  (void)state;
  char **paths;
  size_t count;
  struct workload *workload;
  struct emulate_result result = {0};
  struct trace *trace;
  struct isa_profile *isa;
  const struct emulate_options options = {.trace_directory = "effects", .quiet = true};
  assert_int_equal(workload_expand("saxpy", &paths, &count, NULL), 0);
  assert_int_equal(workload_load(paths[0], &workload, NULL), 0);
  assert_int_equal(emulate_workload(workload, &options, false, &result, NULL), 0);
  assert_int_equal(trace_load(result.launches[0].trace_path, &trace, NULL), 0);
  assert_int_equal(isa_load("bifrost", &isa, NULL), 0);
  const struct trace *launches[] = {trace};
  char name[] = "saxpy";
  struct evaluation_workload one = {.name = name, .traces = launches, .trace_count = 1};
  const struct evaluation evaluation = {.workloads = &one, .workload_count = 1, .isa = isa};
  compare(&evaluation);
  isa_destroy(isa);
  trace_destroy(trace);
  emulate_result_clear(&result);
  workload_destroy(workload);
  data_list_free(paths, count);
}

static void test_one_at_a_time_has_no_effects_but_sensitivities(void **state) {
  (void)state;
  struct sweep *sweep;
  struct points points;
  struct effects e;
  bool any = true;
  double score[17];
  load("one_at_a_time", &sweep, &points);
  assert_int_equal(points.count, 17);
  assert_int_equal(points.design_count, 13); /* four of the values are the base's */
  assert_int_equal(answer_effects(&points, score, &e, &any, NULL), 0);
  assert_false(any);
  struct gpu_spec spec;
  const uint32_t design = answer_one_at_a_time(&points, 0, 3);
  assert_true(design < points.design_count);
  points_spec(&points, points.first_points[design], &spec, NULL);
  assert_int_equal(spec.cores, 16);
  assert_int_equal(spec.execution_engines, 3);
  points_clear(&points);
  sweep_destroy(sweep);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_grid_of_a_formula),
                                     cmocka_unit_test(test_level_without_samples_is_not_a_number),
                                     cmocka_unit_test(test_sobol_finds_the_grids_effects_of_a_law),
                                     cmocka_unit_test(test_sobol_finds_the_grids_effects_of_replays),
                                     cmocka_unit_test(test_one_at_a_time_has_no_effects_but_sensitivities)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
