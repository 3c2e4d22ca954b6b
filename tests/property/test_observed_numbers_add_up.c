/* Laws of the observers of a replay, on random kernels and GPUs: the result is the very same with and without it;
 * busy and idle cycles of each engine add up to the kernel's; spans of an engine do not overlap and add up to its
 * busy cycles; operations add up to the levels' totals; occupancy to the residency of work-groups; queues to what
 * accesses waited in them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "default_spec.h"
#include "model/result/cycle_stack.h"
#include "model/policy/dispatch.h"
#include "model/timeline/observer.h"
#include "model/policy/scheduler.h"
#include "model/simulate.h"
#include "random_trace.h"
#include "rounds.h"
#include "with_isa.h"

#define CASES 200

static int64_t pick(struct random_state *r, const int64_t *from, uint32_t count) {
  return from[random_below(r, count)];
}

#define PICK(r, ...) pick(r, (const int64_t[]){__VA_ARGS__}, sizeof((const int64_t[]){__VA_ARGS__}) / sizeof(int64_t))

static struct gpu_spec random_gpu(struct random_state *r) {
  struct gpu_spec spec = default_spec();
  spec.cores = PICK(r, 1, 2, 5);
  spec.execution_engines = PICK(r, 1, 2, 3, 5);
  spec.warp_size = PICK(r, 1, 4, 16);
  spec.threads_per_core = PICK(r, 32, 64, 128);
  spec.dispatch = (int)random_below(r, CHOICE_COUNT(DISPATCH_ORDERS));
  spec.scheduler = random_below(r, 2) ? 0 : (int)random_below(r, CHOICE_COUNT(SCHEDULERS));
  spec.memory = (int)random_below(r, 3);
  spec.l1_write = (int)random_below(r, 2);
  spec.l2_write = (int)random_below(r, 3);
  spec.l1_write_allocate = random_below(r, 2);
  spec.l2_write_allocate = random_below(r, 2);
  spec.core_accesses_in_flight = PICK(r, 0, 0, 1, 5);
  spec.l1_bytes = PICK(r, 256, 1024, 16384);
  spec.l2_bytes = PICK(r, 1024, 16384);
  spec.l1_enabled = random_below(r, 6) > 0;
  spec.l1_hit_cycles = random_below(r, 8);
  spec.l1_miss_cycles = 0.125 * random_below(r, 200);
  spec.barrier_cycles = random_below(r, 5);
  spec.launch_cycles = random_below(r, 50);
  spec.work_group_cycles = random_below(r, 10);
  spec.local_memory = PICK(r, LOCAL_CACHED, LOCAL_SCRATCHPAD);
  if (random_below(r, 2))
    return spec;
  spec.lsu_transactions_per_cycle = 0.5 * random_below(r, 3);
  spec.l1_l2_bytes_per_cycle = 8 * random_below(r, 4);
  spec.l2_bytes_per_cycle = 8 * random_below(r, 4);
  spec.dram_bytes_per_cycle = 8 * random_below(r, 4);
  spec.merge_misses = random_below(r, 2);
  spec.l1_mshrs = PICK(r, 0, 0, 2);
  spec.l2_mshrs = PICK(r, 0, 0, 2);
  spec.l2_slices = PICK(r, 1, 2);
  return spec;
}

static void check_same_result(const struct sim_result *a, const struct sim_result *b) {
  assert_true(a->cycles == b->cycles);
  assert_memory_equal(&a->stack, &b->stack, sizeof a->stack);
  assert_memory_equal(a->core_stacks, b->core_stacks, a->core_count * sizeof *a->core_stacks);
  assert_memory_equal(&a->counters, &b->counters, sizeof b->counters);
  assert_memory_equal(&a->queues, &b->queues, sizeof a->queues);
}

static int by_begin(const void *a, const void *b) {
  const struct observed_span *x = a, *y = b;
  if (x->kind / SPAN_WAIT != y->kind / SPAN_WAIT || (x->kind >= SPAN_WAIT && x->kind != y->kind))
    return x->kind < y->kind ? -1 : 1;
  if (x->track != y->track)
    return x->track < y->track ? -1 : 1;
  return (x->begin > y->begin) - (x->begin < y->begin);
}

/* Sorted by track: none overlaps the one before; those of engines add up to busy. */
static void check_spans(const struct observer *o, struct observed_core *core) {
  uint64_t *busy = calloc(o->engine_count, sizeof *busy);
  assert_int_equal(core->left_out, 0);
  if (core->span_count > 0)
    qsort(core->spans, core->span_count, sizeof *core->spans, by_begin);
  for (size_t i = 0; i < core->span_count; i++) {
    const struct observed_span *s = &core->spans[i], *before = i > 0 ? &core->spans[i - 1] : NULL;
    const bool engine = s->kind < SPAN_WAIT;
    assert_true(s->begin < s->end && s->end <= o->ticks);
    assert_true(s->track < (engine ? o->engine_count : o->group_place_count * o->warps_per_group));
    if (before && before->track == s->track && (engine ? before->kind < SPAN_WAIT : before->kind == s->kind))
      assert_true(before->end <= s->begin);
    if (engine)
      busy[s->track] += s->end - s->begin;
  }
  for (uint32_t e = 0; e < o->engine_count; e++)
    assert_int_equal(busy[e], core->busy[e]);
  free(busy);
}

/* The busy cycles of engines equal the parts of the stack other than waiting. Under `blocking`, waiting is
 * barriers, launch and idle time only, and no barriers cost anything. */
static void check_busy(const struct observer *o, const struct sim_result *result, const struct gpu_spec *spec) {
  for (uint32_t c = 0; c < o->core_count; c++) {
    const struct sim_stack *s = &result->core_stacks[c];
    uint64_t busy = 0;
    for (uint32_t e = 0; e < o->engine_count; e++) {
      assert_true(o->cores[c].busy[e] <= o->ticks);
      busy += o->cores[c].busy[e];
    }
    if (spec->memory != MEMORY_BLOCKING || spec->barrier_cycles > 0)
      continue;
    double idle = (s->barrier + s->launch + s->idle) * (double)o->engine_count;
    double all = result->cycles * (double)o->engine_count;
    assert_true(fabs(all - idle - ticks_to_cycles(busy)) < 1e-3);
  }
}

/* Each access of a warp is counted once, at the port that it takes. */
static void check_accesses(const struct observer *o, const struct sim_counters *counters) {
  uint64_t executed[SIM_STACK_COUNT] = {0}, transactions[SIM_STACK_COUNT] = {0};
  for (uint32_t i = 0; i < o->op_count; i++) {
    executed[o->ops[i].port] += o->ops[i].executed;
    transactions[o->ops[i].port] += o->ops[i].transactions;
    assert_true(o->ops[i].transactions >= o->ops[i].executed && o->ops[i].least >= o->ops[i].executed);
  }
  assert_int_equal(executed[STACK_issue] + executed[STACK_local] + executed[STACK_uniform], counters->memory_accesses);
  assert_int_equal(executed[STACK_local], counters->scratchpad_accesses);
  assert_int_equal(transactions[STACK_local], counters->scratchpad_passes);
  assert_int_equal(executed[STACK_uniform], counters->uniform_loads);
}

static void check_operations(const struct observer *o, const struct sim_result *result, const struct gpu_spec *spec) {
  struct observed_op sum = {0};
  for (uint32_t i = 0; i < o->op_count; i++) {
    sum.accesses += o->ops[i].accesses;
    sum.l1_misses += o->ops[i].l1_misses;
    sum.l2_accesses += o->ops[i].l2_accesses;
    sum.l2_misses += o->ops[i].l2_misses;
    sum.waited += o->ops[i].executed > 0 ? o->ops[i].waited : 0; /* barriers have none */
  }
  assert_int_equal(sum.accesses, result->counters.l1_accesses);
  assert_int_equal(sum.l1_misses, result->counters.l1_misses);
  assert_int_equal(sum.l2_accesses, result->counters.l2_accesses);
  assert_int_equal(sum.l2_misses, result->counters.l2_misses);
  check_accesses(o, &result->counters);
  if (spec->memory != MEMORY_BLOCKING)
    return;
  const struct sim_stack *s = &result->stack; /* an engine is held as long as its warp waits */
  double held = s->store + s->lsu + s->l1 + s->local + s->l2 + s->dram + s->bandwidth + s->atomic;
  assert_true(fabs(held * (double)(o->engine_count * o->core_count) - ticks_to_cycles(sum.waited)) < 0.1);
  const struct sim_queues *q = &result->queues;
  assert_true(fabs(s->lsu * (double)(o->engine_count * o->core_count) - (q->lsu + q->l1_mshr + q->link)) < 0.1);
  assert_true(q->l2 + q->l2_mshr + q->dram + 0.1 >= s->bandwidth * (double)(o->engine_count * o->core_count));
}

static void check_occupancy(const struct observer *o, const struct gpu_spec *spec) {
  for (uint32_t c = 0; c < o->core_count; c++) {
    double items[OBSERVER_BINS], sum = 0;
    uint64_t bin_ticks, residency = 0;
    const size_t bins = observer_occupancy(o, c, items, &bin_ticks);
    assert_true(bins <= OBSERVER_BINS && bins * bin_ticks >= o->ticks);
    for (size_t i = 0; i < bins; i++) {
      assert_true(items[i] <= (double)spec->threads_per_core);
      sum += items[i] * (double)bin_ticks;
    }
    for (size_t i = 0; i < o->cores[c].span_count; i++)
      if (o->cores[c].spans[i].kind == SPAN_GROUP)
        residency += o->group_items * (o->cores[c].spans[i].end - o->cores[c].spans[i].begin);
    assert_true(sum == (double)residency);
    assert_int_equal(residency, o->cores[c].resident);
  }
}

static void check_case(uint32_t seed) {
  struct random_state r = {seed};
  struct random_trace_options options = {.seed = seed, .max_local = 32, .groups = 1 + random_below(&r, 8)};
  const struct gpu_spec spec = random_gpu(&r);
  struct observer observer = {.span_limit = 1000000};
  struct trace *trace;
  struct sim_result plain, observed;
  assert_int_equal(random_trace_load(&options, NULL, &trace, NULL), 0);
  assert_int_equal(simulate(trace, isa, &spec, &plain, NULL), 0);
  assert_int_equal(simulate_observed(trace, isa, &spec, &observer, &observed, NULL), 0);
  check_same_result(&plain, &observed);
  assert_true(ticks_to_cycles(observer.ticks) == observed.cycles);
  check_operations(&observer, &observed, &spec);
  check_busy(&observer, &observed, &spec);
  check_occupancy(&observer, &spec);
  for (uint32_t c = 0; c < observer.core_count; c++)
    check_spans(&observer, &observer.cores[c]);
  observer_clear(&observer);
  sim_result_clear(&plain);
  sim_result_clear(&observed);
  trace_destroy(trace);
}

static void test_numbers_add_up(void **state) {
  (void)state;
  for (uint32_t seed = 1; seed <= rounds(CASES); seed++)
    check_case(seed);
}

/* Spans that do not fit are counted; everything else is unchanged. */
static void test_spans_are_bounded(void **state) {
  (void)state;
  struct random_trace_options options = {.seed = 7, .max_local = 32, .groups = 6};
  struct gpu_spec spec = default_spec();
  struct observer all = {.span_limit = 1000000}, few = {.span_limit = 10};
  struct sim_result result;
  struct trace *trace;
  assert_int_equal(random_trace_load(&options, NULL, &trace, NULL), 0);
  assert_int_equal(simulate_observed(trace, isa, &spec, &all, &result, NULL), 0);
  sim_result_clear(&result);
  assert_int_equal(simulate_observed(trace, isa, &spec, &few, &result, NULL), 0);
  for (uint32_t c = 0; c < few.core_count; c++) {
    assert_int_equal(few.cores[c].span_count + few.cores[c].left_out, all.cores[c].span_count);
    assert_true(few.cores[c].span_count <= 10);
    assert_memory_equal(few.cores[c].busy, all.cores[c].busy, few.engine_count * sizeof *few.cores[c].busy);
  }
  sim_result_clear(&result);
  observer_clear(&all);
  observer_clear(&few);
  trace_destroy(trace);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_numbers_add_up), cmocka_unit_test(test_spans_are_bounded)};
  return cmocka_run_group_tests(tests, load_isa, free_isa);
}
