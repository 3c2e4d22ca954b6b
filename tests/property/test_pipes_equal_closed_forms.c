/* Execution pipes, on kernels worked out by hand, and their laws. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <stdint.h>
#include <stdlib.h>

#include "default_spec.h"
#include "line_kernel.h"
#include "random_trace.h"
#include "simulated.h"

/* One core with one engine, one cycle a slot, warps of 4; accesses take no time. */
static struct gpu_spec with_pipe(double fma_cycles) {
  struct gpu_spec spec = default_spec();
  spec.cores = spec.execution_engines = 1;
  spec.memory = MEMORY_SWITCH_ON_ACCESS;
  spec.access_issue = ACCESS_ISSUE_INSTRUCTION;
  spec.store_cycles = spec.l1_hit_cycles = spec.l1_miss_cycles = spec.l2_miss_cycles = 0;
  spec.fma_pipe_cycles = fma_cycles;
  return spec;
}

/* Returns the result of `warps` warps. */
static struct sim_result run(const char *ops, uint32_t warps, const struct gpu_spec *spec) {
  static struct line_kernel kernel;
  line_kernel_make(&kernel, &(struct line_kernel_shape){.ops = ops, .groups = warps, .items = 4});
  return simulated_numbers(&kernel.trace, spec);
}

/* A run ends with its issue or with its pipe, whichever is later: f takes the pipe, a does not. */
static void test_one_warp_waits_for_its_pipe(void **state) {
  (void)state;
  const struct gpu_spec spec = with_pipe(3);
  assert_true(run("ffff", 1, &spec).cycles == 12);
  assert_true(run("ffff", 1, &spec).stack.issue == 4);
  assert_true(run("ffff", 1, &spec).stack.pipe == 8);
  assert_true(run("fafa", 1, &spec).cycles == 6);
  assert_true(run("faaa", 1, &spec).cycles == 4);
  assert_true(run("faaa", 1, &spec).stack.pipe == 0);
}

/* K warps: the pipe serves them one after another, and the engine issues other warps meanwhile. */
static void test_pipes_overlap_with_issue(void **state) {
  (void)state;
  struct gpu_spec spec = with_pipe(3);
  assert_true(run("ffff", 5, &spec).cycles == 5 * 12);
  assert_true(run("ffaaaaaa", 5, &spec).cycles == 5 * 8); /* 6 cycles of the pipe in 8 of the issue */
  assert_true(run("ffaa", 5, &spec).cycles == 5 * 6);     /* and in 4 */
  spec.execution_engines = 2;                             /* each engine has a pipe */
  assert_true(run("ffff", 4, &spec).cycles == 2 * 12);
  assert_true(run("ffff", 5, &spec).cycles == 3 * 12);
}

/* Where the engine waits with its warp, and where bundles issue, there are no pipes. */
static void test_blocking_and_bundles_have_no_pipes(void **state) {
  (void)state;
  struct gpu_spec spec = with_pipe(3), off;
  spec.memory = MEMORY_BLOCKING;
  assert_true(run("ffff", 2, &spec).cycles == 8);
  spec = off = with_pipe(3);
  spec.issue = off.issue = ISSUE_BUNDLES;
  off.fma_pipe_cycles = 0;
  assert_true(run("ffff", 2, &spec).cycles == run("ffff", 2, &off).cycles);
}

/* Law: a pipe that is as fast as the issue changes nothing. */
static void test_fast_pipes_change_nothing(void **state) {
  (void)state;
  for (uint32_t seed = 1; seed <= 60; seed++) {
    struct random_trace_options options = {.seed = seed, .max_local = 32, .groups = 6};
    struct gpu_spec spec = with_pipe(0), fast;
    struct trace *trace;
    spec.cores = 2;
    spec.execution_engines = 1 + seed % 3;
    spec.memory = seed % 2 ? MEMORY_DEPENDENCY : MEMORY_SWITCH_ON_ACCESS;
    spec.arith_cycles = 1.3;
    spec.l1_miss_cycles = 7;
    fast = spec;
    fast.fma_pipe_cycles = 1.3;
    assert_int_equal(random_trace_load(&options, NULL, &trace, NULL), 0);
    const struct sim_result a = simulated_numbers(trace, &spec), b = simulated_numbers(trace, &fast);
    assert_true(a.cycles == b.cycles);
    assert_memory_equal(&a.stack, &b.stack, sizeof a.stack);
    trace_destroy(trace);
  }
}

/* Law: pipes never make a launch shorter than the work of the busiest one. */
static void test_no_pipe_works_faster_than_it_can(void **state) {
  (void)state;
  for (uint32_t warps = 1; warps <= 9; warps++)
    for (uint32_t engines = 1; engines <= 3; engines++) {
      struct gpu_spec spec = with_pipe(5);
      spec.execution_engines = engines;
      assert_true(run("fafffa", warps, &spec).cycles * engines >= warps * 4 * 5);
    }
}

/* An operation of a pipe that takes several slots of its profile is one slot of the issue; others stay. */
static void test_profile_divides_prices(void **state) {
  (void)state;
  struct isa_profile *nvidia;
  const struct trace_op op = {.op_class = OP_MATH, .type = TYPE_F32, .width = 1, .name = 0};
  char *names[] = {(char[]){"native_exp2"}};
  struct trace_code code = {.names = names, .name_count = 1};
  double slots, issue, uses;
  unsigned rule;
  assert_int_equal(isa_load("nvidia-like", &nvidia, NULL), 0);
  assert_int_equal(isa_op_slots(nvidia, &code, &op, &slots, &rule, NULL), 0);
  isa_pipe_use(nvidia, rule, &op, slots, &issue, &uses);
  assert_true(slots == 4 && issue == 1 && uses == 1);
  names[0] = (char[]){"native_sin"};
  assert_int_equal(isa_op_slots(nvidia, &code, &op, &slots, &rule, NULL), 0);
  isa_pipe_use(nvidia, rule, &op, slots, &issue, &uses);
  assert_true(slots == 5 && issue == 2 && uses == 1);
  const struct trace_op add = {.op_class = OP_INT_ADD, .type = TYPE_I64, .width = 1, .name = TRACE_NO_NAME};
  assert_int_equal(isa_op_slots(nvidia, &code, &add, &slots, &rule, NULL), 0);
  isa_pipe_use(nvidia, rule, &add, slots, &issue, &uses);
  assert_true(slots == 2 && issue == 2 && uses == 0);
  isa_destroy(nvidia);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_one_warp_waits_for_its_pipe),        cmocka_unit_test(test_pipes_overlap_with_issue),
      cmocka_unit_test(test_blocking_and_bundles_have_no_pipes), cmocka_unit_test(test_fast_pipes_change_nothing),
      cmocka_unit_test(test_no_pipe_works_faster_than_it_can),   cmocka_unit_test(test_profile_divides_prices)};
  return cmocka_run_group_tests(tests, load_isa, free_isa);
}
