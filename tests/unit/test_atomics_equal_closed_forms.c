/* The cost of atomics that wait for each other equals closed forms, on kernels computed by hand. */
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

static struct line_kernel kernel;

/* One atomic by each item, `item_bytes` from one to the next. */
static struct sim_result run(const struct gpu_spec *spec, uint32_t items, int32_t item_bytes) {
  line_kernel_make(&kernel, &(struct line_kernel_shape){"A", 1, items, item_bytes, 0, 0});
  return simulated_numbers(&kernel.trace, spec);
}

static void test_lanes_of_one_address_come_one_after_another(void **state) {
  (void)state;
  struct gpu_spec spec = one_engine_spec();
  spec.atomic_cycles = 7;
  struct sim_result r = run(&spec, 4, 0); /* one address */
  assert_true(r.cycles == 1 + 125 + 4 * 7 && r.stack.atomic == 4 * 7);
  assert_int_equal(r.counters.atomics, 4);
  assert_int_equal(r.counters.atomic_rounds, 4);
  r = run(&spec, 4, 4); /* four of one line */
  assert_true(r.cycles == 1 + 125 + 7);
  assert_int_equal(r.counters.atomic_rounds, 1);
  r = run(&spec, 4, 64); /* four lines: latencies add up */
  assert_true(r.cycles == 1 + 4 * 125 + 4 * 7);
  r = run(&spec, 4, -64);
  assert_true(r.cycles == 1 + 4 * 125 + 4 * 7);
  spec.coalesce = false; /* each on its own: one line from memory, then three hits */
  r = run(&spec, 4, 0);
  assert_true(r.cycles == 1 + 100 + 4 * 25 + 4 * 7);
  spec.atomic_cycles = 0;
  assert_true(run(&spec, 4, 0).cycles == 1 + 100 + 4 * 25);
}

/* A slice executes an operation in two cycles. */
static void test_a_slice_executes_one_operation_after_another(void **state) {
  (void)state;
  struct gpu_spec spec = one_engine_spec();
  spec.l2_atomics_per_cycle = 0.5;
  struct sim_result r = run(&spec, 4, 4);
  assert_true(r.cycles == 1 + 125 + 3 * 2 && r.stack.atomic == 3 * 2);
  assert_true(run(&spec, 4, 0).cycles == 1 + 125 + 3 * 2); /* whatever their addresses */
  assert_true(run(&spec, 4, 64).cycles == 1 + 4 * 125 + 3 * 2);
  spec.l2_slices = 4; /* a line, so an operation, each */
  assert_true(run(&spec, 4, 64).cycles == 1 + 4 * 125);
  spec.execution_engines = 2; /* two warps: the other's four operations come first */
  spec.l2_miss_cycles = 0;
  assert_true(run(&spec, 8, 0).cycles == 1 + 25 + 7 * 2);
}

/* A slice executes a round of a line in two cycles: of one address one operation, whatever warp it belongs to. */
static void test_one_address_is_served_at_its_own_rate(void **state) {
  (void)state;
  struct gpu_spec spec = one_engine_spec();
  spec.l2_atomic_rounds_per_cycle = 0.5;
  assert_true(run(&spec, 4, 0).cycles == 1 + 125 + 3 * 2);
  assert_true(run(&spec, 4, 4).cycles == 1 + 125);              /* four addresses of a line: one round */
  assert_true(run(&spec, 4, 64).cycles == 1 + 4 * 125 + 3 * 2); /* a round for each line */
  spec.execution_engines = 2;                                   /* two warps */
  spec.l2_miss_cycles = 0;
  assert_true(run(&spec, 8, 0).cycles == 1 + 25 + 7 * 2); /* one address: the other's four rounds come first */
  assert_true(run(&spec, 8, 4).cycles == 1 + 25 + 2);     /* one line: the other's round does */
  spec.l2_atomics_per_cycle = 0.25;                       /* the slower of the two counts */
  assert_true(run(&spec, 8, 4).cycles == 1 + 25 + 7 * 4);
  spec.coalesce = false; /* each on its own: rounds follow one another as before */
  spec.l2_atomics_per_cycle = 0;
  assert_true(run(&spec, 4, 0).cycles == 1 + 4 * 25 + 3 * 2);
}

/* A round covers eight bytes, and a slice executes one in two cycles. */
static void test_a_round_covers_a_piece_of_a_line(void **state) {
  (void)state;
  struct gpu_spec spec = one_engine_spec();
  spec.l2_atomic_rounds_per_cycle = 0.5;
  spec.atomic_round_bytes = 8;
  const struct sim_result r = run(&spec, 4, 4); /* four words, two pieces */
  assert_true(r.cycles == 1 + 125 + 2);
  assert_int_equal(r.counters.atomic_rounds, 2);
  assert_true(run(&spec, 4, 8).cycles == 1 + 125 + 3 * 2);
  assert_true(run(&spec, 4, 0).cycles == 1 + 125 + 3 * 2); /* one piece, four rounds */
  spec.atomic_cycles = 7;                                  /* which cost latency */
  assert_true(run(&spec, 4, 4).cycles == 1 + 125 + 2 * 7 + 2);
}

/* Of 1,000 units each line has its own, of two no fewer than two lines of four share one. */
static void test_units_execute_side_by_side(void **state) {
  (void)state;
  struct gpu_spec spec = one_engine_spec();
  spec.l2_atomic_rounds_per_cycle = 0.5;
  spec.l2_atomic_units = 1000;
  spec.l2_atomic_unit_bytes = 64;
  assert_true(run(&spec, 4, 64).cycles == 1 + 4 * 125);
  assert_true(run(&spec, 4, 0).cycles == 1 + 125 + 3 * 2); /* one word has one unit */
  spec.l2_atomic_unit_bytes = 256;                         /* the four lines as well */
  assert_true(run(&spec, 4, 64).cycles == 1 + 4 * 125 + 3 * 2);
  spec.l2_atomic_unit_bytes = 64;
  spec.l2_atomic_units = 2;
  assert_true(run(&spec, 4, 64).cycles >= 1 + 4 * 125 + 2);
}

/* Runs an atomic that the code table calls by this name. */
static struct sim_result run_named(const struct gpu_spec *spec, const char *name, uint32_t items, int32_t item_bytes,
                                   enum trace_space space) {
  char own[16], *names[] = {strcpy(own, name)};
  line_kernel_make(&kernel, &(struct line_kernel_shape){"A", 1, items, item_bytes, 0, 0});
  kernel.ops[0].name = 0;
  kernel.ops[0].space = (uint8_t)space;
  kernel.trace.code.names = names;
  kernel.trace.code.name_count = 1;
  return simulated_numbers(&kernel.trace, spec);
}

static void test_lanes_of_a_uniform_atomic_are_one(void **state) {
  (void)state;
  struct gpu_spec spec = one_engine_spec();
  spec.atomic_cycles = 7;
  assert_true(run_named(&spec, "uniform", 4, 0, SPACE_GLOBAL).cycles == 1 + 125 + 4 * 7);
  spec.merge_atomics = true;
  const struct sim_result r = run_named(&spec, "uniform", 4, 0, SPACE_GLOBAL);
  assert_true(r.cycles == 1 + 125 + 7);
  assert_int_equal(r.counters.atomics, 1);
  assert_true(run_named(&spec, "increment", 4, 0, SPACE_GLOBAL).cycles == 1 + 125 + 4 * 7);
  assert_true(run(&spec, 4, 0).cycles == 1 + 125 + 4 * 7);                                     /* without a name */
  assert_true(run_named(&spec, "uniform", 4, 64, SPACE_GLOBAL).cycles == 1 + 4 * 125 + 4 * 7); /* other addresses */
}

static void test_a_scratchpad_counts_what_increments_a_word(void **state) {
  (void)state;
  struct gpu_spec spec = one_engine_spec();
  spec.local_memory = LOCAL_SCRATCHPAD;
  spec.scratchpad_banks = 4;
  assert_int_equal(run_named(&spec, "increment", 4, 0, SPACE_LOCAL).counters.scratchpad_passes, 4);
  spec.scratchpad_counts = true;
  assert_int_equal(run_named(&spec, "increment", 4, 0, SPACE_LOCAL).counters.scratchpad_passes, 1);
  assert_int_equal(run_named(&spec, "increment", 4, 16, SPACE_LOCAL).counters.scratchpad_passes, 4); /* of one bank */
  assert_int_equal(run_named(&spec, "uniform", 4, 0, SPACE_LOCAL).counters.scratchpad_passes, 4);
  spec.merge_atomics = true;
  assert_int_equal(run_named(&spec, "uniform", 4, 0, SPACE_LOCAL).counters.scratchpad_passes, 1);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_lanes_of_one_address_come_one_after_another),
                                     cmocka_unit_test(test_a_slice_executes_one_operation_after_another),
                                     cmocka_unit_test(test_one_address_is_served_at_its_own_rate),
                                     cmocka_unit_test(test_a_round_covers_a_piece_of_a_line),
                                     cmocka_unit_test(test_units_execute_side_by_side),
                                     cmocka_unit_test(test_lanes_of_a_uniform_atomic_are_one),
                                     cmocka_unit_test(test_a_scratchpad_counts_what_increments_a_word)};
  return cmocka_run_group_tests(tests, load_isa, free_isa);
}
