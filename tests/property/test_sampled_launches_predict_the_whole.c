/* A trace of some work-groups (trace --groups auto) predicts what a replay of the whole launch says: cycles within the
 * bound that is stated, for Xgemm on a GPU with few cores and on one with many within some percent, work-item
 * instructions exactly, L1 misses and traffic of memory closely. Prints the table of docs/sampling.md. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "model/params/gpu.h"
#include "model/simulate.h"
#include "rounds.h"
#include "trace/trace.h"

struct launch {
  const char *workload, *trace;
  double most[3]; /* error in percent on the GPUs; 0: the stated bound alone */
  bool is_long;   /* in nightly rounds */
};

static const char *const gpus[] = {"mali-g71-mp8", "rtx-2080-ti", "h200"};

static const struct launch launches[] = {
    {"xgemm:M=512,N=512,K=64", "xgemm+M512+N512+K64", {1, 0}, false},
    {"xgemm:M=512,N=512,K=128,MWG=64,NWG=64,SA=1,SB=1", "xgemm+M512+N512+K128+MWG64+NWG64+SA1+SB1", {3, 0}, false},
    {"xgemm:M=1024,N=1024,K=64,MWG=64,NWG=64", "xgemm+M1024+N1024+K64+MWG64+NWG64", {1, 0}, false},
    {"xgemm:M=1024,N=1024,K=64,MWG=32,NWG=32,STRM=1,STRN=1,VWM=1,VWN=1",
     "xgemm+M1024+N1024+K64+MWG32+NWG32+VWM1+VWN1+STRM1+STRN1",
     {1, 7},
     false},
    {"transpose-naive-512", "transpose-naive-512", {1, 0}, false},
    {"copy2d-float4-512", "copy2d-float4-512", {3, 0}, false},
    {"convolution-256-mask3", "convolution-256-mask3", {0, 0}, false},
    {"saxpy", "saxpy", {3, 0}, false},
    {"xgemm:M=512,N=512,K=512", "xgemm+M512+N512+K512", {1, 5}, true},
    {"xgemm:M=1024,N=1024,K=256,MWG=64,NWG=64", "xgemm+M1024+N1024+K256+MWG64+NWG64", {1, 5}, true},
    {"xgemm:M=768,N=768,K=768,MWG=32,NWG=64,SA=1", "xgemm+M768+N768+K768+MWG32+NWG64+SA1", {1, 0}, true},
    {"xgemm:M=4096,N=4096,K=64,MWG=64,NWG=64", "xgemm+M4096+N4096+K64+MWG64+NWG64", {1, 8}, true},
    {"gemm-512", "gemm-512", {3, 0}, true},
};

static void trace(const struct launch *launch, const char *options, const char *folder) {
  char command[1024];
  snprintf(command, sizeof command,
           "\"$REASSEMBLE_PROGRAM\" trace --quiet --no-check --undefined-reads none %s -o %s %s >traced.txt", options,
           folder, launch->workload);
  assert_int_equal(system(command), 0);
}

static void simulate_trace(const struct launch *launch, const char *folder, const struct gpu *gpu,
                           const struct isa_profile *isa, struct sim_result *result) {
  char path[256];
  struct trace *loaded;
  struct error error = ERROR_INIT;
  snprintf(path, sizeof path, "%s/%s.rtrace", folder, launch->trace);
  if (trace_load(path, &loaded, &error) != 0 || simulate(loaded, isa, &gpu->spec, result, &error) != 0)
    fail_msg("%s: %s", path, error.text);
  trace_destroy(loaded);
}

static double ratio(uint64_t a, uint64_t b) {
  return b > 0 ? (double)a / (double)b : 0;
}

static void compare(const struct launch *launch, const char *name, double most, const struct sim_result *whole,
                    const struct sim_result *sampled) {
  const double error = sampled->cycles / whole->cycles - 1;
  print_message("| %s | %s | %u of %u | %.0f | %+.1f %% | %.0f %% |\n", launch->workload, name, sampled->sampled_groups,
                sampled->launch_groups, whole->cycles, 100 * error, 100 * sampled->error_bound);
  assert_true(sampled->estimated);
  assert_true(fabs(sampled->cycles - whole->cycles) <= sampled->error_bound * sampled->cycles);
  if (most > 0)
    assert_true(100 * fabs(error) <= most);
  assert_true(fabs(ratio(sampled->work_item_instructions, whole->work_item_instructions) - 1) < 0.02);
  assert_true(fabs(ratio(sampled->counters.dram_bytes, whole->counters.dram_bytes) - 1) < 0.15);
  assert_true(fabs(ratio(sampled->counters.l1_accesses, whole->counters.l1_accesses) - 1) < 0.05);
  double values[SIM_STACK_COUNT], sum = 0;
  sim_stack_values(&sampled->stack, values);
  for (int i = 0; i < SIM_STACK_COUNT; i++)
    sum += values[i];
  assert_true(fabs(sum / sampled->cycles - 1) < 1e-9);
}

static void sampled_launches_predict_the_whole(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof launches / sizeof launches[0]; i++) {
    if (launches[i].is_long && rounds(1) == 1)
      continue;
    trace(&launches[i], "", "whole");
    trace(&launches[i], "--groups auto", "sampled");
    for (size_t g = 0; g < sizeof gpus / sizeof gpus[0]; g++) {
      struct sim_result whole, sampled;
      struct error error = ERROR_INIT;
      struct gpu *gpu;
      struct isa_profile *isa;
      assert_int_equal(gpu_load(gpus[g], &gpu, &error), 0);
      assert_int_equal(isa_load(gpu->isa, &isa, &error), 0);
      simulate_trace(&launches[i], "whole", gpu, isa, &whole);
      simulate_trace(&launches[i], "sampled", gpu, isa, &sampled);
      compare(&launches[i], gpus[g], launches[i].most[g], &whole, &sampled);
      sim_result_clear(&whole);
      sim_result_clear(&sampled);
      isa_destroy(isa);
      gpu_destroy(gpu);
    }
  }
}

static void refuse(const char *workload, const char *name, const char *expected) {
  const struct launch launch = {workload, name, {0, 0}, false};
  struct sim_result result;
  struct error error = ERROR_INIT;
  struct gpu *gpu;
  struct isa_profile *isa;
  struct trace *loaded;
  char path[256];
  trace(&launch, "--groups auto", "sampled");
  snprintf(path, sizeof path, "sampled/%s.rtrace", name);
  assert_int_equal(gpu_load("mali-g71-mp8", &gpu, &error), 0);
  assert_int_equal(isa_load(gpu->isa, &isa, &error), 0);
  assert_int_equal(trace_load(path, &loaded, &error), 0);
  assert_int_equal(simulate(loaded, isa, &gpu->spec, &result, &error), -1);
  assert_int_equal(error.kind, ERROR_INPUT);
  if (!strstr(error.text, expected))
    fail_msg("%s", error.text);
  trace_destroy(loaded);
  isa_destroy(isa);
  gpu_destroy(gpu);
}

/* Work-groups whose rows of a matrix have other lengths. */
static void work_groups_that_differ_are_refused(void **state) {
  (void)state;
  refuse("spmv-csr-16384", "spmv-csr-16384.1", "they are not alike");
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(sampled_launches_predict_the_whole),
                                     cmocka_unit_test(work_groups_that_differ_are_refused)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
