/* Kernels small enough to work out by hand: pure arithmetic, one load, stores, atomics, a barrier, local memory, launch
 * costs, and what each switch changes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "default_spec.h"
#include "simulated.h"

/* A kernel of one block: `adds` integer additions (1 slot each), then perhaps one operation of class `last` (1 slot).
 */
struct small {
  struct trace trace;
  struct trace_op ops[64];
  struct trace_block block;
  uint32_t mem_op;
  struct trace_step step;
  struct trace_site site;
  struct trace_nest nest;
  struct trace_path path, *paths[1];
  int32_t streams[TRACE_STREAM_WORDS];
  struct trace_cohort cohort;
  struct trace_shape shape, *shapes[1];
  uint16_t zeros[256], numbers[256];
  uint32_t bases[64];
  struct trace_group groups[64];
};

static bool is_memory(int op_class) {
  return op_class == OP_LOAD || op_class == OP_STORE || op_class == OP_ATOMIC;
}

static void make_code(struct small *s, uint32_t adds, int last, uint8_t space) {
  for (uint32_t i = 0; i < adds; i++)
    s->ops[i] =
        (struct trace_op){.op_class = OP_INT_ADD, .type = TYPE_I32, .width = 1, .name = TRACE_NO_NAME, .line = 7};
  uint32_t count = adds;
  if (last >= 0)
    s->ops[count++] = (struct trace_op){.op_class = (uint8_t)last,
                                        .type = last == OP_BARRIER ? TYPE_VOID : TYPE_F32,
                                        .space = space,
                                        .width = 1,
                                        .bytes = is_memory(last) ? 4 : 0,
                                        .name = TRACE_NO_NAME,
                                        .line = 9};
  uint32_t mem = is_memory(last);
  s->mem_op = adds;
  s->block = (struct trace_block){
      .op_count = count, .mem_count = mem, .ipdom = TRACE_NO_BLOCK, .has_barrier = last == OP_BARRIER};
  s->trace.code = (struct trace_code){
      .ops = s->ops, .op_count = count, .blocks = &s->block, .block_count = 1, .mem_ops = &s->mem_op, .mem_count = mem};
}

/* Work-item x of group g touches byte group_bytes * g + item_bytes * x. */
static void make(struct small *s, uint32_t groups, uint32_t items, uint32_t adds, int last, uint8_t space,
                 int32_t item_bytes, uint32_t group_bytes) {
  static char name[] = "small";
  *s = (struct small){0};
  make_code(s, adds, last, space);
  s->step = (struct trace_step){.repeat = 1};
  s->site = (struct trace_site){.op = adds};
  s->path = (struct trace_path){.steps = &s->step, .step_count = 1, .sites = &s->site};
  s->nest.executions = 1;
  s->path.nests = &s->nest;
  s->path.nest_count = 1;
  s->path.site_count = is_memory(last);
  s->streams[1] = item_bytes;
  s->cohort = (struct trace_cohort){.item_count = items};
  s->shape = (struct trace_shape){.cohorts = &s->cohort, .cohort_count = 1, .cohort_of_item = s->zeros};
  s->shape.index_in_cohort = s->numbers;
  s->shape.stream_count = is_memory(last);
  for (uint32_t i = 0; i < items; i++)
    s->numbers[i] = (uint16_t)i;
  for (uint32_t g = 0; g < groups; g++) {
    s->bases[g] = g * group_bytes;
    s->groups[g] = (struct trace_group){.id = g, .base = &s->bases[g]};
  }
  s->paths[0] = &s->path;
  s->shapes[0] = &s->shape;
  struct trace *t = &s->trace;
  t->header = (struct trace_header){.kernel = name, .dimensions = 1, .local = {items, 1, 1}, .local_bytes = 1024};
  memcpy(t->header.global, (uint64_t[]){(uint64_t)groups * items, 1, 1}, sizeof t->header.global);
  t->paths = s->paths;
  t->path_count = 1;
  t->shapes = s->shapes;
  t->streams = s->streams;
  t->shape_count = 1;
  t->groups = s->groups;
  t->group_count = groups;
}

/* 2 cores of 2 engines, warps of 4; every latency a number of its own. */
static struct gpu_spec two_cores(void) {
  struct gpu_spec spec = default_spec();
  spec.cores = 2;
  spec.execution_engines = 2;
  spec.threads_per_core = 64;
  spec.arith_cycles = 0.5;
  spec.store_cycles = 3;
  spec.l1_hit_cycles = 5;
  spec.l1_miss_cycles = 20;
  spec.l2_miss_cycles = 100;
  spec.barrier_cycles = 8;
  return spec;
}

static void test_arithmetic_is_slots_over_engines(void **state) {
  (void)state;
  struct small s;
  struct gpu_spec spec = two_cores();
  make(&s, 8, 16, 40, -1, 0, 0, 0); /* 8 groups of 4 warps: 8 warps an engine of 40 slots */
  struct sim_result r = simulated(&s.trace, &spec);
  assert_true(r.cycles == 8 * 40 * 0.5);
  assert_true(r.stack.issue == r.cycles);
  assert_true(r.simd_efficiency == 1);
  assert_int_equal(r.work_item_instructions, 8 * 16 * 40);
  assert_int_equal(r.warp_instructions, 8 * 4 * 40);
  assert_true(r.issue_slots == 8 * 4 * 40);
  assert_int_equal(r.line_count, 1);
  assert_int_equal(r.lines[0].line, 7);
  assert_true(fabs(r.lines[0].stack.issue - r.cycles) < 1e-9);
  sim_result_clear(&r);
}

static void test_partial_warp_wastes_lanes(void **state) {
  (void)state;
  struct small s;
  struct gpu_spec spec = two_cores();
  make(&s, 1, 6, 10, -1, 0, 0, 0); /* warps of 4 and 2 */
  struct sim_result r = simulated(&s.trace, &spec);
  assert_true(r.simd_efficiency == 0.75);
  assert_true(r.cycles == 5);
  assert_true(r.stack.issue == 2.5 && r.stack.idle == 2.5); /* the second core has nothing */
  assert_true(r.core_stacks[1].idle == 5);
  sim_result_clear(&r);
}

static void test_one_load_adds_levels(void **state) {
  (void)state;
  struct small s;
  struct gpu_spec spec = two_cores();
  make(&s, 1, 4, 9, OP_LOAD, SPACE_GLOBAL, 4, 0); /* 10 slots, one line */
  assert_true(simulated_cycles(&s.trace, &spec) == 5 + 5 + 20 + 100);
  spec.l2_miss_cycles = 0.25;
  assert_true(simulated_cycles(&s.trace, &spec) == 5 + 5 + 20 + 0.25);
  spec.coalesce = false; /* four transactions, the last three hit */
  struct sim_result r = simulated(&s.trace, &spec);
  assert_true(r.cycles == 5 + 4 * 5 + 20 + 0.25);
  assert_int_equal(r.counters.l1_accesses, 4);
  assert_int_equal(r.counters.l1_misses, 1);
  assert_int_equal(r.counters.dram_bytes, 64);
  sim_result_clear(&r);
}

static void test_second_warp_hits_what_the_first_brought(void **state) {
  (void)state;
  struct small s;
  struct gpu_spec spec = two_cores();
  spec.execution_engines = 1;
  make(&s, 1, 8, 0, OP_LOAD, SPACE_GLOBAL, 4, 0); /* runs of 1 slot, FIFO: run, run, miss, hit */
  assert_true(simulated_cycles(&s.trace, &spec) == 0.5 + 0.5 + 125 + 5);
  spec.l1_enabled = false;
  assert_true(simulated_cycles(&s.trace, &spec) == 0.5 + 0.5 + 125 + 25);
  spec.l2_enabled = false;
  assert_true(simulated_cycles(&s.trace, &spec) == 0.5 + 0.5 + 125 + 125);
}

static void test_cores_share_l2_only(void **state) {
  (void)state;
  struct small s;
  struct gpu_spec spec = two_cores();
  make(&s, 2, 4, 0, OP_LOAD, SPACE_GLOBAL, 4, 0); /* both groups touch the same line at the same time */
  struct sim_result r = simulated(&s.trace, &spec);
  assert_int_equal(r.counters.l1_misses, 2);
  assert_int_equal(r.counters.l2_accesses, 2);
  assert_int_equal(r.counters.l2_misses, 1); /* core 0 comes first */
  assert_true(r.core_stacks[0].dram == 50 && r.core_stacks[1].dram == 0);
  assert_true(r.cycles == 0.5 + 125);
  sim_result_clear(&r);
}

static void test_stores_and_atomics(void **state) {
  (void)state;
  struct small s;
  struct gpu_spec spec = two_cores();
  make(&s, 1, 4, 0, OP_STORE, SPACE_GLOBAL, 64, 0); /* four lines */
  struct sim_result r = simulated(&s.trace, &spec);
  assert_true(r.cycles == 0.5 + 4 * 3);
  assert_int_equal(r.counters.l1_accesses, 0);
  assert_int_equal(r.counters.l2_accesses, 4);
  sim_result_clear(&r);
  make(&s, 1, 4, 0, OP_ATOMIC, SPACE_GLOBAL, 0, 0);
  assert_true(simulated_cycles(&s.trace, &spec) == 0.5 + 5 + 20 + 100);
}

static void test_barrier_holds_the_engine(void **state) {
  (void)state;
  struct small s;
  struct gpu_spec spec = two_cores();
  make(&s, 1, 16, 3, OP_BARRIER, 0, 0, 0); /* 4 warps on 2 engines, 4 slots each, then 8 cycles each */
  struct sim_result r = simulated(&s.trace, &spec);
  assert_true(r.cycles == 2 * 2 + 2 * 8);
  assert_true(r.core_stacks[0].issue == 4 && r.core_stacks[0].barrier == 16);
  sim_result_clear(&r);
}

static void test_switching_hides_latency(void **state) {
  (void)state;
  struct small s;
  struct gpu_spec spec = two_cores();
  spec.execution_engines = 1;
  spec.memory = MEMORY_SWITCH_ON_ACCESS;
  make(&s, 1, 8, 0, OP_LOAD, SPACE_GLOBAL, 64, 0); /* two warps, each 4 lines from DRAM: 500 cycles */
  struct sim_result r = simulated(&s.trace, &spec);
  assert_true(r.cycles == 2 * 0.5 + 2 * 2 + 500); /* the second is issued behind the first and waits beside it */
  assert_true(r.core_stacks[0].issue == 5 && r.core_stacks[0].dram == 500);
  sim_result_clear(&r);
}

static void test_launch_and_work_group_costs(void **state) {
  (void)state;
  struct small s;
  struct gpu_spec spec = two_cores();
  spec.launch_cycles = 1000;
  spec.work_group_cycles = 10;
  make(&s, 2, 4, 20, -1, 0, 0, 0);
  struct sim_result r = simulated(&s.trace, &spec);
  assert_true(r.cycles == 1000 + 10 + 10);
  assert_true(r.stack.launch == 1010);
  sim_result_clear(&r);
}

/* Work-groups of 4 and 2 fragments and one of none, on one core: they start at 8, 12 and 12 and compute 10 cycles, two
 * at a time. */
static void test_fragments_start_at_a_rate(void **state) {
  (void)state;
  struct small s;
  uint32_t fragments[] = {4, 2, 0};
  struct gpu_spec spec = two_cores();
  spec.cores = 1;
  make(&s, 3, 4, 20, -1, 0, 0, 0);
  s.trace.fragments = fragments;
  assert_true(simulated_cycles(&s.trace, &spec) == 10 + 10);
  spec.fragments_per_cycle = 0.5;
  struct sim_result r = simulated(&s.trace, &spec);
  assert_true(r.cycles == 12 + 10 + 6);
  assert_true(r.core_stacks[0].issue == 15 && r.core_stacks[0].launch == 8 + 4 / 2.0);
  sim_result_clear(&r);
}

static void test_residency_limits_work_groups(void **state) {
  (void)state;
  struct small s;
  struct gpu_spec spec = two_cores();
  spec.cores = 1;
  make(&s, 4, 4, 0, OP_LOAD, SPACE_GLOBAL, 4, 64); /* one warp and one line a group */
  assert_true(simulated_cycles(&s.trace, &spec) == 2 * (0.5 + 125));
  spec.work_groups_per_core = 1;
  assert_true(simulated_cycles(&s.trace, &spec) == 4 * (0.5 + 125)); /* the second engine finds no warp */
}

static void test_dispatch_orders(void **state) {
  (void)state;
  struct small s;
  struct gpu_spec spec = two_cores();
  spec.execution_engines = 1;
  spec.work_groups_per_core = 1;
  make(&s, 3, 4, 20, -1, 0, 0, 0);
  for (spec.dispatch = 0; spec.dispatch < 2; spec.dispatch++) {
    struct sim_result r = simulated(&s.trace, &spec);
    assert_true(r.cycles == 20);
    assert_true(r.core_stacks[0].issue == 20 && r.core_stacks[1].issue == 10 && r.core_stacks[1].idle == 10);
    sim_result_clear(&r);
  }
}

static void test_local_memory_is_apart_from_global(void **state) {
  (void)state;
  struct small s;
  struct gpu_spec spec = two_cores();
  spec.cores = 1;
  spec.execution_engines = 1;
  make(&s, 2, 4, 0, OP_LOAD, SPACE_LOCAL, 4, 0); /* same offsets, but each resident group has its own */
  struct sim_result r = simulated(&s.trace, &spec);
  assert_int_equal(r.counters.l1_misses, 2);
  sim_result_clear(&r);
  spec.work_groups_per_core = 1; /* the second group gets the first one's place */
  r = simulated(&s.trace, &spec);
  assert_int_equal(r.counters.l1_misses, 1);
  sim_result_clear(&r);
}

static void expect_refused(const struct small *s, const struct gpu_spec *spec, const char *says) {
  struct sim_result result;
  struct error error = ERROR_INIT;
  assert_int_equal(simulate(&s->trace, isa, spec, &result, &error), -1);
  assert_int_equal(error.kind, ERROR_INPUT);
  assert_non_null(strstr(error.text, says));
}

static void test_what_cannot_run_is_refused(void **state) {
  (void)state;
  struct small s;
  struct gpu_spec spec = two_cores();
  make(&s, 1, 16, 1, OP_LOAD, SPACE_GLOBAL, 4, 0);
  spec.max_work_group = 8;
  expect_refused(&s, &spec, "at most 8");
  spec = two_cores();
  spec.l2_bytes = 65;
  expect_refused(&s, &spec, "not a multiple of line_bytes");
  spec = two_cores();
  s.ops[1].bytes = 5000;
  expect_refused(&s, &spec, "5000 bytes");
  make(&s, 1, 16, 2, -1, 0, 0, 0);
  s.trace.group_count = 0;
  expect_refused(&s, &spec, "no work-group");
}

static void test_endless_arithmetic_is_refused(void **state) {
  (void)state;
  struct small s;
  struct gpu_spec spec = two_cores();
  struct trace_step steps[4] = {{.repeat = UINT32_MAX, .body = 2}, {.repeat = UINT32_MAX, .body = 1}, {.repeat = 1}};
  make(&s, 1, 4, 60, -1, 0, 0, 0);
  s.path.steps = steps;
  s.path.step_count = 3;
  expect_refused(&s, &spec, "2^53"); /* one path alone overflows */
  steps[1].repeat = 1 << 16;
  expect_refused(&s, &spec, "more than"); /* 1.7e16 slots */
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_arithmetic_is_slots_over_engines),
                                     cmocka_unit_test(test_partial_warp_wastes_lanes),
                                     cmocka_unit_test(test_one_load_adds_levels),
                                     cmocka_unit_test(test_second_warp_hits_what_the_first_brought),
                                     cmocka_unit_test(test_cores_share_l2_only),
                                     cmocka_unit_test(test_stores_and_atomics),
                                     cmocka_unit_test(test_barrier_holds_the_engine),
                                     cmocka_unit_test(test_switching_hides_latency),
                                     cmocka_unit_test(test_launch_and_work_group_costs),
                                     cmocka_unit_test(test_fragments_start_at_a_rate),
                                     cmocka_unit_test(test_residency_limits_work_groups),
                                     cmocka_unit_test(test_dispatch_orders),
                                     cmocka_unit_test(test_local_memory_is_apart_from_global),
                                     cmocka_unit_test(test_what_cannot_run_is_refused),
                                     cmocka_unit_test(test_endless_arithmetic_is_refused)};
  return cmocka_run_group_tests(tests, load_isa, free_isa);
}
