/* Where stores go and what is written when lines leave, on kernels worked out by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <stdint.h>
#include <stdlib.h>

#include "default_spec.h"
#include "line_kernel.h"
#include "simulated.h"

static struct line_kernel kernel;

/* One core with one engine, warps of 4, one cycle a slot, three a store; lines of 64 bytes. */
static struct gpu_spec one_engine(void) {
  struct gpu_spec spec = default_spec();
  spec.cores = spec.execution_engines = 1;
  spec.store_cycles = 3;
  return spec;
}

/* One warp; every operation touches a line an item: lines 0 to 3, those `op_bytes` further on for the next operation.
 */
static struct sim_result run(const struct gpu_spec *spec, const char *ops, uint32_t op_bytes) {
  line_kernel_make(&kernel, &(struct line_kernel_shape){ops, 1, 4, 64, op_bytes, 0});
  return simulated_numbers(&kernel.trace, spec);
}

struct lines {
  uint64_t read, written; /* of whole lines */
};

static void expect_moved(const struct sim_result *r, struct lines l1_l2, struct lines dram) {
  assert_int_equal(r->counters.l1_l2_read_bytes, 64 * l1_l2.read);
  assert_int_equal(r->counters.l1_l2_written_bytes, 64 * l1_l2.written);
  assert_int_equal(r->counters.dram_read_bytes, 64 * dram.read);
  assert_int_equal(r->counters.dram_written_bytes, 64 * dram.written);
  assert_int_equal(r->counters.dram_bytes, 64 * (dram.read + dram.written));
}

static void test_l2_writes_free_through_or_back(void **state) {
  (void)state;
  struct gpu_spec spec = one_engine();
  struct sim_result r = run(&spec, "SS", 0);
  expect_moved(&r, (struct lines){0, 8}, (struct lines){4, 0});
  spec.l2_write = L2_WRITE_THROUGH;
  r = run(&spec, "SS", 0);
  expect_moved(&r, (struct lines){0, 8}, (struct lines){4, 8});
  spec.l2_write_allocate = false;
  r = run(&spec, "SS", 0);
  expect_moved(&r, (struct lines){0, 8}, (struct lines){0, 8});
  assert_int_equal(r.counters.l2_misses, 8);
  spec.l2_write = L2_WRITE_BACK; /* nothing is in L2, so nothing gets dirty there */
  r = run(&spec, "SS", 0);
  expect_moved(&r, (struct lines){0, 8}, (struct lines){0, 8});
  spec.l2_write_allocate = true;
  r = run(&spec, "SS", 0);
  expect_moved(&r, (struct lines){0, 8}, (struct lines){4, 0});
  spec.l2_bytes = 2 * 64; /* six of the eight lines leave again */
  r = run(&spec, "SS", 256);
  expect_moved(&r, (struct lines){0, 8}, (struct lines){8, 6});
  assert_int_equal(r.counters.l2_write_backs, 6);
}

static void test_l2_off_writes_to_memory_at_once(void **state) {
  (void)state;
  struct gpu_spec spec = one_engine();
  spec.l2_enabled = false;
  struct sim_result r = run(&spec, "SS", 0);
  expect_moved(&r, (struct lines){0, 8}, (struct lines){8, 0}); /* as without write policies */
  for (spec.l2_write = L2_WRITE_THROUGH; spec.l2_write <= L2_WRITE_BACK; spec.l2_write++) {
    r = run(&spec, "SS", 0);
    expect_moved(&r, (struct lines){0, 8}, (struct lines){0, 8});
    r = run(&spec, "A", 0);
    expect_moved(&r, (struct lines){4, 0}, (struct lines){4, 4});
  }
}

static void test_l1_keeps_dirty_lines(void **state) {
  (void)state;
  struct gpu_spec spec = one_engine();
  spec.l1_write = L1_WRITE_BACK;
  struct sim_result r = run(&spec, "SS", 0); /* no line is there, none is allocated */
  expect_moved(&r, (struct lines){0, 8}, (struct lines){4, 0});
  r = run(&spec, "LS", 0); /* all are */
  expect_moved(&r, (struct lines){4, 0}, (struct lines){4, 0});
  spec.l1_write_allocate = true;
  r = run(&spec, "SS", 0);
  expect_moved(&r, (struct lines){4, 0}, (struct lines){4, 0});
  spec.l1_bytes = 64; /* a line stays until the next one comes */
  r = run(&spec, "SS", 0);
  expect_moved(&r, (struct lines){8, 7}, (struct lines){4, 0});
  assert_int_equal(r.counters.l1_write_backs, 7);
  r = run(&spec, "SL", 256); /* loads push dirty lines out, clean ones just go */
  expect_moved(&r, (struct lines){8, 4}, (struct lines){8, 0});
  spec.l1_write = L1_WRITE_THROUGH; /* and allocate: each store goes on, and its line is fetched once */
  spec.l1_bytes = 1024;
  r = run(&spec, "SS", 0);
  expect_moved(&r, (struct lines){4, 8}, (struct lines){4, 0});
}

/* Memory takes a line in 64 cycles; four lines at once, the last waits for all that was before it. */
static void test_writes_take_their_share_of_the_bandwidth(void **state) {
  (void)state;
  struct gpu_spec spec = one_engine();
  const double slot = 1, stores = 4 * 3;
  spec.dram_bytes_per_cycle = 1;
  assert_true(run(&spec, "S", 0).cycles == slot + 3 * 64 + stores); /* four fetches */
  spec.l2_write = L2_WRITE_THROUGH;
  assert_true(run(&spec, "S", 0).cycles == slot + 7 * 64 + stores); /* each followed by its write */
  spec.l2_write_allocate = false;
  assert_true(run(&spec, "S", 0).cycles == slot + 3 * 64 + stores);
  spec.l2_write_allocate = true;
  spec.l2_write = L2_WRITE_BACK;
  assert_true(run(&spec, "S", 0).cycles == slot + 3 * 64 + stores);
  spec.l2_bytes = 64; /* behind each fetch but the first the line before it is written */
  struct sim_result r = run(&spec, "S", 0);
  assert_true(r.cycles == slot + (1 + 2 + 2) * 64 + stores);
  assert_true(r.stack.bandwidth == 5 * 64 && r.stack.store == stores);
}

static void test_what_an_access_carries_along_takes_its_turn_on_the_link(void **state) {
  (void)state;
  struct gpu_spec spec = one_engine();
  spec.l1_l2_bytes_per_cycle = 64;
  spec.l1_write = L1_WRITE_BACK;
  spec.l1_write_allocate = true;
  spec.l1_hit_cycles = spec.l1_miss_cycles = spec.l2_miss_cycles = 0;
  /* The store fetches four lines, which take the link for four cycles, but does not wait for that. The load's first
   * line can enter when these and the load's slot are over. */
  assert_true(run(&spec, "S", 0).cycles == 1 + 4 * 3);
  spec.store_cycles = 0;
  assert_true(run(&spec, "SL", 256).cycles == 1 + 4 + 3);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_l2_writes_free_through_or_back), cmocka_unit_test(test_l2_off_writes_to_memory_at_once),
      cmocka_unit_test(test_l1_keeps_dirty_lines), cmocka_unit_test(test_writes_take_their_share_of_the_bandwidth),
      cmocka_unit_test(test_what_an_access_carries_along_takes_its_turn_on_the_link)};
  return cmocka_run_group_tests(tests, load_isa, free_isa);
}
