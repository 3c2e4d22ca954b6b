/* Cases whose time has a closed form, over grids of parameters: the replay gives it exactly. docs/model.md has the
 * table. a: cycles per slot; h, m, d: L1 hit, L1 miss, L2 miss; L = h + m + d; E engines, C cores, K warps of a core.
 */
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

/* Warps of 4, lines of 64 bytes, all work-groups resident. */
static struct gpu_spec gpu(uint32_t cores, uint32_t engines, double arith) {
  struct gpu_spec spec = default_spec();
  spec.cores = cores;
  spec.execution_engines = engines;
  spec.threads_per_core = spec.max_work_group = 4096;
  spec.dispatch = DISPATCH_ROUND_ROBIN;
  spec.arith_cycles = arith;
  spec.l1_hit_cycles = 5;
  spec.l1_miss_cycles = 20.5;
  spec.l2_miss_cycles = 100;
  return spec;
}

static double latency(const struct gpu_spec *spec) {
  return spec->l1_hit_cycles + spec->l1_miss_cycles + spec->l2_miss_cycles;
}

static void make(const char *ops, uint32_t groups, uint32_t items, int32_t item_bytes, uint32_t op_bytes) {
  line_kernel_make(&kernel, &(struct line_kernel_shape){ops, groups, items, item_bytes, op_bytes, 1 << 16});
}

static const char *repeat(const char *pattern, uint32_t times) {
  static char text[LINE_KERNEL_OPS + 1];
  text[0] = '\0';
  for (uint32_t i = 0; i < times; i++)
    strcat(text, pattern);
  return text;
}

static uint32_t ceil_div(uint32_t a, uint32_t b) {
  return (a + b - 1) / b;
}

/* n operations a work-item: a n ceil(K / E). */
static void test_pure_arithmetic(void **state) {
  (void)state;
  for (uint32_t cores = 1; cores <= 4; cores++)
    for (uint32_t engines = 1; engines <= 5; engines++)
      for (uint32_t groups = 1; groups <= 12; groups++) {
        const uint32_t n = 10 + groups, warps = 3;
        struct gpu_spec spec = gpu(cores, engines, 0.5);
        make(repeat("a", n), groups, 4 * warps, 0, 0);
        assert_true(simulated_cycles(&kernel.trace, &spec) ==
                    0.5 * n * ceil_div(ceil_div(groups, cores) * warps, engines));
      }
}

/* Each of a core's K warps loads t lines of its own.
 * blocking, E divides K: K / E (a + t L). switch_on_access, one engine: K a (1 + t) + t L. */
static void test_one_load_a_thread(void **state) {
  (void)state;
  for (uint32_t warps = 1; warps <= 24; warps++)
    for (uint32_t lines = 1; lines <= 4; lines *= 2) {
      struct gpu_spec spec = gpu(1, 1, 0.75);
      make("L", 1, 4 * warps, 16 * (int32_t)lines, 0);
      assert_true(simulated_cycles(&kernel.trace, &spec) == warps * (0.75 + lines * latency(&spec)));
      spec.memory = MEMORY_SWITCH_ON_ACCESS;
      assert_true(simulated_cycles(&kernel.trace, &spec) == warps * 0.75 * (1 + lines) + lines * latency(&spec));
      spec.memory = MEMORY_BLOCKING;
      for (spec.execution_engines = 2; spec.execution_engines <= 4; spec.execution_engines++)
        if (warps % spec.execution_engines == 0)
          assert_true(simulated_cycles(&kernel.trace, &spec) ==
                      warps / spec.execution_engines * (0.75 + lines * latency(&spec)));
    }
}

/* K warps load a line each, one every T = 64 / rate cycles: K a + a + (K - 1) T + L, wherever the rate limits.
 * C cores share the memory: C K a line each, the last one behind C K - 1 others. */
static void test_streaming_at_bandwidth(void **state) {
  (void)state;
  static const size_t rates[] = {offsetof(struct gpu_spec, l1_l2_bytes_per_cycle),
                                 offsetof(struct gpu_spec, l2_bytes_per_cycle),
                                 offsetof(struct gpu_spec, dram_bytes_per_cycle)};
  for (uint32_t where = 0; where < 3; where++)
    for (uint32_t warps = 1; warps <= 32; warps++)
      for (double rate = 0.5; rate <= 32; rate *= 2) {
        struct gpu_spec spec = gpu(1, 1, 1);
        spec.memory = MEMORY_SWITCH_ON_ACCESS;
        *(double *)(void *)((char *)&spec + rates[where]) = rate;
        make("L", 1, 4 * warps, 16, 0);
        assert_true(simulated_cycles(&kernel.trace, &spec) == warps + 1 + (warps - 1) * 64 / rate + latency(&spec));
        spec.cores = 2;
        if (where > 0) { /* shared; both cores' accesses come at the same times */
          make("L", 2, 4 * warps, 16, 0);
          assert_true(simulated_cycles(&kernel.trace, &spec) ==
                      warps + 1 + (2 * warps - 1) * 64 / rate + latency(&spec));
        }
      }
}

/* One work-item, each of n loads needs the value of the one before: n (3 a + latency), a slot for the load, for its
 * issue and for the use. In L1: the first pays L, the others h. In L2: h + m. */
static void test_pointer_chase(void **state) {
  (void)state;
  for (uint32_t n = 1; n <= 200; n += 7) {
    struct gpu_spec spec = gpu(1, 3, 0.5);
    spec.memory = MEMORY_DEPENDENCY;
    make(repeat("Lu", n), 1, 1, 0, 64); /* a new line each */
    assert_true(simulated_cycles(&kernel.trace, &spec) == n * (1.5 + latency(&spec)));
    spec.memory = MEMORY_SWITCH_ON_ACCESS; /* waits without being told to */
    assert_true(simulated_cycles(&kernel.trace, &spec) == n * (1.5 + latency(&spec)));
    make(repeat("Lu", n), 1, 1, 0, 0); /* the same line */
    assert_true(simulated_cycles(&kernel.trace, &spec) ==
                n * (1.5 + spec.l1_hit_cycles) + latency(&spec) - spec.l1_hit_cycles);
    spec.l1_enabled = false;
    assert_true(simulated_cycles(&kernel.trace, &spec) ==
                n * (1.5 + spec.l1_hit_cycles + spec.l1_miss_cycles) + spec.l2_miss_cycles);
  }
}

/* n loads that go round and round over `lines` lines of one set of `ways`: with more lines than ways each one misses
 * L1, n (a + h + m) + lines d; else only the first round does, n (a + h) + lines (m + d). */
static void test_conflict_misses(void **state) {
  (void)state;
  for (uint32_t ways = 1; ways <= 8; ways *= 2)
    for (uint32_t lines = 1; lines <= 9; lines++) {
      const uint32_t n = 5 * lines, stride = 16384 / ways; /* 16 KiB of L1: that far apart is the same set */
      struct gpu_spec spec = gpu(1, 1, 1);
      spec.l1_model = CACHE_EXACT_SETS;
      spec.l1_ways = ways;
      make(repeat("L", n), 1, 1, 0, 0);
      for (uint32_t i = 0; i < n; i++)
        kernel.bases[0][i] = (int64_t)(i % lines) * stride;
      const double hits = n * (1 + spec.l1_hit_cycles), m = spec.l1_miss_cycles, d = spec.l2_miss_cycles;
      assert_true(simulated_cycles(&kernel.trace, &spec) == hits + (lines > ways ? n : lines) * m + lines * d);
      spec.l1_model = CACHE_REUSE_DISTANCE; /* there is room enough in all */
      assert_true(simulated_cycles(&kernel.trace, &spec) == hits + lines * (m + d));
    }
}

/* K warps of one work-group, n slots and a barrier of b cycles each, E divides K: K / E (a n + b). */
static void test_one_barrier(void **state) {
  (void)state;
  for (uint32_t warps = 1; warps <= 24; warps++)
    for (uint32_t engines = 1; engines <= 4; engines++) {
      if (warps % engines != 0)
        continue;
      struct gpu_spec spec = gpu(1, engines, 0.5);
      spec.barrier_cycles = 8.5;
      make("aaaaaaaaB", 1, 4 * warps, 0, 0);
      assert_true(simulated_cycles(&kernel.trace, &spec) == warps / engines * (0.5 * 9 + 8.5));
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_pure_arithmetic),        cmocka_unit_test(test_one_load_a_thread),
      cmocka_unit_test(test_streaming_at_bandwidth), cmocka_unit_test(test_pointer_chase),
      cmocka_unit_test(test_conflict_misses),        cmocka_unit_test(test_one_barrier)};
  return cmocka_run_group_tests(tests, load_isa, free_isa);
}
