/* What each mechanism of the memory system costs, on kernels worked out by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <stdint.h>
#include <stdlib.h>

#include "line_kernel.h"
#include "model/simulate.h"

static struct isa_profile *isa;
static struct line_kernel kernel;

static int load_isa(void **state) {
  (void)state;
  return isa_load("bifrost", &isa, NULL);
}

static int free_isa(void **state) {
  (void)state;
  isa_destroy(isa);
  return 0;
}

/* One core with one engine, warps of 4, one cycle a slot; a load that misses everything takes 5 + 20 + 100 cycles. */
static struct gpu_spec one_engine(void) {
  struct gpu_spec spec;
  struct param_origin *origins = calloc(gpu_params.count, sizeof *origins);
  params_defaults(&gpu_params, &spec, origins);
  params_origins_clear(&gpu_params, origins);
  free(origins);
  spec.cores = spec.execution_engines = 1;
  spec.threads_per_core = 256;
  spec.store_cycles = 3;
  spec.l1_hit_cycles = 5;
  spec.l1_miss_cycles = 20;
  spec.l2_miss_cycles = 100;
  return spec;
}

static struct sim_result run(const struct gpu_spec *spec, struct line_kernel_shape shape) {
  struct sim_result result;
  struct error error = ERROR_INIT;
  line_kernel_make(&kernel, &shape);
  int status = simulate(&kernel.trace, isa, spec, &result, &error);
  if (status)
    error_print(&error, stderr);
  assert_int_equal(status, 0);
  return result;
}

static double cycles(const struct gpu_spec *spec, struct line_kernel_shape shape) {
  struct sim_result result = run(spec, shape);
  double taken = result.cycles;
  sim_result_clear(&result);
  return taken;
}

/* A run ends with the operation that accesses memory; under `dependency` the access then takes the engine one slot more
 * and comes back 125 cycles later. */
static void test_dependency_waits_at_the_first_use(void **state) {
  (void)state;
  struct gpu_spec spec = one_engine();
  spec.memory = MEMORY_DEPENDENCY;
  struct line_kernel_shape shape = {"Luaaaaaaaaa", 1, 4, 4, 0, 0};
  assert_true(cycles(&spec, shape) == 1 + 1 + 125 + 10); /* used at once: all of the latency */
  shape.ops = "Laaaaaaaaau";
  assert_true(cycles(&spec, shape) == 1 + 1 + 125 + 1); /* nine additions under the latency */
  shape.ops = "Laaaaaaaaaa";
  assert_true(cycles(&spec, shape) == 1 + 1 + 125); /* never used: the end waits */
  shape.ops = "LaaaB";
  assert_true(cycles(&spec, shape) == 1 + 1 + 125); /* and so does a barrier, which costs nothing itself */
  spec.l2_miss_cycles = spec.l1_miss_cycles = 0;
  spec.l1_hit_cycles = 4;
  shape.ops = "Laaaaaaaaau";
  assert_true(cycles(&spec, shape) == 1 + 1 + 9 + 1); /* the value is there in time */
  spec.memory = MEMORY_SWITCH_ON_ACCESS;
  assert_true(cycles(&spec, shape) == 1 + 1 + 4 + 10);
}

static void test_dependency_overlaps_the_accesses_of_a_warp(void **state) {
  (void)state;
  struct gpu_spec spec = one_engine();
  struct line_kernel_shape shape = {"LLLLLLLL", 1, 4, 4, 64, 0}; /* eight lines from DRAM */
  spec.memory = MEMORY_DEPENDENCY;
  spec.warp_accesses_in_flight = 8;
  assert_true(cycles(&spec, shape) == 8 * 2 + 125);
  spec.warp_accesses_in_flight = 4; /* the fifth starts when the first is back, and so on */
  assert_true(cycles(&spec, shape) == (2 + 125) + 1 + 3 * 2 + 125);
  spec.warp_accesses_in_flight = 1;
  double one_at_a_time = cycles(&spec, shape);
  spec.memory = MEMORY_SWITCH_ON_ACCESS;
  assert_true(cycles(&spec, shape) == 8 * (2 + 125));
  assert_true(one_at_a_time == 1 + 8 * (1 + 125)); /* the run before an access needs no place */
}

static void test_places_in_flight_limit_a_core(void **state) {
  (void)state;
  struct gpu_spec spec = one_engine();
  struct line_kernel_shape shape = {"L", 1, 32, 64, 0, 0}; /* eight warps of four lines from DRAM each */
  spec.memory = MEMORY_SWITCH_ON_ACCESS;
  double slots = 8 * 1 + 8 * 4, latency = 4 * 125;
  assert_true(cycles(&spec, shape) == slots + latency); /* all runs come first, then the accesses */
  spec.core_accesses_in_flight = 8;
  assert_true(cycles(&spec, shape) == slots + latency);
  spec.core_accesses_in_flight = 1; /* one after the other */
  struct sim_result r = run(&spec, shape);
  assert_true(r.cycles == 8 * 1 + 8 * (4 + latency));
  assert_true(r.stack.issue == slots && r.stack.dram == 8 * latency);
  sim_result_clear(&r);
  spec.memory = MEMORY_DEPENDENCY;
  assert_true(cycles(&spec, shape) == 8 * 1 + 8 * (4 + latency));
  spec.memory = MEMORY_BLOCKING; /* an access holds the engine anyway */
  assert_true(cycles(&spec, shape) == 8 * 1 + 8 * latency);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_dependency_waits_at_the_first_use),
                                     cmocka_unit_test(test_dependency_overlaps_the_accesses_of_a_warp),
                                     cmocka_unit_test(test_places_in_flight_limit_a_core)};
  return cmocka_run_group_tests(tests, load_isa, free_isa);
}
