/* The cost of fetching instructions equals closed forms, on kernels computed by hand: straight-line code, loops,
 * several warps and cores. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "default_spec.h"
#include "line_kernel.h"
#include "simulated.h"

enum { OPS = 32, MISS = 7 };

/* One core with one engine, warps of 4, one cycle a slot; an operation of 6 bytes fills a line of the cache. */
static struct gpu_spec one_engine(uint32_t lines) {
  struct gpu_spec spec = default_spec();
  spec.cores = spec.execution_engines = 1;
  spec.instruction_line_bytes = 6;
  spec.instruction_cache_bytes = 6 * lines;
  spec.instruction_miss_cycles = MISS;
  return spec;
}

/* 32 additions, `repeat` times, by so many warps of a work-group each. */
static struct sim_result run(const struct gpu_spec *spec, uint32_t repeat, uint32_t warps) {
  static struct line_kernel kernel;
  static struct trace_step steps[2];
  char ops[OPS + 1];
  memset(ops, 'a', OPS);
  ops[OPS] = 0;
  line_kernel_make(&kernel, &(struct line_kernel_shape){.ops = ops, .groups = warps, .items = 4});
  steps[0] = (struct trace_step){.repeat = repeat, .body = 1};
  steps[1] = (struct trace_step){.block = 0, .repeat = 1};
  kernel.path.steps = steps;
  kernel.path.step_count = 2;
  return simulated(&kernel.trace, spec);
}

static void check(struct gpu_spec spec, uint32_t repeat, uint32_t warps, uint64_t misses) {
  struct sim_result result = run(&spec, repeat, warps);
  assert_int_equal(result.counters.instruction_misses, misses);
  double engines = (double)(spec.cores * spec.execution_engines);
  assert_true(result.stack.fetch == (double)misses * MISS / engines);
  if (engines == 1)
    assert_true(result.cycles == (double)OPS * repeat * warps + (double)misses * MISS);
  sim_result_clear(&result);
}

static void test_code_that_fits_is_fetched_once(void **state) {
  (void)state;
  check(one_engine(OPS), 1, 1, OPS);
  check(one_engine(OPS), 100, 1, OPS);
  check(one_engine(OPS), 100, 5, OPS);
  check(one_engine(10 * OPS), 100, 5, OPS);
}

/* LRU and one pass after the other: a line too few, and none is ever there. */
static void test_code_that_does_not_fit_is_fetched_again(void **state) {
  (void)state;
  check(one_engine(OPS - 1), 1, 1, OPS);
  check(one_engine(OPS - 1), 100, 1, 100 * OPS);
  check(one_engine(1), 100, 5, 500 * OPS);
  check(one_engine(OPS - 1), 4000000000u, 1, UINT64_C(4000000000) * OPS);
}

static void test_lines_are_shared_by_neighbours(void **state) {
  (void)state;
  struct gpu_spec spec = one_engine(OPS);
  spec.instruction_line_bytes = 64;
  spec.instruction_cache_bytes = 128;
  check(spec, 1, 1, 3); /* 192 bytes */
  check(spec, 10, 1, 30);
  spec.instruction_cache_bytes = 192;
  check(spec, 10, 1, 3);
}

static void test_cores_fetch_for_themselves(void **state) {
  (void)state;
  struct gpu_spec spec = one_engine(OPS);
  spec.cores = 2;
  check(spec, 3, 4, 2 * OPS);
  spec.execution_engines = 2;
  check(spec, 3, 8, 2 * OPS);
}

static void test_off_costs_nothing(void **state) {
  (void)state;
  check(one_engine(0), 100, 5, 0);
}

static void test_profile_must_know_bytes(void **state) {
  (void)state;
  static struct line_kernel kernel;
  struct isa_profile *other;
  struct gpu_spec spec = one_engine(8);
  struct sim_result result;
  struct error error = ERROR_INIT;
  line_kernel_make(&kernel, &(struct line_kernel_shape){.ops = "a", .groups = 1, .items = 4});
  assert_int_equal(isa_load("generic-scalar", &other, &error), 0);
  assert_int_equal(simulate(&kernel.trace, other, &spec, &result, &error), -1);
  assert_int_equal(error.kind, ERROR_INPUT);
  assert_string_equal(error.key, "instruction_cache_bytes");
  assert_non_null(strstr(error.text, "'generic-scalar' has no 'code'"));
  isa_destroy(other);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_code_that_fits_is_fetched_once),
                                     cmocka_unit_test(test_code_that_does_not_fit_is_fetched_again),
                                     cmocka_unit_test(test_lines_are_shared_by_neighbours),
                                     cmocka_unit_test(test_cores_fetch_for_themselves),
                                     cmocka_unit_test(test_off_costs_nothing),
                                     cmocka_unit_test(test_profile_must_know_bytes)};
  return cmocka_run_group_tests(tests, load_isa, free_isa);
}
