/* Loads that are issued early, on kernels worked out by hand: what one warp takes where nothing but first uses makes it
 * wait. That a replay with any kernel does as the rules say is checked by the slow reference
 * (tests/property/test_scheduler_equals_slow_reference.c). */
#include "expect_error.h"

#include "emulate_text.h"
#include "model/simulate.h"
#include "default_spec.h"
#include "with_isa.h"

#define BUFFERS                                                                                                        \
  "buffers:\n  X: {type: float, count: 4096, init: index}\n  N: {type: int, count: 4096, init: index}\n"               \
  "  Y: {type: float, count: 4096}\n"                                                                                  \
  "launches:\n  - {kernel: k, global: 4, local: 4, args: [{buffer: X}, {buffer: N}, {buffer: Y}]}\n"
#define KERNEL(body)                                                                                                   \
  "kernel void k(global const float *x, global const int *n, global float *y) {\n"                                     \
  "  const int i = get_global_id(0);\n  float s = 0;\n" body "  y[i] = s;\n}\n"

enum { LATENCY = 1000 };

/* Returns how many times the warp waits for a load, each time for LATENCY cycles, of which arithmetic takes few. */
static int waits(const char *name, const char *kernel, int64_t bytes, int64_t unroll) {
  const struct emulate_options options = {.trace_directory = "ahead-traces"};
  struct emulate_text t;
  struct trace *trace = NULL;
  struct sim_result result;
  struct error error = ERROR_INIT;
  struct gpu_spec spec = default_spec();
  if (emulate_text_run(&t, name, kernel, BUFFERS, &options) ||
      trace_load(t.result.launches[0].trace_path, &trace, &t.error))
    error_print(&t.error, stderr);
  assert_non_null(trace);
  emulate_text_clear(&t);
  spec.memory = MEMORY_DEPENDENCY;
  spec.warp_accesses_in_flight = 64;
  spec.l1_enabled = spec.l2_enabled = false;
  spec.l1_hit_cycles = spec.l1_miss_cycles = 0;
  spec.l2_miss_cycles = LATENCY;
  spec.early_load_bytes = bytes;
  spec.unroll = unroll;
  assert_int_equal(simulate(trace, isa, &spec, &result, &error), 0);
  const int count = (int)(result.cycles / LATENCY);
  assert_true(result.cycles - LATENCY * (double)count < LATENCY * 0.9);
  sim_result_clear(&result);
  trace_destroy(trace);
  return count;
}

#define LOOP_STAYS "  #pragma unroll 1\n" /* in the front end, so that the model unrolls it */
#define LOOP       KERNEL(LOOP_STAYS "  for (int k = 0; k < 16; k++) s += x[k * 4 + i];\n")

/* Each of sixteen iterations waits; with copies of the body so many wait together. */
static void iterations_wait_together(void **state) {
  (void)state;
  assert_int_equal(waits("loop", LOOP, 0, 0), 16);
  assert_int_equal(waits("loop", LOOP, 0, 4), 16);
  assert_int_equal(waits("loop", LOOP, 64, 1), 16);
  assert_int_equal(waits("loop", LOOP, 64, 2), 8);
  assert_int_equal(waits("loop", LOOP, 64, 4), 4);
}

/* Eight bytes hold two values: the third load waits for the first use, and then arrives a latency later. */
static void registers_limit_the_loads(void **state) {
  (void)state;
  assert_int_equal(waits("loop", LOOP, 8, 4), 8);
  assert_int_equal(waits("loop", LOOP, 4, 4), 16);
}

#define STRAIGHT KERNEL("  s = x[i]; s += sqrt(s) * x[i + 64]; s += sqrt(s) * x[i + 128]; s += sqrt(s) * x[i + 192];\n")

static void loads_of_a_block_wait_together(void **state) {
  (void)state;
  assert_int_equal(waits("straight", STRAIGHT, 0, 0), 4);
  assert_int_equal(waits("straight", STRAIGHT, 64, 0), 1);
}

/* A place that was loaded is a second wait, but places and values of all copies wait together. A chain waits each time,
 * and so does a load behind a store, which may be to the same place. */
static void what_needs_a_value_waits_for_it(void **state) {
  (void)state;
  const char *const places = KERNEL(LOOP_STAYS "  for (int k = 0; k < 16; k++) s += x[n[k * 4 + i]];\n");
  const char *const chain = KERNEL("  int p = i;\n" LOOP_STAYS "  for (int k = 0; k < 16; k++) p = n[p];\n  s = p;\n");
  const char *const stores =
      KERNEL(LOOP_STAYS "  for (int k = 0; k < 16; k++) y[64 + k * 4 + i] = x[k * 4 + i] * 2;\n");
  assert_int_equal(waits("places", places, 0, 0), 32);
  assert_int_equal(waits("places", places, 64, 4), 8);
  assert_int_equal(waits("chain", chain, 64, 4), 16);
  assert_int_equal(waits("stores", stores, 64, 4), waits("stores", stores, 0, 0));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(iterations_wait_together), cmocka_unit_test(registers_limit_the_loads),
      cmocka_unit_test(loads_of_a_block_wait_together), cmocka_unit_test(what_needs_a_value_waits_for_it)};
  return cmocka_run_group_tests(tests, load_isa, free_isa);
}
