/* The cost of each mechanism of the memory system equals closed forms, on kernels computed by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <stdint.h>
#include <stdlib.h>

#include "model/memory/mshr.h"
#include "default_spec.h"
#include "line_kernel.h"
#include "simulated.h"

static struct line_kernel kernel;

/* One core with one engine, warps of 4, one cycle a slot; a load that misses everything takes 5 + 20 + 100 cycles. */
static struct gpu_spec one_engine(void) {
  struct gpu_spec spec = one_engine_spec();
  spec.threads_per_core = 256;
  spec.store_cycles = 3;
  return spec;
}

static struct sim_result run(const struct gpu_spec *spec, struct line_kernel_shape shape) {
  line_kernel_make(&kernel, &shape);
  return simulated(&kernel.trace, spec);
}

static double cycles(const struct gpu_spec *spec, struct line_kernel_shape shape) {
  line_kernel_make(&kernel, &shape);
  return simulated_cycles(&kernel.trace, spec);
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

/* One warp, four lines: what is alone does not wait, each further transaction waits for those before it. */
static void test_load_store_unit_and_link_take_lines_one_by_one(void **state) {
  (void)state;
  struct gpu_spec spec = one_engine();
  struct line_kernel_shape shape = {"L", 1, 4, 64, 0, 0};
  spec.lsu_transactions_per_cycle = 0.5;
  struct sim_result r = run(&spec, shape);
  assert_true(r.cycles == 1 + 3 * 2 + 4 * 125);
  assert_true(r.stack.lsu == 3 * 2 && r.stack.bandwidth == 0);
  sim_result_clear(&r);
  spec.l1_l2_bytes_per_cycle = 16;
  assert_true(cycles(&spec, shape) == 1 + 3 * 2 + 3 * 4 + 4 * 125);
  spec.lsu_transactions_per_cycle = 0;
  assert_true(cycles(&spec, shape) == 1 + 3 * 4 + 4 * 125);
  shape.item_bytes = 4; /* one line */
  assert_true(cycles(&spec, shape) == 1 + 125);
}

/* Eight warps with a line each: all runs come first, then a line every 64 bytes / (1 byte a cycle). */
static void test_streams_run_at_bandwidth(void **state) {
  (void)state;
  struct gpu_spec spec = one_engine();
  struct line_kernel_shape shape = {"L", 1, 32, 16, 0, 0};
  spec.memory = MEMORY_SWITCH_ON_ACCESS;
  spec.dram_bytes_per_cycle = 1;
  assert_true(cycles(&spec, shape) == 8 + 1 + 7 * 64 + 125);
  spec.dram_bytes_per_cycle = 0;
  spec.l2_bytes_per_cycle = 1;
  assert_true(cycles(&spec, shape) == 8 + 1 + 7 * 64 + 125);
  spec.l2_bytes_per_cycle = 0;
  spec.l1_l2_bytes_per_cycle = 1;
  assert_true(cycles(&spec, shape) == 8 + 1 + 7 * 64 + 125);
  spec.memory = MEMORY_BLOCKING;
  shape.ops = "S"; /* a store holds its engine until it is taken: 3 cycles, and 61 in the queue */
  struct sim_result r = run(&spec, shape);
  assert_true(r.cycles == 8 + 3 + 7 * 64);
  assert_true(r.stack.store == 8 * 3 && r.stack.lsu == 7 * 61);
  sim_result_clear(&r);
  spec.l1_l2_bytes_per_cycle = 0;
  spec.dram_bytes_per_cycle = 1;
  r = run(&spec, shape);
  assert_true(r.cycles == 8 + 3 + 7 * 64);
  assert_true(r.stack.store == 8 * 3 && r.stack.bandwidth == 7 * 61);
  sim_result_clear(&r);
}

/* Eight warps with a line each: with MSHRs the unit stands still for 64 cycles after each line that comes into L1,
 * while the link takes the next one. Where all warps load one line, the first access holds up the seven others. */
static void test_lines_that_come_take_the_unit(void **state) {
  (void)state;
  struct gpu_spec spec = one_engine();
  struct line_kernel_shape shape = {"L", 1, 32, 16, 0, 0};
  spec.memory = MEMORY_SWITCH_ON_ACCESS;
  spec.l1_l2_bytes_per_cycle = 1;
  assert_true(cycles(&spec, shape) == 8 + 1 + 7 * 64 + 125);
  spec.l1_mshrs = 8;
  assert_true(cycles(&spec, shape) == 8 + 1 + 7 * 64 + 125);
  shape.item_bytes = 0;
  struct sim_result r = run(&spec, shape);
  assert_int_equal(r.counters.l2_accesses, 1);
  assert_true(r.queues.lsu > 0);
  sim_result_clear(&r);
  spec.l1_mshrs = 0;
  r = run(&spec, shape);
  assert_int_equal(r.counters.l2_accesses, 1);
  assert_true(r.queues.lsu == 0);
  sim_result_clear(&r);
}

/* Eight stores fetch a line each. With one MSHR each waits for the 120 cycles that the line of the one before it
 * takes. */
static void test_fetches_for_stores_take_mshrs(void **state) {
  (void)state;
  struct gpu_spec spec = one_engine();
  struct line_kernel_shape shape = {"S", 1, 32, 16, 0, 0};
  spec.l1_write = L1_WRITE_BACK;
  spec.l1_write_allocate = true;
  spec.l1_mshrs = 8;
  const double at_once = cycles(&spec, shape);
  spec.l1_mshrs = 1;
  assert_true(cycles(&spec, shape) >= 7 * 120);
  assert_true(at_once < 7 * 120 / 2);
}

static void test_slices_share_the_bandwidth(void **state) {
  (void)state;
  struct gpu_spec spec = one_engine();
  struct line_kernel_shape shape = {"L", 1, 4, 64, 0, 0}; /* lines 0 to 3 at once */
  spec.l2_bytes_per_cycle = 2;
  assert_true(cycles(&spec, shape) == 1 + 3 * 32 + 500);
  spec.l2_slices = 2;
  assert_true(cycles(&spec, shape) == 1 + 64 + 500);
  spec.l2_slices = 4;
  assert_true(cycles(&spec, shape) == 1 + 500);
  shape.item_bytes = 256; /* lines 0, 4, 8, 12: all in slice 0 */
  assert_true(cycles(&spec, shape) == 1 + 3 * 128 + 500);
}

/* A miss occupies its MSHR for the 120 cycles behind L1. */
static void test_mshrs_limit_misses_in_flight(void **state) {
  (void)state;
  struct gpu_spec spec = one_engine();
  struct line_kernel_shape shape = {"L", 1, 32, 16, 0, 0};
  spec.memory = MEMORY_SWITCH_ON_ACCESS;
  spec.l1_mshrs = 1;
  assert_true(cycles(&spec, shape) == 8 + 7 * 120 + 1 + 125);
  spec.l1_mshrs = 8;
  assert_true(cycles(&spec, shape) == 8 + 8 + 125);
  spec.l1_mshrs = 0;
  spec.l2_mshrs = 1; /* 100 of them behind L2 */
  assert_true(cycles(&spec, shape) == 8 + 7 * 100 + 1 + 125);
}

/* Lines of a few are fetched again while they are on their way, and come in another order. More and more are on their
 * way, so that the file grows after places in it have been used again. */
static void test_fetches_are_found_until_they_come(void **state) {
  (void)state;
  enum { FETCHES = 2000, LINES = 50 };
  static uint64_t comes[FETCHES];
  struct mshr_file file;
  assert_true(mshr_file_init(&file, 0));
  for (uint32_t added = 0; added < FETCHES; added++) {
    comes[added] = added + 1 + (uint64_t)added * 7919 % (10 + added / 4);
    mshr_file_add(&file, added * 37 % LINES, comes[added]);
    mshr_file_release(&file, added);
    uint32_t left = 0;
    uint64_t first[LINES] = {0};
    for (uint32_t i = added + 1; i-- > 0;)
      if (comes[i] > added) {
        left++;
        first[i * 37 % LINES] = comes[i];
      }
    assert_int_equal(file.count, left);
    for (uint32_t line = 0; line < LINES; line++)
      assert_true(mshr_file_find(&file, line) == first[line]);
  }
  assert_true(file.capacity > 16);
  assert_false(file.no_memory);
  mshr_file_clear(&file);
}

/* Two warps of one core load the same line at the same time. */
static void test_misses_to_one_line_merge(void **state) {
  (void)state;
  struct gpu_spec spec = one_engine();
  struct line_kernel_shape shape = {"L", 1, 8, 0, 0, 0};
  spec.execution_engines = 2;
  struct sim_result r = run(&spec, shape);
  assert_true(r.cycles == 1 + 125);
  assert_true(r.stack.l2 == 20 / 2.0); /* the second hits a line that is not there yet */
  sim_result_clear(&r);
  spec.l1_mshrs = 4;
  r = run(&spec, shape);
  assert_true(r.cycles == 1 + 125);
  assert_true(r.stack.l2 == (20 + 120) / 2.0);
  assert_int_equal(r.counters.l2_accesses, 1);
  sim_result_clear(&r);
  spec.l1_mshrs = 0; /* any number of misses, which merge */
  spec.merge_misses = true;
  r = run(&spec, shape);
  assert_true(r.cycles == 1 + 125);
  assert_true(r.stack.l2 == (20 + 120) / 2.0);
  assert_int_equal(r.counters.l2_accesses, 1);
  sim_result_clear(&r);
  spec.l1_enabled = false; /* every access misses, but what is on its way is not fetched again */
  r = run(&spec, shape);
  assert_int_equal(r.counters.l1_misses, 2);
  assert_int_equal(r.counters.l2_accesses, 1);
  sim_result_clear(&r);
}

static void test_rows_of_a_bank(void **state) {
  (void)state;
  struct gpu_spec spec = one_engine();
  struct line_kernel_shape shape = {"L", 1, 4, 64, 0, 0};
  spec.dram_banks = 1;
  spec.dram_row_bytes = 128;
  spec.dram_row_miss_cycles = 10;
  assert_true(cycles(&spec, shape) == 1 + 500 + 2 * 10); /* lines 0 1 | 2 3 */
  spec.dram_row_bytes = 64;
  assert_true(cycles(&spec, shape) == 1 + 500 + 4 * 10);
  shape = (struct line_kernel_shape){"LL", 1, 4, 4, 128, 0}; /* lines 0 and 2, then 0 again */
  spec.l1_enabled = spec.l2_enabled = false;
  assert_true(cycles(&spec, shape) == 2 * (1 + 125 + 10));
  shape.op_bytes = 0;
  assert_true(cycles(&spec, shape) == 2 * (1 + 125) + 10);
}

static void test_row_shorter_than_a_line_is_refused(void **state) {
  (void)state;
  struct gpu_spec spec = one_engine();
  struct error error = ERROR_INIT;
  spec.dram_row_bytes = 64;
  spec.line_bytes = 128;
  assert_int_equal(gpu_spec_check(&spec, NULL), 0); /* no banks: rows do not matter */
  spec.dram_banks = 2;
  assert_int_equal(gpu_spec_check(&spec, &error), -1);
  assert_string_equal(error.key, "dram_row_bytes");
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_dependency_waits_at_the_first_use),
                                     cmocka_unit_test(test_dependency_overlaps_the_accesses_of_a_warp),
                                     cmocka_unit_test(test_places_in_flight_limit_a_core),
                                     cmocka_unit_test(test_load_store_unit_and_link_take_lines_one_by_one),
                                     cmocka_unit_test(test_streams_run_at_bandwidth),
                                     cmocka_unit_test(test_lines_that_come_take_the_unit),
                                     cmocka_unit_test(test_fetches_for_stores_take_mshrs),
                                     cmocka_unit_test(test_slices_share_the_bandwidth),
                                     cmocka_unit_test(test_mshrs_limit_misses_in_flight),
                                     cmocka_unit_test(test_fetches_are_found_until_they_come),
                                     cmocka_unit_test(test_misses_to_one_line_merge),
                                     cmocka_unit_test(test_rows_of_a_bank),
                                     cmocka_unit_test(test_row_shorter_than_a_line_is_refused)};
  return cmocka_run_group_tests(tests, load_isa, free_isa);
}
