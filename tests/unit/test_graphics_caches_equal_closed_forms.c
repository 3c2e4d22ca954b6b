/* Caches beside L1 for what graphics reads, on kernels worked out by hand, and their laws. */
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

/* One warp of four work-items, `stride` bytes apart; every access has the name of what it reads. */
static void reads(const char *code, int32_t stride, const char *name) {
  static char *names[1];
  line_kernel_make(&kernel, &(struct line_kernel_shape){code, 1, 4, stride, 0, 0});
  names[0] = (char *)(uintptr_t)name;
  kernel.trace.code.names = names;
  kernel.trace.code.name_count = 1;
  for (uint32_t i = 0; i < kernel.trace.code.mem_count; i++)
    kernel.trace.code.ops[kernel.trace.code.mem_ops[i]].name = 0;
}

/* Four lines miss, then hit, in the cache of their kind and not in L1; the time is the same as through an L1 of that
 * size, of which nothing is left for them. */
static void test_each_kind_has_its_cache(void **state) {
  (void)state;
  struct gpu_spec spec = one_engine_spec(), plain = spec;
  spec.texture_cache_bytes = spec.depth_cache_bytes = spec.vertex_cache_bytes = 4 * 64;
  static const char *const names[] = {"read_imagef", "depth", "vertex", "write_imagef"};
  for (int i = 0; i < 4; i++) {
    reads("LL", 64, names[i]);
    struct sim_result r = simulated(&kernel.trace, &spec);
    const struct sim_counters *c = &r.counters;
    const uint64_t accesses[] = {c->texture_accesses, c->depth_accesses, c->vertex_accesses, c->l1_accesses};
    const uint64_t misses[] = {c->texture_misses, c->depth_misses, c->vertex_misses, c->l1_misses};
    for (int k = 0; k < 4; k++) {
      assert_int_equal(accesses[k], k == i ? 8 : 0);
      assert_int_equal(misses[k], k == i ? 4 : 0);
    }
    assert_true(r.cycles == simulated_cycles(&kernel.trace, &plain));
    sim_result_clear(&r);
  }
}

/* A cache of three lines under LRU misses each of four lines again: 4 x (20 + 0) cycles more than a cache of four, as
 * L2 has them. Four lines in one set of one way push each other out as well; two ways of two sets hold them. */
static void test_size_and_ways_decide(void **state) {
  (void)state;
  struct gpu_spec spec = one_engine_spec();
  spec.texture_cache_ways = 0;
  spec.texture_cache_bytes = 4 * 64;
  reads("LL", 64, "read_imagef");
  const double four = simulated_cycles(&kernel.trace, &spec);
  spec.texture_cache_bytes = 3 * 64;
  assert_true(simulated_cycles(&kernel.trace, &spec) == four + 4 * 20);
  spec.texture_cache_bytes = 4 * 64;
  for (spec.texture_cache_ways = 1; spec.texture_cache_ways <= 4; spec.texture_cache_ways *= 2)
    assert_true(simulated_cycles(&kernel.trace, &spec) == four);
  reads("LL", 4 * 64, "read_imagef");
  spec.texture_cache_ways = 1;
  assert_true(simulated_cycles(&kernel.trace, &spec) == four + 4 * 20);
  spec.texture_cache_ways = 4;
  assert_true(simulated_cycles(&kernel.trace, &spec) == four);
}

/* Laws: a larger cache without sets misses no more; a store goes on to L2, brings no line, and counts as no read; loads
 * of one address, which would take the uniform port, have their cache all the same. */
static void test_laws(void **state) {
  (void)state;
  struct gpu_spec spec = one_engine_spec();
  uint64_t misses = UINT64_MAX;
  spec.depth_cache_ways = 0;
  reads("LLLL", 64, "depth");
  for (int64_t lines = 1; lines <= 8; lines++) {
    spec.depth_cache_bytes = 64 * lines;
    struct sim_result r = simulated(&kernel.trace, &spec);
    assert_true(r.counters.depth_misses <= misses);
    misses = r.counters.depth_misses;
    sim_result_clear(&r);
  }
  assert_int_equal(misses, 4);
  reads("SL", 64, "depth");
  struct sim_result r = simulated(&kernel.trace, &spec);
  assert_int_equal(r.counters.depth_accesses, 4);
  assert_int_equal(r.counters.depth_misses, 4);
  assert_int_equal(r.counters.l2_accesses, 8);
  sim_result_clear(&r);
  spec.uniform_loads = UNIFORM_ANY;
  reads("LL", 0, "depth");
  r = simulated(&kernel.trace, &spec);
  assert_int_equal(r.counters.uniform_loads, 0);
  assert_int_equal(r.counters.depth_accesses, 2);
  sim_result_clear(&r);
}

/* Four work-groups on four cores read the same four lines. Each has a cache of its own: all miss. Two share one: a line
 * is read by two cores, and misses once. Four share one: a quarter misses. */
static void test_neighbours_share(void **state) {
  (void)state;
  struct gpu_spec spec = one_engine_spec();
  static char name[] = "read_imagef", *names[] = {name};
  spec.cores = 4;
  spec.dispatch = DISPATCH_ROUND_ROBIN;
  spec.texture_cache_bytes = 4 * 64;
  spec.texture_cache_ways = 0;
  line_kernel_make(&kernel, &(struct line_kernel_shape){"LL", 4, 4, 64, 0, 0});
  kernel.trace.code.names = names;
  kernel.trace.code.name_count = 1;
  for (uint32_t i = 0; i < kernel.trace.code.mem_count; i++)
    kernel.trace.code.ops[kernel.trace.code.mem_ops[i]].name = 0;
  for (spec.texture_cache_cores = 1; spec.texture_cache_cores <= 4; spec.texture_cache_cores *= 2) {
    struct sim_result r = simulated(&kernel.trace, &spec);
    assert_int_equal(r.counters.texture_accesses, 4 * 8);
    assert_int_equal(r.counters.texture_misses, 4 * 4 / spec.texture_cache_cores);
    sim_result_clear(&r);
  }
}

/* Returns how many cycles longer a warp of four work-items takes with a texture unit of one sample a cycle, where the
 * load/store unit takes a line a cycle. Every access is of one line. */
static double longer(const char *code) {
  struct gpu_spec spec = one_engine_spec();
  spec.lsu_transactions_per_cycle = 1;
  reads(code, 4, "read_imagef");
  const double without = simulated_cycles(&kernel.trace, &spec);
  spec.texels_per_cycle = 1;
  return simulated_cycles(&kernel.trace, &spec) - without;
}

/* A texel takes four cycles in place of one, two of a read two each, four and eight one each. */
static void test_texture_unit_has_a_rate(void **state) {
  (void)state;
  assert_true(longer("L") == 3);
  assert_true(longer("LL") == 2 * (2 - 1) && longer("LaL") == 2);
  assert_true(longer("LLLL") == 0 && longer("LLLLLLLL") == 0);
  assert_true(longer("LSL") == 2 && longer("S") == 0);
  struct gpu_spec spec = one_engine_spec(), fast = spec;
  fast.texels_per_cycle = 4; /* in place of no limit */
  reads("L", 4, "read_imagef");
  assert_true(simulated_cycles(&kernel.trace, &fast) == simulated_cycles(&kernel.trace, &spec) + 1);
  reads("L", 4, "vertex");
  assert_true(simulated_cycles(&kernel.trace, &fast) == simulated_cycles(&kernel.trace, &spec));
}

/* Calls of two reads whose loads follow each other are two reads. */
static void test_calls_tell_reads_apart(void **state) {
  (void)state;
  struct gpu_spec spec = one_engine_spec(), fast = spec;
  fast.texels_per_cycle = 4;
  reads("LaL", 4, "read_imagef");
  const double together = simulated_cycles(&kernel.trace, &fast) - simulated_cycles(&kernel.trace, &spec);
  kernel.trace.code.ops[1].op_class = OP_MATH;
  kernel.trace.code.ops[1].name = 0;
  const double apart = simulated_cycles(&kernel.trace, &fast) - simulated_cycles(&kernel.trace, &spec);
  assert_true(together == 1 && apart == 2);
}

/* Work-groups that are tied to cores: 0, 1 and 3 to the second of two, number 2 to the first. The launch ends when the
 * core with three ends; all on one core take four times as long as one. */
static void test_tied_groups_stay_on_their_cores(void **state) {
  (void)state;
  struct gpu_spec spec = one_engine_spec();
  uint32_t homes[] = {1, 3, 2, 5};
  spec.cores = 2;
  line_kernel_make(&kernel, &(struct line_kernel_shape){"a", 1, 4, 0, 0, 0});
  const double one = simulated_cycles(&kernel.trace, &spec);
  line_kernel_make(&kernel, &(struct line_kernel_shape){"a", 4, 4, 0, 0, 0});
  kernel.trace.homes = homes;
  for (int order = 0; order < CHOICE_COUNT(DISPATCH_ORDERS); order++) {
    spec.dispatch = order;
    assert_true(simulated_cycles(&kernel.trace, &spec) == 3 * one);
  }
  homes[2] = 7;
  assert_true(simulated_cycles(&kernel.trace, &spec) == 4 * one);
  kernel.trace.homes = NULL;
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_neighbours_share),
                                     cmocka_unit_test(test_texture_unit_has_a_rate),
                                     cmocka_unit_test(test_calls_tell_reads_apart),
                                     cmocka_unit_test(test_tied_groups_stay_on_their_cores),
                                     cmocka_unit_test(test_each_kind_has_its_cache),
                                     cmocka_unit_test(test_size_and_ways_decide),
                                     cmocka_unit_test(test_laws)};
  return cmocka_run_group_tests(tests, load_isa, free_isa);
}
