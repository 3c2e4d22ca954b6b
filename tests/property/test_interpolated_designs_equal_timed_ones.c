/* Designs whose times a sweep interpolates have nearly the cycles that they have when each is timed, whether they
 * differ in latencies or also in caches and rates. The slow reference is the same recording, asked for so few GPUs at
 * once that nothing is interpolated; where GPUs with other caches and rates need recordings of their own, exact replays
 * are. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/random.h"
#include "model/params/gpu.h"
#include "model/retime/retime_record.h"
#include "model/retime/many/retime_surface.h"
#include "model/simulate.h"
#include "trace/trace.h"

enum { DESIGNS = 160, FEW = SURFACE_LEAST - 1 };

/* Kernels on GPUs of which one core is timed in place of all, with queues and without, all cores, or one core alone. */
static const struct launch {
  const char *workload, *gpu;
  bool traffic; /* with caches and rates */
  bool exact;   /* compared with exact replays */
} launches[] = {
    {"saxpy", "mali-g71-mp8", false, false},           {"spmv-ell", "mali-g71-mp8", false, false},
    {"gemm-tiled-64", "generic-scalar", false, false}, {"backprop-4096", "mali-g71-mp8-thesis", false, false},
    {"saxpy", "rtx-2080-ti-tuned", false, false},      {"saxpy", "mali-g71-mp8", true, false},
    {"spmv-ell", "mali-g31-mp2", true, false},         {"gemm-tiled-64", "generic-scalar", true, false},
    {"backprop-4096", "mali-g52-mp2", true, false},    {"blackscholes-64", "mali-t860-mp4", true, true}};

static struct trace *traced(const char *workload) {
  char command[512], path[128];
  struct trace *trace;
  struct error error = ERROR_INIT;
  snprintf(command, sizeof command, "\"$REASSEMBLE_PROGRAM\" trace --quiet --no-check -o designs %s >traced.txt",
           workload);
  assert_int_equal(system(command), 0);
  snprintf(path, sizeof path, "designs/%s.rtrace", workload);
  if (trace_load(path, &trace, &error) != 0)
    fail_msg("%s: %s", path, error.text);
  return trace;
}

static double between(struct random_state *r, double low, double high) {
  return low + (high - low) * (double)random_below(r, 1001) / 1000;
}

static void set_designs(const struct gpu_spec *base, bool traffic, struct gpu_spec *specs) {
  static const double rates[] = {0, 32, 12};
  struct random_state r = {7};
  for (int i = 0; i < DESIGNS; i++) {
    specs[i] = *base;
    specs[i].arith_cycles *= i > 0 ? between(&r, 0.5, 1.5) : 1;
    specs[i].l1_hit_cycles *= i > 0 ? between(&r, 0.5, 1.5) : 1;
    specs[i].l1_miss_cycles *= i > 0 ? between(&r, 0.5, 1.5) : 1;
    specs[i].l2_miss_cycles *= i > 0 ? between(&r, 0.5, 1.5) : 1;
    if (!traffic || i == 0)
      continue;
    specs[i].l1_bytes = INT64_C(8192) << random_below(&r, 3);
    specs[i].l2_bytes = INT64_C(131072) << random_below(&r, 3);
    specs[i].dram_bytes_per_cycle = rates[random_below(&r, 3)];
  }
}

/* Compares the cycles of both ways. A stack has all of them. */
static void compare(const struct launch *launch, const struct sim_result *all, const struct sim_result *each) {
  double mean = 0, most = 0;
  int differ = 0;
  for (int i = 0; i < DESIGNS; i++) {
    double values[SIM_STACK_COUNT], sum = 0;
    const double error = fabs(all[i].cycles / each[i].cycles - 1);
    sim_stack_values(&all[i].stack, values);
    for (int s = 0; s < SIM_STACK_COUNT; s++)
      sum += values[s];
    assert_true(fabs(sum - all[i].cycles) < 1e-6 * all[i].cycles);
    assert_true(launch->exact || (all[i].approximate && all[i].counters.l2_misses == each[i].counters.l2_misses));
    mean += error / DESIGNS;
    most = fmax(most, error);
    differ += error > 0;
  }
  print_message("%s on %s%s: %d of %d interpolated, %.3f %% off, at most %.2f %%\n", launch->workload, launch->gpu,
                launch->traffic ? ", with caches and rates" : "", differ, DESIGNS, 100 * mean, 100 * most);
  assert_true(differ > DESIGNS / 4);
  assert_true(mean < 0.006 && most < (launch->traffic ? 0.1 : 0.05));
}

static void check(const struct launch *launch) {
  static struct gpu_spec specs[DESIGNS];
  static struct sim_result all[DESIGNS], each[DESIGNS];
  struct error error = ERROR_INIT;
  struct isa_profile *isa;
  struct gpu *gpu;
  struct retime_recording *recording;
  struct sim_result result;
  bool done[DESIGNS];
  struct trace *trace = traced(launch->workload);
  assert_int_equal(gpu_load(launch->gpu, &gpu, &error), 0);
  assert_int_equal(isa_load(gpu->isa, &isa, &error), 0);
  set_designs(&gpu->spec, launch->traffic, specs);
  assert_int_equal(retime_record(trace, isa, specs, DESIGNS, &recording, &result, &error), 0);
  assert_non_null(recording);
  retime_all(recording, specs, DESIGNS, all, done);
  for (int i = 0; i < DESIGNS && launch->exact; i++) {
    assert_true(done[i]);
    assert_int_equal(simulate(trace, isa, &specs[i], &each[i], &error), 0);
  }
  for (int i = 0; i < DESIGNS && !launch->exact; i += FEW)
    retime_all(recording, specs + i, DESIGNS - i < FEW ? (size_t)(DESIGNS - i) : FEW, each + i, done);
  compare(launch, all, each);
  for (int i = 0; i < DESIGNS && launch->exact; i++)
    sim_result_clear(&each[i]);
  sim_result_clear(&result);
  retime_destroy(recording);
  trace_destroy(trace);
  isa_destroy(isa);
  gpu_destroy(gpu);
}

static void test_designs(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof launches / sizeof *launches; i++)
    check(&launches[i]);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_designs)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
