/* Local memory as a scratchpad and loads of one address, on accesses and kernels worked out by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "default_spec.h"
#include "line_kernel.h"
#include "model/warp/occupancy.h"
#include "model/ports/scratchpad.h"
#include "simulated.h"

/* One core with one engine, warps of 32, one cycle a slot; a load that misses everything takes 5 + 20 + 100 cycles. */
static struct gpu_spec one_engine(void) {
  struct gpu_spec spec = one_engine_spec();
  spec.warp_size = 32;
  spec.scratchpad_cycles = 19;
  spec.uniform_cycles = 27;
  return spec;
}

static struct gpu_spec with_scratchpad(void) {
  struct gpu_spec spec = one_engine();
  spec.local_memory = LOCAL_SCRATCHPAD;
  return spec;
}

static struct sim_result run(const struct gpu_spec *spec, struct line_kernel_shape shape) {
  static struct line_kernel kernel;
  line_kernel_make(&kernel, &shape);
  return simulated(&kernel.trace, spec);
}

static double cycles(const struct gpu_spec *spec, struct line_kernel_shape shape) {
  static struct line_kernel kernel;
  line_kernel_make(&kernel, &shape);
  return simulated_cycles(&kernel.trace, spec);
}

/* 32 lanes, 32 banks of 4 bytes. */
static uint32_t passes(int64_t stride, uint32_t bytes, bool atomic, bool affine) {
  struct gpu_spec spec = with_scratchpad();
  struct scratchpad pad;
  struct lane_addresses lanes = {.bytes = bytes, .count = 32, .affine = affine, .first = 8192, .stride = stride};
  for (uint32_t i = 0; i < 32; i++)
    lanes.address[i] = 8192 + (uint64_t)(stride * i);
  assert_true(scratchpad_init(&pad, &spec, bytes));
  uint32_t n = scratchpad_passes(&pad, &lanes, atomic ? OP_ATOMIC : OP_LOAD, !atomic);
  scratchpad_clear(&pad);
  return n;
}

static void check_passes(int64_t stride, uint32_t bytes, bool atomic, uint32_t want) {
  assert_int_equal(passes(stride, bytes, atomic, true), want);
  assert_int_equal(passes(stride, bytes, atomic, false), want);
}

static void test_banks_conflict(void **state) {
  (void)state;
  check_passes(0, 4, false, 1); /* broadcast */
  check_passes(4, 4, false, 1);
  check_passes(-4, 4, false, 1);
  check_passes(8, 4, false, 2);
  check_passes(12, 4, false, 1); /* odd numbers of words reach all banks */
  check_passes(64, 4, false, 16);
  check_passes(128, 4, false, 32);
  check_passes(132, 4, false, 1); /* a row padded by a word */
  check_passes(1, 1, false, 1);
  check_passes(8, 8, false, 2);
  check_passes(16, 16, false, 4);
  check_passes(0, 4, true, 32);
  check_passes(4, 4, true, 1);
  check_passes(128, 4, true, 32);
}

/* 32 lanes of 16 bytes in parts of 128 bytes; lane i at `address_of(i)`. */
static uint32_t passes_in_parts(uint32_t (*address_of)(uint32_t lane), enum trace_op_class op_class) {
  struct gpu_spec spec = with_scratchpad();
  struct scratchpad pad;
  struct lane_addresses lanes = {.bytes = 16, .count = 32, .lanes = UINT32_MAX};
  spec.warp_size = 32;
  spec.access_item_bytes = 16;
  spec.access_part_bytes = 128;
  for (uint32_t i = 0; i < 32; i++)
    lanes.address[i] = 8192 + address_of(i);
  assert_true(scratchpad_init(&pad, &spec, 16));
  const uint32_t n = scratchpad_passes(&pad, &lanes, op_class, op_class != OP_ATOMIC);
  scratchpad_clear(&pad);
  return n;
}

static uint32_t one_after_another(uint32_t lane) {
  return 16 * lane;
}

static uint32_t in_pairs(uint32_t lane) {
  return 16 * (lane / 2);
}

static uint32_t in_turns_of_two(uint32_t lane) {
  return 16 * (lane / 4 * 2 + lane % 2);
}

static uint32_t in_turns_of_eight(uint32_t lane) {
  return 16 * (lane % 8);
}

static uint32_t same_banks(uint32_t lane) {
  return 128 * lane;
}

static void test_wide_accesses_pass_in_parts(void **state) {
  (void)state;
  assert_int_equal(passes_in_parts(one_after_another, OP_LOAD), 4); /* quarter-warps */
  assert_int_equal(passes_in_parts(in_pairs, OP_LOAD), 2);          /* halves where neighbours agree */
  assert_int_equal(passes_in_parts(in_turns_of_two, OP_LOAD), 2);
  assert_int_equal(passes_in_parts(in_turns_of_eight, OP_LOAD), 4); /* parts that read the same stay apart */
  assert_int_equal(passes_in_parts(in_pairs, OP_STORE), 4);
  assert_int_equal(passes_in_parts(same_banks, OP_LOAD), 32);
}

static void test_scratchpad_costs_latency_and_passes(void **state) {
  (void)state;
  struct gpu_spec spec = with_scratchpad();
  const struct line_kernel_shape column = {.ops = "l", .groups = 1, .items = 32, .item_bytes = 128};
  const struct line_kernel_shape row = {.ops = "ls", .groups = 1, .items = 32, .item_bytes = 4};
  assert_true(cycles(&spec, row) == 2 * (1 + 19));
  assert_true(cycles(&spec, column) == 1 + 19 + 31);
  spec.scratchpad_pass_cycles = 2;
  assert_true(cycles(&spec, column) == 1 + 19 + 62);
  spec.scratchpad_banks = 64;
  assert_true(cycles(&spec, column) == 1 + 19 + 30);
  struct sim_result result = run(&spec, column);
  assert_int_equal(result.counters.scratchpad_accesses, 1);
  assert_int_equal(result.counters.scratchpad_passes, 16);
  assert_int_equal(result.counters.l1_accesses + result.counters.l2_accesses + result.counters.dram_bytes, 0);
  assert_true(result.stack.local == 49 && result.stack.issue == 1);
  sim_result_clear(&result);
  spec.local_memory = LOCAL_CACHED;
  result = run(&spec, column);
  assert_int_equal(result.counters.scratchpad_accesses, 0);
  assert_int_equal(result.counters.l1_misses, 32);
  sim_result_clear(&result);
}

/* Two warps: one's run before the other's, then 32 slots to issue 32 passes each; the second finds the port busy. */
static void test_scratchpad_serves_in_order(void **state) {
  (void)state;
  struct gpu_spec spec = with_scratchpad();
  const struct line_kernel_shape two = {.ops = "l", .groups = 1, .items = 64, .item_bytes = 128};
  spec.memory = MEMORY_SWITCH_ON_ACCESS;
  spec.scratchpad_pass_cycles = 2;
  assert_true(cycles(&spec, two) == 34 + 32 + (32 + 62 + 19));
  spec.scratchpad_pass_cycles = 0;
  assert_true(cycles(&spec, two) == 34 + 32 + 19);
}

/* A local load of 32 passes is issued after a slot, a global one of 32 lines a slot later; a pass each cycle. */
static void test_local_and_global_accesses_share_a_pipe(void **state) {
  (void)state;
  struct gpu_spec spec = with_scratchpad();
  const struct line_kernel_shape both = {.ops = "lL", .groups = 1, .items = 32, .item_bytes = 128};
  spec.memory = MEMORY_DEPENDENCY;
  spec.access_issue = ACCESS_ISSUE_INSTRUCTION;
  spec.lsu_transactions_per_cycle = 1;
  assert_true(cycles(&spec, both) == 2 + 31 + 32 * 125);
  spec.scratchpad_shares_pipe = true;
  assert_true(cycles(&spec, both) == 1 + 32 + 31 + 32 * 125);
  spec.lsu_access_cycles = 5; /* of the local load, which the global one waits for */
  assert_true(cycles(&spec, both) == 1 + 32 + 5 + 31 + 32 * 125);
  spec.lsu_items_per_cycle = 0.5; /* the local load takes 64 cycles and these 5 */
  assert_true(cycles(&spec, both) == 1 + 64 + 5 + 31 + 32 * 125);
  spec.lsu_items_per_cycle = spec.lsu_access_cycles = 0;
  spec.access_issue = ACCESS_ISSUE_TRANSACTION;
  assert_true(cycles(&spec, both) == 2 + 32 + 32 + 31 + 32 * 125);
}

static void test_scratchpad_limits_work_groups(void **state) {
  (void)state;
  struct gpu_spec spec = with_scratchpad();
  struct error error = ERROR_INIT;
  static struct line_kernel kernel;
  line_kernel_make(&kernel, &(struct line_kernel_shape){.ops = "l", .groups = 8, .items = 32, .item_bytes = 4});
  kernel.trace.header.local_bytes = 1000;
  spec.scratchpad_bytes = 3999;
  assert_int_equal(occupancy_groups(&kernel.trace, &spec), 3);
  spec.scratchpad_bytes = 999;
  assert_int_equal(occupancy_check(&kernel.trace, &spec, &error), -1);
  assert_string_equal(error.key, "scratchpad_bytes");
  spec.local_memory = LOCAL_CACHED;
  assert_int_equal(occupancy_check(&kernel.trace, &spec, &error), 0);
  assert_int_equal(occupancy_groups(&kernel.trace, &spec), 8);
}

static void test_loads_of_one_address_take_their_port(void **state) {
  (void)state;
  struct gpu_spec spec = one_engine();
  const struct line_kernel_shape constant = {.ops = "c", .groups = 1, .items = 32};
  const struct line_kernel_shape global = {.ops = "L", .groups = 1, .items = 32};
  const struct line_kernel_shape apart = {.ops = "c", .groups = 1, .items = 32, .item_bytes = 1};
  spec.uniform_cache_bytes = 0;
  assert_true(cycles(&spec, constant) == 1 + 125);
  spec.uniform_loads = UNIFORM_CONSTANT;
  assert_true(cycles(&spec, constant) == 1 + 27);
  assert_true(cycles(&spec, global) == 1 + 125);
  assert_true(cycles(&spec, apart) == 1 + 125);
  spec.uniform_loads = UNIFORM_ANY;
  assert_true(cycles(&spec, global) == 1 + 27);
  struct sim_result result = run(&spec, global);
  assert_int_equal(result.counters.uniform_loads, 1);
  assert_int_equal(result.counters.l1_accesses, 0);
  assert_true(result.stack.uniform == 27);
  sim_result_clear(&result);
}

static void test_uniform_port_has_a_cache(void **state) {
  (void)state;
  struct gpu_spec spec = one_engine();
  spec.uniform_loads = UNIFORM_CONSTANT;
  spec.uniform_cache_bytes = 128;
  struct line_kernel_shape shape = {.ops = "cc", .groups = 1, .items = 32, .op_bytes = 4};
  assert_true(cycles(&spec, shape) == 1 + 125 + 1 + 27);
  shape = (struct line_kernel_shape){.ops = "ccc", .groups = 1, .items = 32, .op_bytes = 62}; /* two lines, then one */
  assert_true(cycles(&spec, shape) == 1 + 125 + 1 + (10 + 20 + 100) + 1 + 27);
}

/* Both warps are ready when the first has run; loads follow each other by their cycles. */
static void test_uniform_port_spaces_loads(void **state) {
  (void)state;
  struct gpu_spec spec = one_engine();
  spec.uniform_loads = UNIFORM_CONSTANT;
  spec.uniform_cache_bytes = 0;
  spec.memory = MEMORY_SWITCH_ON_ACCESS;
  spec.uniform_load_cycles = 8;
  const struct line_kernel_shape two = {.ops = "c", .groups = 1, .items = 64};
  assert_true(cycles(&spec, two) == 3 + 1 + (7 + 27));
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_banks_conflict),
                                     cmocka_unit_test(test_wide_accesses_pass_in_parts),
                                     cmocka_unit_test(test_scratchpad_costs_latency_and_passes),
                                     cmocka_unit_test(test_scratchpad_serves_in_order),
                                     cmocka_unit_test(test_local_and_global_accesses_share_a_pipe),
                                     cmocka_unit_test(test_scratchpad_limits_work_groups),
                                     cmocka_unit_test(test_loads_of_one_address_take_their_port),
                                     cmocka_unit_test(test_uniform_port_has_a_cache),
                                     cmocka_unit_test(test_uniform_port_spaces_loads)};
  return cmocka_run_group_tests(tests, load_isa, free_isa);
}
