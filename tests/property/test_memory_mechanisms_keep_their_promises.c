/* Laws of caches and write policies on any kernel: more cache never misses more (fully associative LRU, where time
 * does not change the order of accesses); without queues a write policy moves bytes but no cycle; the bytes written
 * through L2 are those that stores and atomics brought there. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <stdint.h>
#include <stdlib.h>

#include "base/random.h"
#include "default_spec.h"
#include "random_trace.h"
#include "rounds.h"
#include "simulated.h"

#define CASES 150

static struct gpu_spec random_spec(struct random_state *r) {
  struct gpu_spec spec = default_spec();
  spec.cores = 1 + random_below(r, 3);
  spec.execution_engines = 1 + random_below(r, 3);
  spec.warp_size = 1 << random_below(r, 5);
  spec.memory = (int)random_below(r, 3);
  spec.coalesce = random_below(r, 4) > 0;
  spec.l1_bytes = 64 * (1 + random_below(r, 8));
  spec.l2_bytes = 64 * (1 + random_below(r, 32));
  return spec;
}

static struct trace *random_kernel(uint32_t seed) {
  struct random_trace_options options = {.seed = seed, .max_local = 32, .groups = 4};
  struct trace *trace;
  assert_int_equal(random_trace_load(&options, NULL, &trace, NULL), 0);
  return trace;
}

static void test_more_cache_never_misses_more(void **state) {
  (void)state;
  for (uint32_t seed = 1; seed <= rounds(CASES); seed++) {
    struct random_state r = {seed};
    struct gpu_spec spec = random_spec(&r);
    struct trace *trace = random_kernel(seed);
    spec.l1_miss_cycles = spec.l2_miss_cycles = 0; /* the order of accesses does not depend on who hits */
    struct sim_result before = simulated_numbers(trace, &spec);
    for (int step = 0; step < 6; step++) {
      bool grow_l1 = random_below(&r, 2);
      *(grow_l1 ? &spec.l1_bytes : &spec.l2_bytes) += 64 * (1 + random_below(&r, 4));
      struct sim_result after = simulated_numbers(trace, &spec);
      assert_true(after.counters.l1_misses <= before.counters.l1_misses);
      assert_true(grow_l1 || after.counters.l2_misses <= before.counters.l2_misses); /* of the same accesses */
      before = after;
    }
    trace_destroy(trace);
  }
}

static void test_write_policies_without_queues_cost_no_time(void **state) {
  (void)state;
  for (uint32_t seed = 1; seed <= rounds(CASES); seed++) {
    struct random_state r = {seed};
    struct gpu_spec spec = random_spec(&r);
    struct trace *trace = random_kernel(seed);
    struct sim_result off = simulated_numbers(trace, &spec);
    assert_int_equal(off.counters.dram_written_bytes + off.counters.l1_write_backs + off.counters.l2_write_backs, 0);
    assert_int_equal(off.counters.dram_read_bytes, 64 * off.counters.l2_misses);
    for (spec.l2_write = L2_WRITE_THROUGH; spec.l2_write <= L2_WRITE_BACK; spec.l2_write++) {
      struct sim_result on = simulated_numbers(trace, &spec);
      assert_true(on.cycles == off.cycles);
      assert_int_equal(on.counters.l1_misses, off.counters.l1_misses);
      assert_int_equal(on.counters.l2_misses, off.counters.l2_misses);
      assert_int_equal(on.counters.dram_read_bytes, off.counters.dram_read_bytes);
      uint64_t brought = 64 * (on.counters.l2_accesses - on.counters.l1_misses); /* by stores and atomics */
      assert_true(spec.l2_write == L2_WRITE_THROUGH
                      ? on.counters.dram_written_bytes == brought
                      : on.counters.dram_written_bytes == 64 * on.counters.l2_write_backs);
      assert_true(on.counters.dram_written_bytes <= brought);
    }
    trace_destroy(trace);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_more_cache_never_misses_more),
                                     cmocka_unit_test(test_write_policies_without_queues_cost_no_time)};
  return cmocka_run_group_tests(tests, load_isa, free_isa);
}
