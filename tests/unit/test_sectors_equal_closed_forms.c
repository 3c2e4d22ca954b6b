/* Lines that share a tag, and lines of which stores write a part: lines moved and times on kernels worked out by
 * hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <stdint.h>
#include <stdlib.h>

#include "model/cache/sectored.h"
#include "default_spec.h"
#include "line_kernel.h"
#include "simulated.h"

static struct line_kernel kernel;

/* One core with one engine, warps of 32; lines of 32 bytes, four to a tag; stores cost nothing beside their queues. */
static struct gpu_spec one_engine(void) {
  struct gpu_spec spec = default_spec();
  spec.cores = spec.execution_engines = 1;
  spec.warp_size = 32;
  spec.line_bytes = 32;
  spec.tag_lines = 4;
  spec.partial_writes = true;
  spec.store_cycles = 0;
  return spec;
}

/* One warp of `items` work-items, `item_bytes` apart; each operation is `op_bytes` behind the one before. */
static struct sim_result run(const struct gpu_spec *spec, const char *ops, uint32_t items, int32_t item_bytes,
                             uint32_t op_bytes) {
  line_kernel_make(&kernel, &(struct line_kernel_shape){ops, 1, items, item_bytes, op_bytes, 0});
  return simulated_numbers(&kernel.trace, spec);
}

static void test_lines_go_with_their_tag(void **state) {
  (void)state;
  struct cache *c = sectored_create(cache_create(CACHE_REUSE_DISTANCE, REPLACEMENT_LRU, 2, 1, false), 2);
  assert_false(cache_access(c, 0));
  assert_false(cache_access(c, 1)); /* the tag is there, the line is not */
  assert_true(cache_access(c, 0));
  assert_false(cache_touch(c, 2));
  assert_false(cache_touch(c, 2)); /* a touch fetches nothing */
  assert_int_equal(cache_victim(c, 7), CACHE_NO_LINE);
  assert_false(cache_access(c, 7));
  assert_true(cache_touch(c, 1));
  assert_int_equal(cache_victim(c, 8), 4);
  assert_false(cache_access(c, 8));
  assert_true(cache_access(c, 0));
  assert_false(cache_access(c, 7));
  assert_false(cache_access(c, 8));
  assert_false(cache_access(c, 0));
  assert_false(cache_access(c, 1));
  cache_destroy(c);
}

static void test_a_miss_fetches_one_line(void **state) {
  (void)state;
  struct gpu_spec spec = one_engine();
  struct sim_result r = run(&spec, "L", 4, 128, 0); /* a word of each of four tags */
  assert_int_equal(r.counters.dram_read_bytes, 4 * 32);
  assert_int_equal(r.counters.l1_l2_read_bytes, 4 * 32);
  r = run(&spec, "LL", 4, 128, 4); /* the next word lies in the same line */
  assert_int_equal(r.counters.l1_misses, 4);
  r = run(&spec, "LL", 4, 128, 32); /* and here in the next line of the same tag */
  assert_int_equal(r.counters.l1_misses, 8);
  assert_int_equal(r.counters.dram_read_bytes, 8 * 32);
  spec.partial_writes = false;
  spec.line_bytes = 128;
  spec.tag_lines = 1;
  r = run(&spec, "LL", 4, 128, 32);
  assert_int_equal(r.counters.l1_misses, 4);
  assert_int_equal(r.counters.dram_read_bytes, 4 * 128);
}

/* Eight loads bring a line of a tag of their own into L1, and the next eight find them where there are eight tags. */
static void test_a_cache_has_so_many_tags(void **state) {
  (void)state;
  struct gpu_spec spec = one_engine();
  spec.l1_bytes = 8 * 128;
  assert_int_equal(run(&spec, "LL", 8, 128, 0).counters.l1_misses, 8);
  spec.l1_bytes = 4 * 128; /* the same loads with half of the tags: none is found */
  assert_int_equal(run(&spec, "LL", 8, 128, 0).counters.l1_misses, 16);
  spec.tag_lines = 1; /* 16 lines hold the 8 that are used */
  assert_int_equal(run(&spec, "LL", 8, 128, 0).counters.l1_misses, 8);
}

/* A load of all lines of a tag is one transaction of the load/store unit, four in lines of four tags. */
static void test_lines_of_a_tag_pass_together(void **state) {
  (void)state;
  struct gpu_spec spec = one_engine();
  spec.lsu_transactions_per_cycle = 0.1;
  const double one = run(&spec, "L", 32, 4, 0).cycles;
  assert_true(run(&spec, "L", 4, 128, 0).cycles == one + 3 * 10);
  spec.tag_lines = 1;
  assert_true(run(&spec, "L", 32, 4, 0).cycles == one + 3 * 10);
}

static void expect_fills(const struct sim_result *r, uint64_t fetched, uint64_t fills) {
  assert_int_equal(r->counters.l2_fills, fills);
  assert_int_equal(r->counters.dram_read_bytes, 32 * (fetched + fills));
  assert_int_equal(r->counters.dram_written_bytes, 0); /* l2_write: free */
}

static void test_memory_reads_the_rest_of_lines_that_leave(void **state) {
  (void)state;
  struct gpu_spec spec = one_engine();
  spec.tag_lines = 1;
  spec.l2_bytes = 2 * 32;
  struct sim_result r = run(&spec, "S", 32, 4, 0); /* four whole lines, of which two leave */
  expect_fills(&r, 4, 0);
  r = run(&spec, "S", 4, 32, 0); /* a word of each of four lines */
  expect_fills(&r, 4, 2);
  r = run(&spec, "SSSSSSSSSSSSSSSS", 2, 64, 4); /* lines 0 and 2 word by word, then lines 1 and 3 */
  expect_fills(&r, 4, 0);
  r = run(&spec, "SSSSSSSS", 2, 64, 8); /* every second word of them */
  expect_fills(&r, 4, 2);
  spec.l2_bytes = 4 * 32; /* nothing leaves */
  r = run(&spec, "SSSSSSSS", 2, 64, 8);
  expect_fills(&r, 4, 0);
  spec.tag_lines = 4; /* one tag, which takes its four lines along */
  r = run(&spec, "SS", 4, 32, 128);
  expect_fills(&r, 8, 4);
  spec.partial_writes = false;
  r = run(&spec, "SS", 4, 32, 128);
  expect_fills(&r, 8, 0);
  spec.partial_writes = true;
  spec.l2_enabled = false; /* there is no place to wait for the rest */
  r = run(&spec, "SS", 4, 32, 0);
  expect_fills(&r, 8, 8);
}

static void test_a_load_reads_what_was_not_written(void **state) {
  (void)state;
  struct gpu_spec spec = one_engine();
  struct sim_result r = run(&spec, "SL", 4, 32, 0);
  assert_int_equal(r.counters.l2_misses, 8);
  expect_fills(&r, 8, 0);
  r = run(&spec, "SLA", 4, 32, 0); /* the line is whole then */
  assert_int_equal(r.counters.l2_misses, 8);
  r = run(&spec, "SA", 4, 32, 0);
  assert_int_equal(r.counters.l2_misses, 8);
  r = run(&spec, "SL", 32, 4, 0); /* all was written */
  assert_int_equal(r.counters.l2_misses, 4);
  expect_fills(&r, 4, 0);
  r = run(&spec, "LS", 4, 32, 0); /* all was read */
  expect_fills(&r, 4, 0);
}

/* L2 serves a line in 10 cycles. A store waits until its last line is served. */
static void test_partial_stores_take_l2_longer(void **state) {
  (void)state;
  struct gpu_spec spec = one_engine();
  spec.memory = MEMORY_SWITCH_ON_ACCESS;
  spec.l2_bytes_per_cycle = 3.2;
  spec.l1_hit_cycles = spec.l1_miss_cycles = spec.l2_miss_cycles = 0;
  spec.arith_cycles = 0;
  struct sim_result r = run(&spec, "S", 32, 4, 0); /* four whole lines: the last one begins after the three others */
  assert_true(r.cycles == 3 * 10);
  r = run(&spec, "S", 4, 32, 0); /* four lines of a tag, each in part */
  assert_true(r.cycles == 3 * 20);
  r = run(&spec, "S", 4, 128, 0); /* four tags: the time of all lines of each, and of one more */
  assert_true(r.cycles == 3 * 50);
  spec.partial_writes = false;
  r = run(&spec, "S", 4, 128, 0);
  assert_true(r.cycles == 3 * 10);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_lines_go_with_their_tag),
                                     cmocka_unit_test(test_a_miss_fetches_one_line),
                                     cmocka_unit_test(test_a_cache_has_so_many_tags),
                                     cmocka_unit_test(test_lines_of_a_tag_pass_together),
                                     cmocka_unit_test(test_memory_reads_the_rest_of_lines_that_leave),
                                     cmocka_unit_test(test_a_load_reads_what_was_not_written),
                                     cmocka_unit_test(test_partial_stores_take_l2_longer)};
  return cmocka_run_group_tests(tests, load_isa, free_isa);
}
