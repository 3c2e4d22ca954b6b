/* A recording timed again on its own GPU gives the exact replay's cycles, counts and stack to the bit, on random
 * kernels and under random switches; and so it does on another GPU where the outcomes cannot change, because all caches
 * are off or hold everything. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "model/policy/dispatch.h"
#include "model/retime/retime_record.h"
#include "model/retime/many/retime_surface.h"
#include "model/simulate.h"
#include "random_trace.h"
#include "rounds.h"
#include "with_isa.h"

#define CASES 150

/* Often 0, whole, or fractional; small, so that many things happen at the same time. */
static double some_cycles(struct random_state *r, uint32_t most) {
  const uint32_t kind = random_below(r, 4);
  if (kind == 0)
    return 0;
  return kind == 1 ? random_below(r, most + 1) : random_unit(r) * most;
}

static int64_t pick(struct random_state *r, const int64_t *from, uint32_t count) {
  return from[random_below(r, count)];
}

#define PICK(r, ...) pick(r, (const int64_t[]){__VA_ARGS__}, sizeof((const int64_t[]){__VA_ARGS__}) / sizeof(int64_t))

static void random_latencies(struct random_state *r, struct gpu_spec *spec) {
  spec->arith_cycles = some_cycles(r, 2);
  spec->store_cycles = some_cycles(r, 4);
  spec->l1_hit_cycles = some_cycles(r, 5);
  spec->l1_miss_cycles = some_cycles(r, 30);
  spec->l2_miss_cycles = some_cycles(r, 100);
  spec->barrier_cycles = some_cycles(r, 20);
  spec->launch_cycles = some_cycles(r, 50);
  spec->work_group_cycles = some_cycles(r, 20);
}

/* Rates of one slice; with several, timing distributes lines among them in another way. */
static void random_rates(struct random_state *r, struct gpu_spec *spec) {
  spec->lsu_transactions_per_cycle = random_below(r, 2) ? 0 : 0.1 + random_unit(r) * 2;
  spec->l1_l2_bytes_per_cycle = random_below(r, 2) ? 0 : 1 + random_unit(r) * 64;
  spec->l2_bytes_per_cycle = random_below(r, 2) ? 0 : 1 + random_unit(r) * 64;
  spec->dram_bytes_per_cycle = random_below(r, 2) ? 0 : 1 + random_unit(r) * 64;
}

/* Stores, and what waits for atomics. */
static void random_writes(struct random_state *r, struct gpu_spec *spec) {
  spec->l1_write = (int)random_below(r, CHOICE_COUNT(L1_WRITE_POLICIES));
  spec->l1_write_allocate = random_below(r, 2);
  spec->l2_write = (int)random_below(r, CHOICE_COUNT(L2_WRITE_POLICIES));
  spec->l2_write_allocate = random_below(r, 4) > 0;
  spec->l2_atomics_per_cycle = random_below(r, 2) ? 0 : 0.1 + random_unit(r) * 4;
  spec->l2_atomic_rounds_per_cycle = random_below(r, 2) ? 0 : 0.1 + random_unit(r) * 2;
  spec->atomic_cycles = some_cycles(r, 20);
}

static void random_spec(struct random_state *r, struct gpu_spec *spec) {
  struct param_origin *origins = calloc(gpu_params.count, sizeof *origins);
  params_defaults(&gpu_params, spec, origins);
  params_origins_clear(&gpu_params, origins);
  free(origins);
  spec->cores = PICK(r, 1, 2, 3, 8);
  spec->execution_engines = PICK(r, 1, 2, 3, 5, 7);
  spec->warp_size = PICK(r, 1, 3, 4, 8, 16, 64);
  spec->threads_per_core = PICK(r, 64, 65, 128, 256);
  spec->work_groups_per_core = PICK(r, 0, 0, 1, 2, 3);
  spec->dispatch = (int)random_below(r, CHOICE_COUNT(DISPATCH_ORDERS));
  spec->warp_formation = (int)random_below(r, 2);
  spec->divergence = (int)random_below(r, 2);
  spec->memory = (int)random_below(r, 2);
  spec->private_interleaved = random_below(r, 2);
  spec->access_issue = (int)random_below(r, 2);
  spec->line_bytes = PICK(r, 4, 16, 64, 96);
  spec->l1_model = (int)random_below(r, 3);
  spec->l2_model = (int)random_below(r, 3);
  spec->l1_bytes = spec->line_bytes * spec->l1_ways * PICK(r, 1, 2, 8);
  spec->l2_bytes = spec->line_bytes * spec->l2_ways * PICK(r, 1, 4, 32);
  spec->coalesce = random_below(r, 4) > 0;
  spec->access_item_bytes = PICK(r, 0, 4, 8);
  spec->access_part_bytes = PICK(r, 0, 16, 100);
  spec->access_piece_bytes = spec->line_bytes >= 16 ? PICK(r, 0, spec->line_bytes / 2, spec->line_bytes / 4) : 0;
  spec->local_memory = (int)random_below(r, 2);
  spec->scratchpad_banks = PICK(r, 1, 4, 32);
  spec->scratchpad_bytes = 1 << 20;
  spec->scratchpad_cycles = some_cycles(r, 20);
  spec->scratchpad_pass_cycles = some_cycles(r, 3);
  spec->uniform_loads = (int)random_below(r, 3);
  spec->uniform_cache_bytes = spec->line_bytes * PICK(r, 0, 1, 16);
  spec->uniform_cycles = some_cycles(r, 20);
  spec->uniform_load_cycles = some_cycles(r, 3);
  random_latencies(r, spec);
}

static struct trace *random_trace(struct random_state *r, struct error *error) {
  struct random_trace_options options = {.seed = random_below(r, UINT32_MAX),
                                         .groups = 1 + random_below(r, 12),
                                         .max_local = 1 + random_below(r, 64),
                                         .uniform = random_below(r, 2)};
  struct trace *trace = NULL;
  assert_int_equal(random_trace_load(&options, NULL, &trace, error), 0);
  return trace;
}

static void check_same(const struct sim_result *timed, const struct sim_result *exact) {
  assert_true(timed->approximate && !exact->approximate);
  assert_true(timed->cycles == exact->cycles);
  assert_true(timed->time_ns == exact->time_ns);
  assert_memory_equal(&timed->stack, &exact->stack, sizeof exact->stack);
  assert_memory_equal(&timed->counters, &exact->counters, sizeof exact->counters);
  assert_memory_equal(&timed->queues, &exact->queues, sizeof exact->queues);
  assert_int_equal(timed->counters.dram_bytes, exact->counters.dram_bytes);
  assert_int_equal(timed->warp_instructions, exact->warp_instructions);
  assert_int_equal(timed->work_item_instructions, exact->work_item_instructions);
  assert_true(timed->issue_slots == exact->issue_slots);
  assert_true(timed->simd_efficiency == exact->simd_efficiency);
}

/* On `spec`, the recording says what a replay says. */
static void check_replay(const struct retime_recording *recording, const struct trace *trace,
                         const struct gpu_spec *spec) {
  struct error error = ERROR_INIT;
  struct sim_result exact, timed;
  assert_int_equal(simulate(trace, isa, spec, &exact, &error), 0);
  assert_true(retime(recording, spec, &timed));
  check_same(&timed, &exact);
  sim_result_clear(&exact);
  sim_result_clear(&timed);
}

/* retime_record itself refuses a recording that does not give itself: here it must never have to. */
static void check_own_gpu(struct random_state *r) {
  struct error error = ERROR_INIT;
  struct retime_recording *recording;
  struct sim_result result;
  struct gpu_spec spec;
  struct trace *trace = random_trace(r, &error);
  random_spec(r, &spec);
  if (random_below(r, 3) > 0)
    random_writes(r, &spec);
  if (random_below(r, 3) > 0)
    random_rates(r, &spec);
  assert_int_equal(retime_record(trace, isa, &spec, 1, &recording, &result, &error), 0);
  assert_non_null(recording);
  check_replay(recording, trace, &spec);
  sim_result_clear(&result);
  retime_destroy(recording);
  trace_destroy(trace);
}

static void test_own_gpu(void **state) {
  (void)state;
  struct random_state r = {7};
  for (uint32_t i = 0; i < rounds(CASES); i++)
    check_own_gpu(&r);
}

/* Everything misses; or everything fits, and cores share nothing behind L1 that depends on who comes first. */
static void make_outcomes_fixed(struct random_state *r, struct gpu_spec *spec) {
  spec->l1_enabled = spec->l2_enabled = false;
  spec->line_bytes = 16; /* private memories of work-items are this far apart: lines do not depend on the place */
  spec->access_piece_bytes = PICK(r, 0, 4, 8, 16);
  spec->l1_bytes = spec->l2_bytes = 64 * spec->line_bytes;
  spec->uniform_cache_bytes = 0;
  if (random_below(r, 2)) {
    spec->l1_enabled = true;
    spec->cores = 1;
    spec->dispatch = DISPATCH_ROUND_ROBIN;
    spec->l1_model = CACHE_REUSE_DISTANCE;
    spec->l1_bytes = spec->line_bytes << 20;
    spec->execution_engines = 1;
    spec->work_groups_per_core = 1;
    spec->warp_formation = WARPS_LINEAR;
    spec->warp_size = 64; /* one warp at a time: no order to depend on */
  }
}

static void check_other_gpu(struct random_state *r) {
  struct error error = ERROR_INIT;
  struct retime_recording *recording;
  struct sim_result result;
  struct gpu_spec spec;
  struct trace *trace = random_trace(r, &error);
  random_spec(r, &spec);
  if (random_below(r, 2))
    random_writes(r, &spec);
  make_outcomes_fixed(r, &spec);
  assert_int_equal(retime_record(trace, isa, &spec, 1, &recording, &result, &error), 0);
  assert_non_null(recording);
  random_latencies(r, &spec);
  if (random_below(r, 2))
    random_rates(r, &spec);
  spec.clock_hz *= 2;
  check_replay(recording, trace, &spec);
  sim_result_clear(&result);
  retime_destroy(recording);
  trace_destroy(trace);
}

static void test_other_gpu(void **state) {
  (void)state;
  struct random_state r = {8};
  for (uint32_t i = 0; i < rounds(CASES); i++)
    check_other_gpu(&r);
}

/* Counts of hits and misses of caches that watched are those of a replay with these caches, where the order is fixed.
 */
static void check_other_caches(struct random_state *r) {
  struct error error = ERROR_INIT;
  struct retime_recording *recording;
  struct sim_result result;
  struct gpu_spec specs[12];
  const size_t count = 1 + random_below(r, 12);
  struct trace *trace = random_trace(r, &error);
  random_spec(r, &specs[0]);
  specs[0].cores = specs[0].execution_engines = specs[0].work_groups_per_core = 1;
  specs[0].warp_size = 64;
  specs[0].warp_formation = WARPS_LINEAR;
  specs[0].coalesce = true;
  specs[0].access_item_bytes = specs[0].access_part_bytes = 0; /* watched in order of lines, not of parts */
  if (random_below(r, 2))
    random_writes(r, &specs[0]);
  if (random_below(r, 4) == 0)
    random_rates(r, &specs[0]);
  for (size_t i = 1; i < count; i++) {
    specs[i] = specs[0];
    specs[i].l1_model =
        CACHE_EXACT_SETS; /* fully associative ones see stores a little differently (multi_size_lru.h) */
    specs[i].l2_model = (int)random_below(r, 2);
    specs[i].l1_bytes = specs[i].line_bytes * specs[i].l1_ways * PICK(r, 1, 2, 8, 16);
    specs[i].l2_bytes = specs[i].line_bytes * specs[i].l2_ways * PICK(r, 1, 4, 7, 32);
    specs[i].l1_enabled = random_below(r, 4) > 0;
    random_latencies(r, &specs[i]);
  }
  assert_int_equal(retime_record(trace, isa, specs, count, &recording, &result, &error), 0);
  assert_non_null(recording);
  for (size_t i = 0; i < count && trace_local_size(&trace->header) <= 64; i++)
    check_replay(recording, trace, &specs[i]);
  sim_result_clear(&result);
  retime_destroy(recording);
  trace_destroy(trace);
}

static void test_other_caches(void **state) {
  (void)state;
  struct random_state r = {9};
  for (uint32_t i = 0; i < rounds(CASES); i++)
    check_other_caches(&r);
}

/* Where no core stands for the others, and too few GPUs to interpolate between them, those at once are what each is
 * alone, equal ones among them. */
static void check_many(struct random_state *r) {
  enum { MANY = SURFACE_LEAST - 1 };
  struct error error = ERROR_INIT;
  struct retime_recording *recording;
  struct sim_result result, each, all[MANY];
  struct gpu_spec specs[MANY];
  bool done[MANY];
  struct trace *trace = random_trace(r, &error);
  random_spec(r, &specs[0]);
  specs[0].dispatch = DISPATCH_FIRST_FREE;
  for (size_t i = 1; i < MANY; i++) {
    specs[i] = specs[random_below(r, (uint32_t)i)];
    if (random_below(r, 2))
      specs[i].l1_bytes = specs[i].line_bytes * specs[i].l1_ways * PICK(r, 1, 2, 8, 16);
    if (random_below(r, 2))
      specs[i].l2_bytes = specs[i].line_bytes * specs[i].l2_ways * PICK(r, 1, 4, 7, 32);
    if (random_below(r, 2))
      random_latencies(r, &specs[i]);
    if (random_below(r, 4) == 0)
      random_rates(r, &specs[i]);
  }
  assert_int_equal(retime_record(trace, isa, specs, MANY, &recording, &result, &error), 0);
  assert_non_null(recording);
  retime_all(recording, specs, MANY, all, done);
  for (size_t i = 0; i < MANY; i++) {
    assert_int_equal(retime(recording, &specs[i], &each), done[i]);
    each.approximate = false; /* it is what the other is compared with */
    if (done[i])
      check_same(&all[i], &each);
  }
  sim_result_clear(&result);
  retime_destroy(recording);
  trace_destroy(trace);
}

static void test_many(void **state) {
  (void)state;
  struct random_state r = {10};
  for (uint32_t i = 0; i < rounds(CASES / 4); i++)
    check_many(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_own_gpu), cmocka_unit_test(test_other_gpu),
                                     cmocka_unit_test(test_other_caches), cmocka_unit_test(test_many)};
  return cmocka_run_group_tests(tests, load_isa, free_isa);
}
