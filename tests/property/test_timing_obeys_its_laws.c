/* Laws that timing must obey whatever the numbers are, on random kernels and GPUs:
 * - with infinite bandwidth and no latency a core takes exactly the time of what its engine issues;
 * - more cores never slow a kernel whose work-groups share nothing;
 * - the order of work-groups that do the same on their own data changes nothing;
 * - splitting a launch in two costs what the launch overhead says;
 * - twice the price of every operation is twice the time of a slot. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "default_spec.h"
#include "line_kernel.h"
#include "model/policy/dispatch.h"
#include "model/policy/scheduler.h"
#include "random_trace.h"
#include "reference_warp.h"
#include "rounds.h"
#include "simulated.h"

#define CASES 150

static int64_t pick(struct random_state *r, const int64_t *from, uint32_t count) {
  return from[random_below(r, count)];
}

#define PICK(r, ...) pick(r, (const int64_t[]){__VA_ARGS__}, sizeof((const int64_t[]){__VA_ARGS__}) / sizeof(int64_t))

static void random_core(struct random_state *r, struct gpu_spec *spec) {
  spec->warp_size = PICK(r, 1, 3, 4, 16, 64);
  spec->threads_per_core = spec->max_work_group = PICK(r, 32, 64, 200);
  spec->work_groups_per_core = PICK(r, 0, 1, 2);
  spec->scheduler = (int)random_below(r, CHOICE_COUNT(SCHEDULERS));
  spec->warp_formation = (int)random_below(r, 2);
  spec->divergence = (int)random_below(r, 2);
  spec->memory = (int)random_below(r, 3);
  spec->warp_accesses_in_flight = PICK(r, 1, 2, 8);
  spec->access_issue = (int)random_below(r, 2);
  spec->access_latency = (int)random_below(r, 2);
  spec->coalesce = random_below(r, 2);
}

/* ---- infinite bandwidth, no latency: issue alone ---- */

/* One engine a core; every cost but that of issuing is 0, every rate off or so high that it rounds to no time. */
static struct gpu_spec issue_only(struct random_state *r) {
  struct gpu_spec spec = default_spec();
  random_core(r, &spec);
  spec.execution_engines = 1;
  spec.cores = PICK(r, 1, 2, 3, 8);
  spec.dispatch = spec.cores == 1 ? (int)random_below(r, CHOICE_COUNT(DISPATCH_ORDERS)) : DISPATCH_ROUND_ROBIN;
  spec.line_bytes = PICK(r, 4, 16);
  spec.coalesce = false;
  spec.arith_cycles = 1;
  spec.store_cycles = spec.l1_hit_cycles = spec.l1_miss_cycles = spec.l2_miss_cycles = 0;
  spec.l1_l2_bytes_per_cycle = PICK(r, 0, 1000000);
  spec.l2_bytes_per_cycle = PICK(r, 0, 1000000);
  spec.dram_bytes_per_cycle = PICK(r, 0, 1000000);
  spec.core_accesses_in_flight = PICK(r, 0, 1, 4);
  return spec;
}

static bool issues_transactions(const struct gpu_spec *spec) {
  return spec->memory != MEMORY_BLOCKING && spec->access_issue == ACCESS_ISSUE_TRANSACTION;
}

/* Ticks: the runs' slots and, where transactions are issued, a slot for each: lanes times lines they touch. */
static uint64_t issue_of_warp(const struct trace *trace, const struct gpu_spec *spec, uint32_t group, uint32_t index) {
  struct reference_warp warp;
  uint64_t ticks = 0, line = (uint64_t)spec->line_bytes;
  reference_warp_read(&warp, trace, isa, &trace->groups[group], index, spec);
  for (uint32_t e = 0; e < warp.event_count; e++) {
    const struct reference_event *event = &warp.events[e];
    ticks += event->slots;
    for (uint32_t i = 0; i < event->lane_count && issues_transactions(spec); i++) {
      uint64_t bytes = trace->code.ops[event->op].bytes ? trace->code.ops[event->op].bytes : 1;
      ticks += 1024 * ((event->address[i] + bytes - 1) / line - event->address[i] / line + 1);
    }
  }
  reference_warp_clear(&warp);
  return ticks;
}

static void check_issue_bound(uint32_t seed) {
  struct random_state r = {seed};
  struct random_trace_options options = {.seed = seed, .max_local = 32, .groups = 1 + random_below(&r, 6)};
  const struct gpu_spec spec = issue_only(&r);
  struct trace *trace;
  uint64_t busiest = 0;
  assert_int_equal(random_trace_load(&options, NULL, &trace, NULL), 0);
  struct sim_result result = simulated(trace, &spec);
  for (uint32_t core = 0; core < spec.cores; core++) {
    uint64_t issued = 0;
    for (uint32_t group = core; group < trace->group_count; group += (uint32_t)spec.cores)
      for (uint32_t i = 0; i < reference_warp_count(trace, &spec); i++)
        issued += issue_of_warp(trace, &spec, group, i);
    const struct sim_stack *stack = &result.core_stacks[core];
    assert_true(stack->issue + stack->divergence == (double)issued / 1024);
    busiest = issued > busiest ? issued : busiest;
  }
  assert_true(result.cycles == (double)busiest / 1024);
  sim_result_clear(&result);
  trace_destroy(trace);
}

static void test_issue_bound_is_exact(void **state) {
  (void)state;
  for (uint32_t seed = 1; seed <= rounds(CASES); seed++)
    check_issue_bound(seed);
}

/* ---- kernels whose work-groups do the same, each on its own data ---- */

static struct line_kernel kernel;

/* `letters`: see line_kernel.h. Groups are whole sets of every cache apart. */
static struct line_kernel_shape random_kernel(struct random_state *r, const char *letters, char text[48]) {
  const uint32_t count = 2 + random_below(r, 40);
  uint32_t memory = 0;
  for (uint32_t i = 0; i < count; i++) {
    text[i] = letters[random_below(r, (uint32_t)strlen(letters))];
    if (text[i] == 'u' && memory == 0)
      text[i] = 'a';
    memory += strchr("LSAlsc", text[i]) != NULL;
  }
  if (random_below(r, 3) == 0)
    text[count - 1] = 'B';
  text[count] = '\0';
  return (struct line_kernel_shape){.ops = text,
                                    .groups = 2 * (1 + random_below(r, 12)),
                                    .items = (uint32_t)PICK(r, 1, 4, 7, 16, 32),
                                    .item_bytes = (int32_t)PICK(r, 0, 4, 8, 64),
                                    .op_bytes = (uint32_t)PICK(r, 0, 4, 64, 100),
                                    .group_bytes = 1 << 16};
}

/* Costs of every kind; caches without sets or with sets that divide the groups' distance. */
static struct gpu_spec random_gpu(struct random_state *r) {
  struct gpu_spec spec = default_spec();
  random_core(r, &spec);
  spec.cores = PICK(r, 1, 2, 3, 4);
  spec.execution_engines = PICK(r, 1, 2, 3);
  spec.arith_cycles = 0.25 * (1 + random_below(r, 8));
  spec.store_cycles = random_below(r, 5);
  spec.l1_hit_cycles = random_below(r, 8);
  spec.l1_miss_cycles = random_below(r, 40);
  spec.l2_miss_cycles = random_below(r, 120);
  spec.barrier_cycles = random_below(r, 9);
  spec.launch_cycles = random_below(r, 100);
  spec.work_group_cycles = random_below(r, 10);
  spec.l1_bytes = PICK(r, 512, 4096, 16384);
  spec.l1_model = (int)random_below(r, 2);
  spec.l2_model = (int)random_below(r, 2);
  spec.core_accesses_in_flight = PICK(r, 0, 0, 2, 5);
  if (random_below(r, 2)) {
    spec.lsu_transactions_per_cycle = 0.5 * random_below(r, 4);
    spec.l1_l2_bytes_per_cycle = 8 * random_below(r, 4);
    spec.l1_mshrs = PICK(r, 0, 1, 4);
    spec.merge_misses = random_below(r, 2);
  }
  return spec;
}

/* ---- more cores ---- */

/* Either one work-group at a time, or several whose engine never waits. Else a core with fewer work-groups may take
 * longer: that is no error but an anomaly of every list schedule (Graham, SIAM J. Appl. Math. 17, 1969). */
static void without_anomalies(struct random_state *r, struct gpu_spec *spec) {
  spec->l2_enabled = false;
  if (random_below(r, 2)) {
    spec->work_groups_per_core = 1;
    return;
  }
  spec->execution_engines = 1;
  spec->memory = MEMORY_BLOCKING;
  spec->l1_enabled = false;
  spec->lsu_transactions_per_cycle = spec->l1_l2_bytes_per_cycle = 0;
  spec->l1_mshrs = 0;
  spec->merge_misses = false;
}

static void check_more_cores(uint32_t seed) {
  struct random_state r = {seed};
  char text[48];
  const struct line_kernel_shape shape = random_kernel(&r, "aaaufLLScA", text);
  struct gpu_spec spec = random_gpu(&r);
  without_anomalies(&r, &spec);
  spec.dispatch = (int)random_below(&r, CHOICE_COUNT(DISPATCH_ORDERS));
  line_kernel_make(&kernel, &shape);
  double before = 0;
  for (spec.cores = 1; spec.cores <= 7; spec.cores++) {
    double now = simulated_cycles(&kernel.trace, &spec);
    if (spec.cores > 1 && now > before)
      fail_msg("seed %u: %lld cores take %g cycles, one fewer %g", seed, (long long)spec.cores, now, before);
    before = now;
  }
}

static void test_more_cores_never_slow(void **state) {
  (void)state;
  for (uint32_t seed = 1; seed <= rounds(CASES); seed++)
    check_more_cores(seed);
}

/* ---- order ---- */

static void shuffle_groups(struct random_state *r, struct trace *trace) {
  for (uint32_t i = trace->group_count; i > 1; i--) {
    const uint32_t j = random_below(r, i);
    const uint32_t *base = trace->groups[i - 1].base;
    trace->groups[i - 1].base = trace->groups[j].base;
    trace->groups[j].base = base;
  }
}

static void check_order(uint32_t seed) {
  struct random_state r = {seed};
  char text[48];
  const struct line_kernel_shape shape = random_kernel(&r, "aaufLLSlscA", text);
  struct gpu_spec spec = random_gpu(&r);
  spec.dispatch = (int)random_below(&r, CHOICE_COUNT(DISPATCH_ORDERS));
  spec.l2_bytes_per_cycle = 16 * random_below(&r, 3);
  spec.dram_bytes_per_cycle = 8 * random_below(&r, 3);
  line_kernel_make(&kernel, &shape);
  struct sim_result a = simulated(&kernel.trace, &spec);
  shuffle_groups(&r, &kernel.trace);
  struct sim_result b = simulated(&kernel.trace, &spec);
  assert_true(a.cycles == b.cycles);
  assert_memory_equal(a.core_stacks, b.core_stacks, a.core_count * sizeof *a.core_stacks);
  assert_int_equal(a.counters.l1_misses, b.counters.l1_misses);
  assert_int_equal(a.counters.l2_misses, b.counters.l2_misses);
  sim_result_clear(&a);
  sim_result_clear(&b);
}

static void test_order_does_not_matter(void **state) {
  (void)state;
  for (uint32_t seed = 1; seed <= rounds(CASES); seed++)
    check_order(seed);
}

/* ---- two launches ---- */

/* One work-group on a core at a time and as many for every core, so that no core works while another waits for the end;
 * no queues, which a work-group's last stores would keep busy for the next one, and no scheduler with a memory. */
static void check_split(uint32_t seed) {
  struct random_state r = {seed};
  char text[48];
  struct line_kernel_shape shape = random_kernel(&r, "aaufLLScA", text);
  struct gpu_spec spec = random_gpu(&r);
  spec.work_groups_per_core = 1;
  spec.scheduler = random_below(&r, 2) ? SCHEDULER_FIRST_AVAILABLE : SCHEDULER_OLDEST;
  spec.lsu_transactions_per_cycle = spec.l1_l2_bytes_per_cycle = 0;
  spec.l1_mshrs = 0;
  spec.merge_misses = false;
  spec.l2_enabled = false;
  spec.dispatch = (int)random_below(&r, CHOICE_COUNT(DISPATCH_ORDERS));
  shape.groups = 2 * (uint32_t)spec.cores * (1 + random_below(&r, 4));
  line_kernel_make(&kernel, &shape);
  double whole = simulated_cycles(&kernel.trace, &spec);
  kernel.trace.group_count /= 2;
  double first = simulated_cycles(&kernel.trace, &spec);
  kernel.trace.groups += kernel.trace.group_count;
  double second = simulated_cycles(&kernel.trace, &spec);
  if (first + second != whole + spec.launch_cycles)
    fail_msg("seed %u: %g cycles, halves %g and %g, a launch %g", seed, whole, first, second, spec.launch_cycles);
}

static void test_splitting_costs_a_launch(void **state) {
  (void)state;
  for (uint32_t seed = 1; seed <= rounds(CASES); seed++)
    check_split(seed);
}

/* ---- prices ---- */

/* Engines that wait for accesses: others issue a slot for each transaction, which has no price. */
static void check_doubled_prices(uint32_t seed) {
  struct random_state r = {seed};
  struct random_trace_options options = {.seed = seed, .max_local = 32, .groups = 1 + random_below(&r, 6)};
  struct gpu_spec slow = random_gpu(&r), dear;
  struct trace *trace;
  assert_int_equal(random_trace_load(&options, NULL, &trace, NULL), 0);
  slow.memory = MEMORY_BLOCKING;
  slow.core_accesses_in_flight = 0;
  dear = slow;
  slow.arith_cycles *= 2;
  dear.integer_price = dear.address_price = dear.float_price = dear.function_price = dear.query_price =
      dear.branch_price = dear.memory_price = 2;
  assert_true(simulated_cycles(trace, &slow) == simulated_cycles(trace, &dear));
  trace_destroy(trace);
}

static void test_double_prices_are_double_cycles(void **state) {
  (void)state;
  for (uint32_t seed = 1; seed <= rounds(CASES); seed++)
    check_doubled_prices(seed);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_issue_bound_is_exact), cmocka_unit_test(test_more_cores_never_slow),
      cmocka_unit_test(test_order_does_not_matter), cmocka_unit_test(test_splitting_costs_a_launch),
      cmocka_unit_test(test_double_prices_are_double_cycles)};
  return cmocka_run_group_tests(tests, load_isa, free_isa);
}
