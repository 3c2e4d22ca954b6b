/* Translation of addresses, on kernels worked out by hand, and its laws. */
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

/* One core with one engine, warps of 4, and a TLB of two pages of 4 KiB in front of a shared one of four. */
static struct gpu_spec with_tlb(void) {
  struct gpu_spec spec = default_spec();
  spec.cores = spec.execution_engines = 1;
  spec.tlb_entries = 2;
  spec.l2_tlb_entries = 4;
  spec.page_bytes = 4096;
  spec.l2_tlb_cycles = 10;
  spec.page_walk_cycles = 1000;
  return spec;
}

static double cycles_without(const struct gpu_spec *spec) {
  struct gpu_spec off = *spec;
  off.tlb_entries = 0;
  return simulated_cycles(&kernel.trace, &off);
}

/* Accesses of one warp of four work-items that are `stride` bytes apart. */
static void loads(const char *code, int32_t stride) {
  line_kernel_make(&kernel, &(struct line_kernel_shape){code, 1, 4, stride, 0, 0});
}

/* Four work-items in one page walk once; in four pages four times, each after the other. */
static void test_each_page_walks_once(void **state) {
  (void)state;
  const struct gpu_spec spec = with_tlb();
  loads("L", 64);
  struct sim_result r = simulated(&kernel.trace, &spec);
  assert_int_equal(r.counters.tlb_accesses, 4);
  assert_int_equal(r.counters.tlb_misses, 1);
  assert_int_equal(r.counters.page_walks, 1);
  assert_true(r.cycles == cycles_without(&spec) + 1010);
  assert_true(r.stack.translation == 1010);
  sim_result_clear(&r);
  loads("L", 4096);
  r = simulated(&kernel.trace, &spec);
  assert_int_equal(r.counters.page_walks, 4);
  assert_true(r.cycles == cycles_without(&spec) + 4 * 1010);
  sim_result_clear(&r);
}

/* A second load of the same lines hits L1, which needs no translation. Without L1, four pages do not fit into the TLB
 * of the core, but they do into the shared one: 10 cycles each. */
static void test_levels(void **state) {
  (void)state;
  struct gpu_spec spec = with_tlb();
  loads("LL", 4096);
  struct sim_result r = simulated(&kernel.trace, &spec);
  assert_int_equal(r.counters.tlb_accesses, 4);
  sim_result_clear(&r);
  spec.l1_enabled = false;
  r = simulated(&kernel.trace, &spec);
  assert_int_equal(r.counters.tlb_accesses, 8);
  assert_int_equal(r.counters.tlb_misses, 8);
  assert_int_equal(r.counters.page_walks, 4);
  assert_true(r.cycles == cycles_without(&spec) + 4 * 1010 + 4 * 10);
  sim_result_clear(&r);
  spec.l2_tlb_entries = 0;
  r = simulated(&kernel.trace, &spec);
  assert_int_equal(r.counters.page_walks, 8);
  sim_result_clear(&r);
}

/* A store translates, but does not wait. */
static void test_stores_do_not_wait(void **state) {
  (void)state;
  const struct gpu_spec spec = with_tlb();
  loads("S", 4096);
  struct sim_result r = simulated(&kernel.trace, &spec);
  assert_int_equal(r.counters.page_walks, 4);
  assert_true(r.cycles == cycles_without(&spec));
  sim_result_clear(&r);
}

/* Laws: the more entries, the fewer misses (LRU); larger pages walk no more often; latencies of 0 cost nothing; hits
 * and misses of the caches are the same with and without translation, as one warp at a time runs. */
static void test_laws(void **state) {
  (void)state;
  struct gpu_spec spec = with_tlb();
  uint64_t misses = UINT64_MAX, walks = UINT64_MAX;
  spec.l1_enabled = false;
  loads("LLLLL", 2048);
  for (spec.tlb_entries = 1; spec.tlb_entries <= 8; spec.tlb_entries *= 2) {
    struct sim_result r = simulated(&kernel.trace, &spec);
    assert_true(r.counters.tlb_misses <= misses && r.counters.page_walks <= r.counters.tlb_misses);
    misses = r.counters.tlb_misses;
    sim_result_clear(&r);
  }
  assert_true(misses == 2);
  for (spec.page_bytes = 1024; spec.page_bytes <= 65536; spec.page_bytes *= 2) {
    struct sim_result r = simulated(&kernel.trace, &spec);
    assert_true(r.counters.page_walks <= walks);
    walks = r.counters.page_walks;
    sim_result_clear(&r);
  }
  assert_true(walks == 1);
  spec.l2_tlb_cycles = spec.page_walk_cycles = 0;
  assert_true(simulated_cycles(&kernel.trace, &spec) == cycles_without(&spec));
}

/* In front of L1: each of four pages holds the unit for 10 cycles, the second load of the same lines finds them where
 * the TLB has four entries and none where it has three (LRU), whether L1 hits or not; a store holds the unit as
 * well. */
static void test_unit_stands_still(void **state) {
  (void)state;
  struct gpu_spec spec = with_tlb(), without = spec;
  spec.tlb_entries = without.tlb_entries = 0;
  spec.lsu_tlb_miss_cycles = 10;
  without.lsu_transactions_per_cycle = spec.lsu_transactions_per_cycle = 1;
  loads("LL", 4096);
  for (spec.lsu_tlb_entries = 3; spec.lsu_tlb_entries <= 4; spec.lsu_tlb_entries++) {
    struct sim_result r = simulated(&kernel.trace, &spec);
    const uint64_t misses = spec.lsu_tlb_entries == 3 ? 8 : 4;
    assert_int_equal(r.counters.tlb_accesses, 8);
    assert_int_equal(r.counters.tlb_misses, misses);
    assert_true(r.cycles == simulated_cycles(&kernel.trace, &without) + 10 * (double)misses);
    assert_true(r.stack.translation == 0);
    sim_result_clear(&r);
  }
  loads("SL", 4096);
  assert_true(simulated_cycles(&kernel.trace, &spec) == simulated_cycles(&kernel.trace, &without) + 40);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_each_page_walks_once), cmocka_unit_test(test_levels),
                                     cmocka_unit_test(test_stores_do_not_wait), cmocka_unit_test(test_laws),
                                     cmocka_unit_test(test_unit_stands_still)};
  return cmocka_run_group_tests(tests, load_isa, free_isa);
}
