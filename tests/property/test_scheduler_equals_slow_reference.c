/* The event-driven replay gives the very cycles, cache counts and cycle stacks of the slow reference, on random
 * kernels, every second time with one of the combinations in which any two values of any two switches come together
 * (pairwise.h), else with random ones; its stacks add up exactly; the same input again, replayed by two or three
 * threads, gives the same bytes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "model/policy/dispatch.h"
#include "model/policy/scheduler.h"
#include "model/simulate.h"
#include "pairwise.h"
#include "random_trace.h"
#include "reference_scheduler.h"
#include "rounds.h"
#include "with_isa.h"

#ifdef REASSEMBLE_SANITIZED /* ten times as slow: memory and arithmetic are looked at in fewer cases, results          \
                               elsewhere */
#define CASES      400
#define EACH_TIMES 5
#else
#define CASES      1500
#define EACH_TIMES 20
#endif
#define LEAST_TIMES 3

/* Often 0, whole, or fractional; small, so that many things happen at the same time. Seldom so long that times leave
 * the range in which a stretch reckons (model/replay/busy_fast_path.h). */
static double some_cycles(struct random_state *r, uint32_t most) {
  if (random_below(r, 50) == 0)
    return 70000 + random_below(r, 200000);
  uint32_t kind = random_below(r, 4);
  if (kind == 0)
    return 0;
  return kind == 1 ? random_below(r, most + 1) : random_unit(r) * most;
}

static int64_t pick(struct random_state *r, const int64_t *from, uint32_t count) {
  return from[random_below(r, count)];
}

#define PICK(r, ...) pick(r, (const int64_t[]){__VA_ARGS__}, sizeof((const int64_t[]){__VA_ARGS__}) / sizeof(int64_t))

static bool is_power(int64_t n) {
  return (n & (n - 1)) == 0;
}

static void random_caches(struct random_state *r, struct gpu_spec *spec) {
  spec->line_bytes = PICK(r, 4, 16, 32, 64, 96, 128);
  spec->l1_model = (int)random_below(r, 3);
  spec->l2_model = (int)random_below(r, 3);
  spec->l1_ways = PICK(r, 1, 2, 3, 4);
  spec->l2_ways = PICK(r, 1, 2, 5, 8);
  const int64_t tag = spec->line_bytes * (spec->tag_lines = PICK(r, 1, 1, 2, 4, 16));
  spec->partial_writes = spec->line_bytes <= 32 && random_below(r, 2);
  spec->l1_bytes = tag * spec->l1_ways * PICK(r, 1, 2, 3, 8);
  spec->l2_bytes = tag * spec->l2_ways * PICK(r, 1, 4, 7, 32);
  spec->l1_index_hash = is_power(spec->l1_bytes / tag / spec->l1_ways) && random_below(r, 2);
  spec->l2_index_hash = is_power(spec->l2_bytes / tag / spec->l2_ways) && random_below(r, 2);
  spec->l1_enabled = random_below(r, 6) > 0;
  spec->l2_enabled = random_below(r, 6) > 0;
  spec->coalesce = random_below(r, 4) > 0;
  spec->access_item_bytes = PICK(r, 0, 0, 4, 6, 8);
  spec->access_part_bytes = PICK(r, 0, 0, 4, 16, 32, 100, 128);
  spec->merged_load_bytes = PICK(r, 0, 0, 4, 8, 16); /* random accesses are no neighbours: nothing may change */
  spec->merged_store_bytes = PICK(r, 0, 0, 4, 8, 16);
  spec->late_store_registers = PICK(r, 0, 0, 1, 2, 4, 100);
  spec->access_piece_bytes = random_below(r, 2) ? 0 : spec->line_bytes >> random_below(r, 3);
  if (spec->access_piece_bytes < 4)
    spec->access_piece_bytes = 0;
}

static int64_t random_cache(struct random_state *r, const struct gpu_spec *spec, int64_t *ways) {
  *ways = PICK(r, 0, 1, 2, 3);
  return spec->line_bytes * (*ways ? *ways : 1) * PICK(r, 0, 0, 1, 2, 5, 16);
}

static void random_graphics(struct random_state *r, struct gpu_spec *spec) {
  spec->texture_cache_bytes = random_cache(r, spec, &spec->texture_cache_ways);
  spec->texture_cache_cores = PICK(r, 1, 1, 2, 3);
  spec->texels_per_cycle = (double)PICK(r, 0, 0, 1, 2, 8) / 2;
  spec->depth_cache_bytes = random_cache(r, spec, &spec->depth_cache_ways);
  spec->vertex_cache_bytes = random_cache(r, spec, &spec->vertex_cache_ways);
}

static void random_write_policies(struct random_state *r, struct gpu_spec *spec) {
  if (random_below(r, 3) == 0)
    return;
  spec->l1_write = (int)random_below(r, 2);
  spec->l2_write = (int)random_below(r, 3);
  spec->l1_write_allocate = random_below(r, 2);
  spec->l2_write_allocate = random_below(r, 2);
}

/* Every limit is off half of the time; tight where it is on, so that things queue. */
static void random_queues(struct random_state *r, struct gpu_spec *spec) {
  if (random_below(r, 3) == 0)
    return;
  spec->lsu_transactions_per_cycle = random_below(r, 2) ? 0 : random_below(r, 16) ? 0.1 + random_unit(r) * 2 : 1e-5;
  spec->l1_l2_bytes_per_cycle = random_below(r, 2) ? 0 : 1 + random_unit(r) * 64;
  spec->l2_bytes_per_cycle = random_below(r, 2) ? 0 : 1 + random_unit(r) * 64;
  spec->dram_bytes_per_cycle = random_below(r, 2) ? 0 : 1 + random_unit(r) * 64;
  spec->merge_misses = random_below(r, 2);
  spec->l1_mshrs = PICK(r, 0, 0, 1, 2, 8);
  spec->l2_mshrs = PICK(r, 0, 0, 1, 2, 8);
  spec->l2_slices = PICK(r, 1, 2, 3, 64);
  spec->dram_banks = PICK(r, 0, 0, 1, 2, 8);
  spec->dram_row_bytes = spec->line_bytes * PICK(r, 1, 2, 16) + PICK(r, 0, 3);
  spec->dram_row_miss_cycles = some_cycles(r, 30);
  spec->l2_atomics_per_cycle = random_below(r, 2) ? 0 : 0.05 + random_unit(r);
  spec->l2_atomic_rounds_per_cycle = random_below(r, 2) ? 0 : 0.05 + random_unit(r);
  spec->l2_atomic_units = PICK(r, 0, 0, 1, 3, 48);
  spec->l2_atomic_unit_bytes = PICK(r, 1, 24, 64, 256, 4096);
}

static void random_ports(struct random_state *r, struct gpu_spec *spec) {
  spec->local_memory = (int)random_below(r, 2);
  spec->scratchpad_bytes = PICK(r, 0, 0, 65536, 2 * 65536);
  if (spec->scratchpad_bytes > 0 && random_below(r, 2)) {
    spec->scratchpad_l1_bytes =
        spec->scratchpad_bytes + spec->l1_ways * spec->line_bytes * spec->tag_lines * PICK(r, 1, 2, 5, 20);
    spec->scratchpad_least_bytes = PICK(r, 0, 0, 100, spec->scratchpad_bytes);
  }
  spec->scratchpad_banks = PICK(r, 1, 3, 16, 32);
  spec->scratchpad_word_bytes = PICK(r, 3, 4, 4, 8);
  spec->scratchpad_cycles = some_cycles(r, 10);
  spec->scratchpad_pass_cycles = some_cycles(r, 5);
  spec->scratchpad_shares_pipe = random_below(r, 2);
  spec->lsu_items_per_cycle = PICK(r, 0, 0, 1, 3, 16);
  spec->lsu_access_cycles = PICK(r, 0, 0, 3, 10, 70) / 10.0;
  spec->private_interleaved = random_below(r, 2);
  spec->uniform_loads = (int)random_below(r, 3);
  spec->uniform_cache_bytes = spec->line_bytes * PICK(r, 0, 1, 2, 9);
  spec->uniform_cycles = some_cycles(r, 10);
  spec->uniform_load_cycles = some_cycles(r, 5);
}

static void random_fetch(struct random_state *r, struct gpu_spec *spec) {
  spec->instruction_line_bytes = PICK(r, 4, 6, 16, 64);
  spec->instruction_cache_bytes = spec->instruction_line_bytes * PICK(r, 0, 0, 1, 2, 4, 8, 16, 1000);
  spec->instruction_miss_cycles = some_cycles(r, 10);
}

static void random_tlbs(struct random_state *r, struct gpu_spec *spec) {
  spec->tlb_entries = PICK(r, 0, 0, 1, 2, 8, 64);
  spec->l2_tlb_entries = PICK(r, 0, 1, 4, 32);
  spec->page_bytes = PICK(r, 1024, 1536, 4096, 65536);
  spec->l2_tlb_cycles = some_cycles(r, 20);
  spec->lsu_tlb_entries = PICK(r, 0, 0, 0, 1, 4, 16);
  spec->lsu_tlb_replacement = PICK(r, REPLACEMENT_LRU, REPLACEMENT_FIFO);
  spec->lsu_tlb_miss_cycles = some_cycles(r, 20);
  spec->page_walk_cycles = some_cycles(r, 100);
}

/* Multiples of a half, so that the slow reference of bundles has few pieces to place. */
static void random_prices(struct random_state *r, struct gpu_spec *spec) {
  double *const prices[] = {&spec->integer_price, &spec->address_price, &spec->float_price,  &spec->function_price,
                            &spec->query_price,   &spec->branch_price,  &spec->memory_price, &spec->fma_pipe_cycles};
  for (size_t i = 0; i < sizeof prices / sizeof *prices; i++)
    *prices[i] = random_below(r, 2) ? 1 : 0.5 * random_below(r, 5);
}

static void random_registers(struct random_state *r, struct gpu_spec *spec) {
  spec->registers_per_core = PICK(r, 0, 0, 32 * 64, 2 * 32 * 64);
  spec->registers_per_item = PICK(r, 0, 0, 1, 20, 50);
  spec->register_ratio = (double)PICK(r, 4, 4, 5, 12) / 4;
  spec->register_unit = PICK(r, 1, 1, 8, 20);
  spec->register_parts = PICK(r, 1, 1, 2, 4);
}

static void random_spec(struct random_state *r, struct gpu_spec *spec) {
  params_defaults(&gpu_params, spec, NULL);
  spec->cores = PICK(r, 1, 2, 3, 8);
  spec->execution_engines = PICK(r, 1, 2, 3, 5);
  spec->warp_size = PICK(r, 1, 3, 4, 8, 16, 64);
  spec->threads_per_core = PICK(r, 32, 33, 64, 128);
  spec->work_groups_per_core = PICK(r, 0, 0, 1, 2, 3);
  random_registers(r, spec);
  spec->late_local_loads = PICK(r, false, true);
  spec->early_load_bytes = PICK(r, 0, 0, 4, 8, 20, 64, 4096);
  spec->early_load_registers = PICK(r, 0, 0, 4, 12, 30, 60);
  spec->unroll = PICK(r, 0, 1, 2, 4, 7, 16, 64);
  spec->dispatch = (int)random_below(r, CHOICE_COUNT(DISPATCH_ORDERS));
  spec->scheduler = random_below(r, 2) ? 0 : (int)random_below(r, CHOICE_COUNT(SCHEDULERS));
  spec->warp_formation = (int)random_below(r, 2);
  spec->divergence = (int)random_below(r, 2);
  spec->issue = (int)random_below(r, 2);
  spec->memory = (int)random_below(r, 3);
  spec->access_issue = (int)random_below(r, 2);
  spec->access_latency = (int)random_below(r, 2);
  spec->warp_accesses_in_flight = PICK(r, 1, 2, 3, 8, 64);
  spec->core_accesses_in_flight = PICK(r, 0, 0, 1, 2, 5, 40);
  random_caches(r, spec);
  random_queues(r, spec);
  random_ports(r, spec);
  random_write_policies(r, spec);
  random_fetch(r, spec);
  random_tlbs(r, spec);
  random_prices(r, spec);
  random_graphics(r, spec);
  spec->arith_cycles = random_below(r, 6) ? some_cycles(r, 2) : random_unit(r) / 10000; /* some runs take no tick */
  spec->store_cycles = some_cycles(r, 4);
  spec->l1_hit_cycles = some_cycles(r, 5);
  spec->l1_miss_cycles = some_cycles(r, 30);
  spec->l2_miss_cycles = some_cycles(r, 100);
  spec->atomic_cycles = random_below(r, 2) ? 0 : some_cycles(r, 20);
  spec->atomic_round_bytes = PICK(r, 0, 0, 4, 12, 32, 1024);
  spec->merge_atomics = random_below(r, 2);
  spec->scratchpad_counts = random_below(r, 2);
  spec->barrier_cycles = some_cycles(r, 20);
  spec->launch_cycles = some_cycles(r, 50);
  spec->work_group_cycles = some_cycles(r, 20);
  spec->fragments_per_cycle = (double)PICK(r, 0, 1, 2, 6) / 2;
}

static struct pairs pairs;

static double in_order_sum(const struct sim_stack *stack) {
  double values[SIM_STACK_COUNT], sum = 0;
  sim_stack_values(stack, values);
  for (int i = 0; i < SIM_STACK_COUNT; i++)
    sum += values[i];
  return sum;
}

/* A stack's grid is 2^-20 cycles, and coarser from 2^42 ticks on (model/result/cycle_stack.c). */
static void check_stacks(const struct sim_result *got, const struct reference_result *want, double engines) {
  const double grid = 2e-6 * fmax(1, ldexp((double)want->ticks, -41));
  for (size_t core = 0; core < got->core_count; core++) {
    double values[SIM_STACK_COUNT];
    sim_stack_values(&got->core_stacks[core], values);
    for (int i = 0; i < SIM_STACK_COUNT; i++)
      assert_true(fabs(values[i] - (double)want->stacks[core][i] / 1024 / engines) < grid);
    assert_true(in_order_sum(&got->core_stacks[core]) == got->cycles);
  }
  assert_true(in_order_sum(&got->stack) == got->cycles);
}

static void check_result(const struct sim_result *got, const struct reference_result *want,
                         const struct gpu_spec *spec) {
  assert_true(got->cycles == (double)want->ticks / 1024);
  assert_int_equal(got->counters.l1_accesses, want->l1_accesses);
  assert_int_equal(got->counters.l1_misses, want->l1_misses);
  assert_int_equal(got->counters.l2_accesses, want->l2_accesses);
  assert_int_equal(got->counters.l2_misses, want->l2_misses);
  assert_int_equal(got->counters.l1_write_backs, want->l1_write_backs);
  assert_int_equal(got->counters.l2_write_backs, want->l2_write_backs);
  const struct sim_counters *c = &got->counters;
  const uint64_t accesses[] = {c->texture_accesses, c->depth_accesses, c->vertex_accesses};
  const uint64_t misses[] = {c->texture_misses, c->depth_misses, c->vertex_misses};
  assert_memory_equal(accesses, want->graphics_accesses + 1, sizeof accesses);
  assert_memory_equal(misses, want->graphics_misses + 1, sizeof misses);
  const uint64_t line = (uint64_t)spec->line_bytes;
  assert_int_equal(got->counters.atomics, want->atomics);
  assert_int_equal(got->counters.atomic_rounds, want->atomic_rounds);
  assert_int_equal(got->counters.l1_l2_read_bytes, want->l1_l2_read * line);
  assert_int_equal(got->counters.l1_l2_written_bytes, want->l1_l2_written * line);
  assert_int_equal(got->counters.dram_read_bytes, want->dram_read * line);
  assert_int_equal(got->counters.dram_written_bytes, want->dram_written * line);
  assert_int_equal(got->counters.l2_fills, want->l2_fills);
  assert_int_equal(got->counters.dram_bytes, (want->dram_read + want->dram_written) * line);
  assert_int_equal(got->counters.scratchpad_accesses, want->scratchpad_accesses);
  assert_int_equal(got->counters.scratchpad_passes, want->scratchpad_passes);
  assert_int_equal(got->counters.instruction_misses, want->instruction_misses);
  assert_int_equal(got->counters.uniform_loads, want->uniform_loads);
  assert_int_equal(got->counters.memory_accesses, want->memory_accesses);
  assert_int_equal(got->counters.tlb_accesses, want->tlb_accesses);
  assert_int_equal(got->counters.tlb_misses, want->tlb_misses);
  assert_int_equal(got->counters.page_walks, want->page_walks);
  assert_int_equal(got->warp_instructions, want->instructions);
  assert_int_equal(got->work_item_instructions, want->item_instructions);
  check_stacks(got, want, (double)spec->execution_engines);
}

static void check_same(const struct sim_result *a, const struct sim_result *b) {
  assert_memory_equal(&a->stack, &b->stack, sizeof a->stack);
  assert_memory_equal(a->core_stacks, b->core_stacks, a->core_count * sizeof *a->core_stacks);
  assert_int_equal(a->line_count, b->line_count);
  assert_memory_equal(a->lines, b->lines, a->line_count * sizeof *a->lines);
  assert_true(a->cycles == b->cycles);
}

/* The cost of lines while execution engines are busy equals the stack's, up to rounding of runs to ticks. */
static void check_lines(const struct sim_result *got) {
  struct sim_stack sum = {0};
  for (size_t i = 0; i < got->line_count; i++) {
    sum.issue += got->lines[i].stack.issue + got->lines[i].stack.divergence;
    sum.store += got->lines[i].stack.store;
    assert_true(i == 0 || got->lines[i - 1].line < got->lines[i].line);
  }
  double busy = got->stack.issue + got->stack.divergence;
  assert_true(fabs(sum.issue - busy) <= 0.01 * busy + 0.5 + (double)got->warp_events / 2048); /* half a tick a run */
  assert_true(sum.store <= got->stack.store + 1e-3);
}

/* Returns a number for each work-group: its core, or its fragments. */
static uint32_t *by_group(struct random_state *r, const struct trace *trace, uint32_t below) {
  uint32_t *list = malloc((trace->group_count + 1) * sizeof *list);
  assert_non_null(list);
  for (uint32_t i = 0; i < trace->group_count; i++)
    list[i] = (uint32_t)random_below(r, below);
  return list;
}

static void check_case(uint32_t seed) {
  struct random_state r = {seed};
  struct random_trace_options options = {.seed = seed,
                                         .max_local = 1 + random_below(&r, 32),
                                         .groups = 1 + random_below(&r, seed % 8 == 0 ? 40 : 6),
                                         .extreme = random_below(&r, 8) == 0,
                                         .uniform = random_below(&r, 3) == 0,
                                         .regular = random_below(&r, 3) == 0};
  struct error error = ERROR_INIT;
  struct trace *trace;
  struct gpu_spec spec;
  struct reference_result want;
  struct sim_result got, again;
  if (seed % 2)
    pairs_apply(&pairs, seed / 2 % pairs.row_count, &r, random_spec, &spec);
  else
    random_spec(&r, &spec);
  pairs_mark(&pairs, &spec);
  assert_int_equal(random_trace_load(&options, NULL, &trace, &error), 0);
  if (random_below(&r, 4) == 0)
    trace->homes = by_group(&r, trace, 10);
  if (random_below(&r, 4) == 0)
    trace->fragments = by_group(&r, trace, 100);
  reference_simulate(trace, isa, &spec, &want);
  if (simulate(trace, isa, &spec, &got, &error) != 0)
    fail_msg("seed %u: %s", seed, error.text);
  if (got.cycles != (double)want.ticks / 1024)
    print_message("seed %u: %.17g cycles, reference %.17g\n", seed, got.cycles, (double)want.ticks / 1024);
  check_result(&got, &want, &spec);
  check_lines(&got);
  assert_int_equal(simulate_with_threads(trace, isa, &spec, 2 + seed / 2 % 2, &again, &error), 0);
  check_result(&again, &want, &spec);
  check_same(&got, &again);
  sim_result_clear(&got);
  sim_result_clear(&again);
  free(want.stacks);
  trace_destroy(trace);
}

static void test_equals_reference(void **state) {
  (void)state;
  for (uint32_t seed = 1; seed <= rounds(CASES); seed++)
    check_case(seed);
}

/* The descriptions that were replayed hold every pair of values. A run with so few cases that a combination is tried
 * less than three times cannot promise that, and skips the check. */
static void test_every_pair_was_tried(void **state) {
  (void)state;
  uint32_t a, b;
  uint8_t x, y;
  print_message("%u switches, %u combinations, %u cases\n", pairs.switch_count, pairs.row_count, rounds(CASES));
  if (rounds(CASES) < pairs.row_count * 2 * LEAST_TIMES) /* every second case has a combination */
    skip();
  if (pairs_missing(&pairs, &a, &x, &b, &y))
    fail_msg("switch %u at %u and switch %u at %u never came together", a, x, b, y);
  assert_true(pairs.row_count * EACH_TIMES < CASES); /* so that each combination sees many kernels */
}

static int prepare(void **state) {
  pairs_make(&pairs);
  return load_isa(state);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_equals_reference),
                                     cmocka_unit_test(test_every_pair_was_tried)};
  return cmocka_run_group_tests(tests, prepare, free_isa);
}
