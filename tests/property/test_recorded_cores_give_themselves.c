/* A core that is replayed alone with the recorded services of L2 takes the ticks and has the stack that it has among
 * all cores, to the bit: on the recorded GPU always, and on one with other latencies where L2 cannot give other
 * services. The reference is the exact replay of all cores. Random kernels, and random GPUs with the mechanisms that
 * lists of events do not represent. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "model/replay/recorded/core_alone.h"
#include "model/replay/simulation.h"
#include "model/retime/retime_record.h"
#include "model/simulate.h"
#include "random_trace.h"
#include "rounds.h"
#include "with_isa.h"

#define CASES 120

static double some(struct random_state *r, double most) {
  return random_below(r, 4) ? random_unit(r) * most : 0;
}

static double rate(struct random_state *r, double most) {
  return random_below(r, 2) ? 0 : 0.1 + random_unit(r) * most;
}

static int64_t pick(struct random_state *r, int64_t a, int64_t b, int64_t c) {
  const int64_t from[] = {a, b, c};
  return from[random_below(r, 3)];
}

static void random_latencies(struct random_state *r, struct gpu_spec *spec) {
  spec->arith_cycles = some(r, 2);
  spec->store_cycles = some(r, 4);
  spec->l1_hit_cycles = some(r, 5);
  spec->l1_miss_cycles = some(r, 30);
  spec->l2_miss_cycles = some(r, 100);
  spec->barrier_cycles = some(r, 20);
  spec->launch_cycles = some(r, 50);
  spec->work_group_cycles = some(r, 20);
  spec->lsu_transactions_per_cycle = rate(r, 2);
}

static void random_waits(struct random_state *r, struct gpu_spec *spec) {
  spec->memory = (int)random_below(r, 3);
  spec->scheduler = (int)random_below(r, CHOICE_COUNT(SCHEDULERS));
  spec->access_issue = (int)random_below(r, 2);
  spec->access_latency = (int)random_below(r, 2);
  spec->warp_accesses_in_flight = 1 + random_below(r, 9);
  spec->core_accesses_in_flight = pick(r, 0, 2, 20);
  spec->early_load_bytes = pick(r, 0, 32, 128);
  spec->l1_mshrs = pick(r, 0, 1, 6);
  spec->merge_misses = random_below(r, 3) == 0;
  spec->lsu_tlb_entries = pick(r, 0, 0, 4);
  spec->lsu_tlb_miss_cycles = some(r, 20);
  spec->instruction_cache_bytes = pick(r, 0, 0, 256);
}

static void random_caches(struct random_state *r, struct gpu_spec *spec) {
  spec->line_bytes = pick(r, 16, 64, 128);
  spec->l1_model = (int)random_below(r, 3);
  spec->l2_model = (int)random_below(r, 3);
  spec->tag_lines = pick(r, 1, 1, 4);
  spec->partial_writes = spec->line_bytes <= 32 && random_below(r, 2);
  spec->l1_bytes = spec->line_bytes * spec->tag_lines * spec->l1_ways * pick(r, 1, 2, 8);
  spec->l2_bytes = spec->line_bytes * spec->tag_lines * spec->l2_ways * pick(r, 1, 4, 32);
  spec->l1_write = (int)random_below(r, CHOICE_COUNT(L1_WRITE_POLICIES));
  spec->l1_write_allocate = random_below(r, 2);
  spec->l2_write = (int)random_below(r, CHOICE_COUNT(L2_WRITE_POLICIES));
  spec->l2_write_allocate = random_below(r, 4) > 0;
  spec->local_memory = (int)random_below(r, 2);
  spec->scratchpad_bytes = 1 << 20;
  spec->scratchpad_cycles = some(r, 20);
  spec->scratchpad_shares_pipe = random_below(r, 2);
  spec->lsu_items_per_cycle = rate(r, 16);
  spec->lsu_access_cycles = some(r, 1);
}

static void random_rates(struct random_state *r, struct gpu_spec *spec) {
  spec->l1_l2_bytes_per_cycle = rate(r, 64);
  spec->l2_bytes_per_cycle = rate(r, 64);
  spec->dram_bytes_per_cycle = rate(r, 64);
  spec->l2_slices = pick(r, 1, 1, 3);
  spec->l2_mshrs = pick(r, 0, 0, 3);
  spec->l2_atomics_per_cycle = rate(r, 4);
  spec->l2_atomic_rounds_per_cycle = rate(r, 2);
  spec->atomic_cycles = some(r, 20);
}

static void random_spec(struct random_state *r, struct gpu_spec *spec) {
  struct error error = ERROR_INIT;
  do {
    struct param_origin *origins = calloc(gpu_params.count, sizeof *origins);
    params_defaults(&gpu_params, spec, origins);
    params_origins_clear(&gpu_params, origins);
    free(origins);
    spec->cores = 1 + random_below(r, CORE_RECORDS_MOST);
    spec->execution_engines = pick(r, 1, 2, 5);
    spec->warp_size = pick(r, 1, 4, 32);
    spec->threads_per_core = pick(r, 64, 128, 256);
    spec->dispatch = (int)random_below(r, CHOICE_COUNT(DISPATCH_ORDERS));
    random_latencies(r, spec);
    random_waits(r, spec);
    random_caches(r, spec);
    random_rates(r, spec);
    error = (struct error)ERROR_INIT;
  } while (gpu_spec_check(spec, &error) != 0);
}

static struct trace *random_trace(struct random_state *r) {
  struct error error = ERROR_INIT;
  const struct random_trace_options options = {.seed = random_below(r, UINT32_MAX),
                                               .groups = 1 + random_below(r, 24),
                                               .max_local = 1 + random_below(r, 64),
                                               .uniform = random_below(r, 2)};
  struct trace *trace = NULL;
  assert_int_equal(random_trace_load(&options, NULL, &trace, &error), 0);
  return trace;
}

/* Checks that the core alone ends at `end`, with this stack except for idle time. */
static void check_core(const struct simulation *simulation, const struct core_record *record,
                       const struct gpu_spec *spec, uint64_t end, const struct replay_result *whole) {
  struct error error = ERROR_INIT;
  struct replay_result alone = {0};
  assert_false(record->incomplete);
  assert_int_equal(simulation_replay(simulation, spec, &(struct replay_options){.alone = record}, &alone, &error), 0);
  assert_true(alone.ticks == end);
  for (int i = 0; i < STACK_idle; i++)
    assert_true(alone.core_stacks[record->core][i] == whole->core_stacks[record->core][i]);
  replay_result_clear(&alone);
}

/* Records all cores on specs[0], and replays each alone on specs[0] or specs[1], where `ends` are those of all cores
 * together. */
static void check_cores(const struct trace *trace, const struct gpu_spec specs[2]) {
  struct error error = ERROR_INIT;
  struct core_records records = {.count = (uint32_t)specs[0].cores};
  uint64_t ends[CORE_RECORDS_MOST];
  struct simulation *simulation;
  struct replay_result first = {0}, second = {0};
  for (uint32_t i = 0; i < records.count; i++)
    records.list[i].core = i;
  assert_int_equal(simulation_open(trace, isa, &specs[0], &simulation, &error), 0);
  assert_int_equal(simulation_replay(simulation, &specs[0], &(struct replay_options){.records = &records, .threads = 1},
                                     &first, &error),
                   0);
  for (uint32_t i = 0; i < records.count; i++)
    check_core(simulation, &records.list[i], &specs[0], records.list[i].ticks, &first);
  if (!gpu_spec_same(&specs[0], &specs[1])) {
    struct core_records none = {.ends = ends};
    assert_int_equal(simulation_replay(simulation, &specs[1], &(struct replay_options){.records = &none, .threads = 1},
                                       &second, &error),
                     0);
    for (uint32_t i = 0; i < records.count; i++)
      check_core(simulation, &records.list[i], &specs[1], ends[i], &second);
  }
  replay_result_clear(&first);
  replay_result_clear(&second);
  core_records_clear(&records);
  simulation_close(simulation);
}

static void test_own_gpu(void **state) {
  struct random_state r = {21};
  (void)state;
  for (uint32_t i = 0; i < rounds(CASES); i++) {
    struct gpu_spec specs[2];
    struct trace *trace = random_trace(&r);
    random_spec(&r, &specs[0]);
    specs[1] = specs[0];
    check_cores(trace, specs);
    trace_destroy(trace);
  }
}

/* Cores have work-groups of their own, L2 holds nothing, and nothing behind a core is limited. */
static void test_other_gpu(void **state) {
  struct random_state r = {22};
  (void)state;
  for (uint32_t i = 0; i < rounds(CASES); i++) {
    struct gpu_spec specs[2];
    struct trace *trace = random_trace(&r);
    random_spec(&r, &specs[0]);
    specs[0].dispatch = DISPATCH_ROUND_ROBIN;
    specs[0].l2_enabled = specs[0].merge_misses = false;
    specs[0].l2_write = L2_WRITE_FREE;
    specs[0].l2_write_allocate = true;
    specs[0].l2_mshrs = 0;
    specs[0].l2_bytes_per_cycle = specs[0].dram_bytes_per_cycle = 0;
    specs[0].l2_atomics_per_cycle = specs[0].l2_atomic_rounds_per_cycle = 0;
    specs[1] = specs[0];
    random_latencies(&r, &specs[1]);
    specs[1].lsu_transactions_per_cycle = specs[0].lsu_transactions_per_cycle; /* queues are there, or not */
    check_cores(trace, specs);
    trace_destroy(trace);
  }
}

static void check_same(const struct sim_result *timed, const struct sim_result *exact) {
  assert_true(timed->approximate && !exact->approximate);
  assert_true(timed->cycles == exact->cycles);
  assert_true(timed->time_ns == exact->time_ns);
  assert_memory_equal(&timed->stack, &exact->stack, sizeof exact->stack);
  assert_memory_equal(&timed->counters, &exact->counters, sizeof exact->counters);
  assert_memory_equal(&timed->queues, &exact->queues, sizeof exact->queues);
  assert_int_equal(timed->warp_instructions, exact->warp_instructions);
}

static double stack_sum(const struct sim_stack *stack) {
  double values[SIM_STACK_COUNT], sum = 0;
  sim_stack_values(stack, values);
  for (int i = 0; i < SIM_STACK_COUNT; i++)
    sum += values[i];
  return sum;
}

/* Of many GPUs, also with other L1s: the recorded one is what it was, equal ones are equal, stacks add up, and no L1
 * misses more than it is asked for. Returns whether there was a recording. */
static bool check_many(struct random_state *r) {
  enum { MANY = 12 };
  struct error error = ERROR_INIT;
  struct retime_recording *recording;
  struct sim_result result, out[MANY];
  struct gpu_spec specs[MANY];
  bool done[MANY];
  struct trace *trace = random_trace(r);
  random_spec(r, &specs[0]);
  specs[0].memory = MEMORY_DEPENDENCY;
  for (int i = 1; i < MANY; i++) {
    specs[i] = specs[i / 2];
    if (i % 3 > 0)
      random_latencies(r, &specs[i]);
    if (i % 3 == 2)
      specs[i].l1_bytes *= 2;
  }
  assert_int_equal(retime_record(trace, isa, specs, MANY, &recording, &result, &error), 0);
  if (recording) {
    retime_all(recording, specs, MANY, out, done);
    assert_true(done[0]);
    check_same(&out[0], &result);
    for (int i = 0; i < MANY; i++)
      assert_true(!done[i] || (stack_sum(&out[i].stack) == out[i].cycles &&
                               out[i].counters.l1_misses <= out[i].counters.l1_accesses));
    for (int i = 3; i < MANY; i += 3)
      assert_true(done[i] == done[i / 2] && (!done[i] || out[i].cycles == out[i / 2].cycles));
  }
  const bool recorded = recording;
  sim_result_clear(&result);
  retime_destroy(recording);
  trace_destroy(trace);
  return recorded;
}

static void test_many(void **state) {
  struct random_state r = {23};
  uint32_t recorded = 0;
  (void)state;
  for (uint32_t i = 0; i < rounds(CASES); i++)
    recorded += check_many(&r);
  assert_true(2 * recorded > rounds(CASES));
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_own_gpu), cmocka_unit_test(test_other_gpu),
                                     cmocka_unit_test(test_many)};
  return cmocka_run_group_tests(tests, load_isa, free_isa);
}
