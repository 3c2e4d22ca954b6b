/* Intervals of one-at-a-time sensitivities: low and high are those of replays at the ends of each parameter's interval,
 * found one by one; recorded replays say nearly the same; a GPU without intervals has none. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "dse/intervals.h"

static const double arith[] = {0.44, 0.2, 0.9}, l2_miss[] = {100, 50, 200}; /* tuned, low, high */

struct fixture {
  struct sweep *sweep;
  struct points points;
  struct trace *trace;
  const struct trace *launches[1];
  struct isa_profile *isa;
  struct evaluation_workload workload;
  struct evaluation evaluation;
  struct intervals intervals;
};

static void write_file(const char *path, const char *text) {
  FILE *out = fopen(path, "w");
  assert_non_null(out);
  fputs(text, out);
  fclose(out);
}

static void open_fixture(struct fixture *f, const char *parameters, bool exact) {
  char text[2048], gpu[64], sweep[64], trace[512];
  struct error error = ERROR_INIT;
  snprintf(gpu, sizeof gpu, "intervals-%ld-gpu.yaml", (long)getpid());
  snprintf(sweep, sizeof sweep, "intervals-%ld.yaml", (long)getpid());
  snprintf(trace, sizeof trace, "%s/tests/golden/gemm-64.rtrace", getenv("REASSEMBLE_DATA"));
  snprintf(text, sizeof text, "schema: reassemble.gpu/1\nname: g\nabout: a\nbase: mali-g71-mp8-thesis\nparameters:\n%s",
           parameters);
  write_file(gpu, text);
  snprintf(text, sizeof text,
           "schema: reassemble.sweep/1\nname: s\ngpu: %s\nworkloads: [saxpy]\nsampling: one_at_a_time\naxes:\n"
           "  - cores: [2, 8]\n  - arith_cycles: [x0.5, 0.3]\n",
           gpu);
  write_file(sweep, text);
  *f = (struct fixture){.workload.name = trace};
  if (sweep_load(sweep, &f->sweep, &error) != 0 || points_enumerate(f->sweep, false, &f->points, &error) != 0 ||
      trace_load(trace, &f->trace, &error) != 0 || isa_load("bifrost", &f->isa, &error) != 0 ||
      intervals_plan(&f->points, exact, &f->intervals, &error) != 0)
    fail_msg("%s:%u: %s: %s", error.file, error.line, error.key, error.text);
  f->launches[0] = f->trace;
  f->workload.traces = f->launches;
  f->workload.trace_count = 1;
  f->evaluation = (struct evaluation){&f->workload, 1, f->isa};
  unlink(gpu);
  unlink(sweep);
  if (f->intervals.parameter_count == 0)
    return;
  const struct run run = {.evaluation = &f->evaluation, .jobs = 1, .quiet = true};
  assert_int_equal(intervals_begin(&f->intervals, &f->evaluation, NULL), 0);
  assert_int_equal(intervals_run(&f->intervals, &run, NULL, NULL), 0);
}

static void close_fixture(struct fixture *f) {
  intervals_clear(&f->intervals);
  points_clear(&f->points);
  sweep_destroy(f->sweep);
  isa_destroy(f->isa);
  trace_destroy(f->trace);
}

static const char two_parameters[] = "  arith_cycles: {value: 0.44, interval: [0.2, 0.9]}\n"
                                     "  store_cycles: {value: 1.5, interval: [1.5, 1.5]}\n"
                                     "  l2_miss_cycles: {value: 100, interval: [50, 200]}\n";

static double cycles(const struct fixture *f, double cores, double arith_cycles, double l2_miss_cycles) {
  struct gpu_spec spec = f->sweep->gpu->spec;
  double values[MOST_OUTCOME_VALUES];
  assert_int_equal(params_set_number(params_find(&gpu_params, "cores"), &spec, cores, NULL), 0);
  assert_int_equal(params_set_number(params_find(&gpu_params, "arith_cycles"), &spec, arith_cycles, NULL), 0);
  assert_int_equal(params_set_number(params_find(&gpu_params, "l2_miss_cycles"), &spec, l2_miss_cycles, NULL), 0);
  assert_int_equal(evaluate(&f->evaluation, &spec, 0, values, NULL), 0);
  return values[outcome_value("cycles")];
}

/* The speed-up of a design (factor < 0: an arithmetic latency of -factor itself) with both parameters at ends. */
static double speedup(const struct fixture *f, double cores, double factor, size_t a, size_t m) {
  const double latency = factor > 0 ? factor * arith[a] : -factor;
  return cycles(f, 8, arith[a], l2_miss[m]) / cycles(f, cores, latency, l2_miss[m]);
}

static void check(const struct fixture *f, size_t axis, size_t value, double cores, double factor, double within) {
  const double s = speedup(f, cores, factor, 0, 0);
  double down = 0, up = 0, at_ends[2][2];
  struct interval_of found;
  assert_true(intervals_of(&f->intervals, axis, value, 0, 1, s, at_ends, &found));
  for (size_t k = 0; k < 2; k++) {
    double least = 0, most = 0;
    for (size_t end = 0; end < 2; end++) {
      const double there = speedup(f, cores, factor, k == 0 ? 1 + end : 0, k == 1 ? 1 + end : 0);
      assert_float_equal(at_ends[k][end], there, within);
      least = fmin(least, log(there / s));
      most = fmax(most, log(there / s));
    }
    down += least * least;
    up += most * most;
  }
  assert_float_equal(found.low, s * exp(-sqrt(down)), within);
  assert_float_equal(found.high, s * exp(sqrt(up)), within);
}

static void check_all(bool exact, double within) {
  struct fixture f;
  struct interval_of found;
  open_fixture(&f, two_parameters, exact);
  assert_int_equal(f.intervals.parameter_count, 2); /* one has no width */
  check(&f, 0, 0, 2, 1, within);
  check(&f, 1, 0, 8, 0.5, within);
  check(&f, 1, 1, 8, -0.3, within);
  assert_true(intervals_of(&f.intervals, 0, 1, 0, 1, 1, NULL, &found)); /* the base itself */
  assert_true(found.low == 1 && found.high == 1 && found.most == 2);
  assert_true(intervals_of(&f.intervals, 1, 1, 0, 1, 1, NULL, &found)); /* 0.3 in place of 0.2 to 0.9 */
  assert_true(found.low < 0.95 && found.high > 1.1);
  assert_string_equal(gpu_params.list[f.intervals.parameters[found.most]].key, "arith_cycles");
  close_fixture(&f);
}

static void test_exact_replays_equal_those_one_by_one(void **state) {
  (void)state;
  check_all(true, 1e-12);
}

static void test_recorded_replays_say_nearly_the_same(void **state) {
  (void)state;
  check_all(false, 0.01);
}

static void test_no_intervals_without_those_of_the_file(void **state) {
  (void)state;
  struct fixture f;
  struct interval_of found;
  open_fixture(&f, "  cores: 8\n  arith_cycles: {value: 0.44}\n", false);
  assert_int_equal(f.intervals.parameter_count, 0);
  assert_false(intervals_of(&f.intervals, 0, 0, 0, 1, 1, NULL, &found));
  assert_true(isnan(found.low) && isnan(found.high));
  close_fixture(&f);
}

/* The base in the files of the G71's relatives moves along: their intervals are scaled. */
static void test_scaled_gpus_have_scaled_intervals(void **state) {
  (void)state;
  struct gpu *g71, *g72;
  const size_t miss = (size_t)(params_find(&gpu_params, "l1_miss_cycles") - gpu_params.list);
  const size_t hit = (size_t)(params_find(&gpu_params, "l1_hit_cycles") - gpu_params.list);
  assert_int_equal(gpu_load("mali-g71-mp8", &g71, NULL), 0);
  assert_int_equal(gpu_load("mali-g72-mp12", &g72, NULL), 0);
  assert_true(g71->origins[miss].has_interval && g72->origins[miss].has_interval && g72->origins[hit].has_interval);
  assert_float_equal(g72->origins[miss].low, 0.6885 * g71->origins[miss].low, 1e-9);
  assert_float_equal(g72->origins[miss].high, 0.6885 * g71->origins[miss].high, 1e-9);
  assert_true(g72->origins[hit].low == g71->origins[hit].low);
  gpu_destroy(g71);
  gpu_destroy(g72);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_exact_replays_equal_those_one_by_one),
                                     cmocka_unit_test(test_recorded_replays_say_nearly_the_same),
                                     cmocka_unit_test(test_no_intervals_without_those_of_the_file),
                                     cmocka_unit_test(test_scaled_gpus_have_scaled_intervals)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
