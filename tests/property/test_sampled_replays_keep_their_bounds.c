/* `--sample`: the exact cycles lie within the bound that is stated with the estimate, on every launch of every workload
 * of the suite, on GPUs whose engines wait for memory and on others, with queues and without; and most bounds are
 * narrow. What was replayed whole is exact to the bit. Prints what each estimate cost and how far off it is.
 * Here the workloads tagged `quick`; with REASSEMBLE_TEST_ROUNDS (./test.sh nightly) all, the benchmarks' larger ones
 * and more GPUs too. */
#include <glob.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "model/params/gpu.h"
#include "model/simulate.h"
#include "rounds.h"
#include "trace/trace.h"

enum { MOST_LAUNCHES = 1000 };

static glob_t traces;

#ifdef REASSEMBLE_SANITIZED /* ten times slower */
#define QUICK "*-256*.yaml"
#else
#define QUICK "*.yaml"
#endif

static int load(void **state) {
  (void)state;
  const char *const quick =
      "grep -rlE '^tags:.*\\bquick\\b' --include='" QUICK "' \"$REASSEMBLE_DATA/configs/workloads\"";
  const char *const all = "grep -rlE '^tags:.*\\b(thesis60|irregular|cnn|gemm|quick)\\b' --include='*.yaml' "
                          "\"$REASSEMBLE_DATA/configs/workloads\" | xargs grep -L workload-set; "
                          "ls \"$REASSEMBLE_DATA\"/tests/bench/*.yaml";
  char command[1024];
  snprintf(command, sizeof command,
           "rm -rf sampled && \"$REASSEMBLE_PROGRAM\" trace --quiet --no-check --undefined-reads none -o sampled $(%s) "
           ">sampled.txt",
           rounds(1) > 1 ? all : quick);
  return system(command) != 0 || glob("sampled/*.rtrace", 0, NULL, &traces) != 0 ? -1 : 0;
}

static int unload(void **state) {
  (void)state;
  globfree(&traces);
  return system("rm -rf sampled");
}

static double seconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

struct outcome {
  size_t launches, estimated;
  double bounds[MOST_LAUNCHES];
  double share, exact_seconds, sampled_seconds; /* of the estimated ones */
};

static void check_stack(const struct sim_stack *stack, double cycles) {
  double values[SIM_STACK_COUNT], sum = 0;
  sim_stack_values(stack, values);
  for (int i = 0; i < SIM_STACK_COUNT; i++) {
    assert_true(values[i] >= 0);
    sum += values[i];
  }
  assert_true(sum == cycles);
}

static void check_estimate(const char *path, const struct sim_result *exact, const struct sim_result *sampled) {
  const char *slash = strrchr(path, '/');
  const double error = exact->cycles - sampled->cycles;
  print_message("  %-36s replayed %5.1f %%, bound %4.2f %%, error %+5.2f %%\n", slash ? slash + 1 : path,
                100 * sampled->replayed_share, 100 * sampled->error_bound, 100 * error / sampled->cycles);
  if (fabs(error) > sampled->error_bound * sampled->cycles)
    fail_msg("%s: exact %.0f cycles, estimated %.0f, more than %.2f %% off", path, exact->cycles, sampled->cycles,
             100 * sampled->error_bound);
  assert_true(sampled->error_bound > 0 && sampled->error_bound <= 0.05 && sampled->replayed_share < 1);
  check_stack(&sampled->stack, sampled->cycles);
  for (size_t i = 0; i < sampled->core_count; i++)
    check_stack(&sampled->core_stacks[i], sampled->cycles);
  assert_int_equal(sampled->work_item_instructions, exact->work_item_instructions);
  assert_true(sampled->counters.l1_misses <= sampled->counters.l1_accesses &&
              sampled->counters.l2_misses <= sampled->counters.l2_accesses);
  assert_true(sampled->simd_efficiency > 0 && sampled->simd_efficiency <= 1);
}

static void check_whole(const char *path, const struct sim_result *exact, const struct sim_result *sampled) {
  if (sampled->cycles != exact->cycles || sampled->error_bound != 0 || sampled->replayed_share != 1)
    fail_msg("%s: replayed whole, yet not exact", path);
  assert_memory_equal(&sampled->counters, &exact->counters, sizeof exact->counters);
  assert_memory_equal(&sampled->stack, &exact->stack, sizeof exact->stack);
}

static void check_launch(const char *path, const struct gpu_spec *spec, const struct isa_profile *isa,
                         struct outcome *all) {
  struct error error = ERROR_INIT;
  struct sim_result exact, sampled;
  struct trace *trace;
  if (trace_load(path, &trace, &error) != 0)
    fail_msg("%s", error.text);
  const double start = seconds();
  if (simulate(trace, isa, spec, &exact, &error) != 0)
    fail_msg("%s: %s", path, error.text);
  const double middle = seconds();
  if (simulate_sampled(trace, isa, spec, 1. / 16, &sampled, &error) != 0)
    fail_msg("%s: %s", path, error.text);
  all->launches++;
  if (sampled.estimated) {
    all->exact_seconds += middle - start;
    all->sampled_seconds += seconds() - middle;
    all->share += sampled.replayed_share;
    all->bounds[all->estimated++] = sampled.error_bound;
    check_estimate(path, &exact, &sampled);
  } else {
    check_whole(path, &exact, &sampled);
  }
  sim_result_clear(&exact);
  sim_result_clear(&sampled);
  trace_destroy(trace);
}

static int compare(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static void check_spec(const char *name, const struct gpu_spec *spec, const struct isa_profile *isa, size_t least) {
  struct outcome all = {0};
  assert_in_range(traces.gl_pathc, 1, MOST_LAUNCHES);
  print_message("%s\n", name);
  for (size_t i = 0; i < traces.gl_pathc; i++)
    check_launch(traces.gl_pathv[i], spec, isa, &all);
  if (all.estimated > 0) {
    qsort(all.bounds, all.estimated, sizeof all.bounds[0], compare);
    print_message("%s: %zu of %zu launches estimated; replayed of them %.0f %% in the mean, median bound %.1f %%, %.1f "
                  "times as fast\n",
                  name, all.estimated, all.launches, 100 * all.share / (double)all.estimated,
                  100 * all.bounds[all.estimated / 2], all.exact_seconds / all.sampled_seconds);
  }
#ifdef REASSEMBLE_SANITIZED
  (void)least; /* fewer workloads */
#else
  assert_true(all.estimated >= least);
#endif
}

static void with_queues(struct gpu_spec *spec) {
  spec->memory = MEMORY_DEPENDENCY;
  spec->core_accesses_in_flight = 64;
  spec->lsu_transactions_per_cycle = 1;
  spec->l1_l2_bytes_per_cycle = 64;
  spec->l1_mshrs = 16;
  spec->l2_slices = 4;
  spec->l2_bytes_per_cycle = 256;
  spec->dram_bytes_per_cycle = 28;
}

/* `least`: so many estimates at least, on the quick workloads. */
static void check_gpu(const char *name, void (*change)(struct gpu_spec *), size_t least) {
  struct error error = ERROR_INIT;
  struct gpu *gpu;
  struct isa_profile *isa = NULL;
  if (gpu_load(name, &gpu, &error) != 0 || isa_load(gpu->isa, &isa, &error) != 0)
    fail_msg("%s", error.text);
  if (change)
    change(&gpu->spec);
  check_spec(name, &gpu->spec, isa, least);
  isa_destroy(isa);
  gpu_destroy(gpu);
}

static void test_engines_that_wait(void **state) {
  (void)state;
  check_gpu("mali-g71-mp8-thesis", NULL, 30);
}

static void test_engines_that_go_on(void **state) {
  (void)state;
  check_gpu("generic-scalar", NULL, 15);
}

static void test_queues_and_dependencies(void **state) {
  (void)state;
  check_gpu("mali-g31-mp2", with_queues, 20);
}

static void test_other_gpus(void **state) {
  (void)state;
  static const char *const names[] = {"mali-g31-mp2",  "mali-g51-mp4", "mali-g52-mp2",
                                      "mali-g76-mp10", "mali-g77-mp9", "nvidia-like-32"};
  for (size_t i = 0; i < sizeof names / sizeof names[0] && rounds(1) > 1; i++)
    check_gpu(names[i], NULL, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_engines_that_wait),
                                     cmocka_unit_test(test_engines_that_go_on),
                                     cmocka_unit_test(test_queues_and_dependencies), cmocka_unit_test(test_other_gpus)};
  return cmocka_run_group_tests(tests, load, unload);
}
