/* A mechanism that is turned off is not there: whatever its other parameters say, every number of the result stays, on
 * random kernels. (That what is left is right, test_scheduler_equals_slow_reference checks with every mechanism off in
 * some of its cases.) And each of these parameters matters on some kernel while its mechanism is on. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "model/params/ablation.h"
#include "model/simulate.h"
#include "default_spec.h"
#include "random_trace.h"
#include "rounds.h"
#include "with_isa.h"

#define CASES 140

static void turn_registers_on(struct gpu_spec *spec) {
  spec->registers_per_core = 1 << 12;
  spec->register_ratio = 1.35;
  spec->register_unit = 8;
  spec->register_parts = 2;
  spec->scratchpad_bytes = 0; /* any number of work-groups */
}

/* A small GPU with every mechanism on. */
static struct gpu_spec all_on(void) {
  struct gpu_spec spec = default_spec();
  spec.cores = 2;
  spec.execution_engines = 2;
  spec.threads_per_core = 128;
  spec.dispatch = DISPATCH_ROUND_ROBIN;
  spec.scheduler = SCHEDULER_OLDEST;
  spec.warp_formation = WARPS_PER_ROW;
  spec.memory = MEMORY_DEPENDENCY;
  spec.warp_accesses_in_flight = 2;
  spec.core_accesses_in_flight = 6;
  turn_registers_on(&spec);
  spec.l1_model = spec.l2_model = CACHE_EXACT_SETS;
  spec.l1_bytes = 1024;
  spec.l2_bytes = 4096;
  spec.l1_ways = spec.l2_ways = 2;
  spec.l1_index_hash = spec.l2_index_hash = true;
  spec.texture_cache_bytes = spec.depth_cache_bytes = spec.vertex_cache_bytes = 1024;
  spec.texture_cache_ways = spec.depth_cache_ways = spec.vertex_cache_ways = 2;
  spec.issue = ISSUE_BUNDLES;
  spec.local_memory = LOCAL_SCRATCHPAD;
  spec.uniform_loads = UNIFORM_ANY;
  spec.instruction_cache_bytes = 512;
  spec.lsu_transactions_per_cycle = 0.5;
  spec.l1_l2_bytes_per_cycle = 32;
  spec.l1_mshrs = spec.l2_mshrs = 3;
  spec.l2_slices = 2;
  spec.l2_bytes_per_cycle = 24;
  spec.dram_bytes_per_cycle = 16;
  spec.dram_banks = 2;
  spec.dram_row_bytes = 256;
  spec.dram_row_miss_cycles = 7;
  spec.l2_atomic_rounds_per_cycle = 0.1;
  spec.l2_atomic_units = 3;
  spec.atomic_round_bytes = 16;
  spec.merge_atomics = spec.scratchpad_counts = true;
  spec.tlb_entries = 2;
  spec.l2_tlb_entries = 4;
  spec.page_bytes = 1024;
  spec.lsu_tlb_entries = 2;
  spec.barrier_cycles = 3;
  spec.launch_cycles = 50;
  spec.work_group_cycles = 5;
  return spec;
}

static void shake(const struct mechanism *m, struct random_state *r, struct gpu_spec *spec) {
  for (int k = 0; k < MECHANISM_MOST_KEYS && m->only[k]; k++) {
    const struct param *row = params_find(&gpu_params, m->only[k]);
    double value = row->default_value > 0 ? row->default_value * (1u << random_below(r, 3)) : random_below(r, 12);
    if (row->type == PARAM_BOOL || row->type == PARAM_CHOICE)
      value = random_below(r, row->type == PARAM_BOOL ? 2 : (uint32_t)row->maximum + 1);
    assert_int_equal(params_set_number(row, spec, value, NULL), 0);
  }
}

static bool same(const struct sim_result *a, const struct sim_result *b) {
  return a->cycles == b->cycles && a->counters.l1_accesses == b->counters.l1_accesses &&
         a->counters.l1_misses == b->counters.l1_misses && a->counters.l2_accesses == b->counters.l2_accesses &&
         a->counters.l2_misses == b->counters.l2_misses && a->line_count == b->line_count &&
         memcmp(&a->stack, &b->stack, sizeof a->stack) == 0 &&
         memcmp(a->core_stacks, b->core_stacks, a->core_count * sizeof *a->core_stacks) == 0 &&
         memcmp(a->lines, b->lines, a->line_count * sizeof *a->lines) == 0;
}

static bool changes_result(const struct trace *trace, const struct gpu_spec *spec, const struct gpu_spec *other) {
  struct sim_result a, b;
  assert_int_equal(simulate(trace, isa, spec, &a, NULL), 0);
  assert_int_equal(simulate(trace, isa, other, &b, NULL), 0);
  const bool changed = !same(&a, &b);
  sim_result_clear(&a);
  sim_result_clear(&b);
  return changed;
}

static bool *matters; /* [mechanism_count]: its parameters do when it is on */

static void check_mechanism(size_t number, const struct trace *trace, uint32_t seed) {
  const struct mechanism *m = &mechanisms[number];
  struct random_state r = {seed + number};
  const struct gpu_spec full = all_on();
  struct gpu_spec on = full, off = full, off_shaken;
  shake(m, &r, &on);
  mechanism_turn_off(m, &off);
  off_shaken = off;
  r = (struct random_state){seed + number};
  shake(m, &r, &off_shaken);
  mechanism_turn_off(m, &off_shaken);
  if (changes_result(trace, &off, &off_shaken))
    fail_msg("seed %u: parameters of %s matter while it is off", seed, m->name);
  matters[number] |= changes_result(trace, &full, &on);
}

static void test_off_is_absent(void **state) {
  (void)state;
  matters = calloc(mechanism_count, sizeof *matters);
  for (uint32_t seed = 1; seed <= rounds(CASES); seed++) {
    struct random_trace_options options = {.seed = seed, .max_local = 32, .groups = 6, .uniform = seed % 3 == 0};
    struct trace *trace;
    assert_int_equal(random_trace_load(&options, NULL, &trace, NULL), 0);
    for (size_t i = 0; i < mechanism_count; i++)
      if (mechanisms[i].only[0])
        check_mechanism(i, trace, seed);
    trace_destroy(trace);
  }
  /* unified_l1 stays off: its sizes have to fit those of the scratchpad, which are drawn without regard to them. That
   * its parameters matter is shown by unit/core_policies_equal_closed_forms. */
  const struct gpu_spec full = all_on();
  for (size_t i = 0; i < mechanism_count; i++)
    if (mechanisms[i].only[0] && mechanism_is_used(&mechanisms[i], &full) && !matters[i])
      fail_msg("%s: its parameters never mattered", mechanisms[i].name);
  free(matters);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_off_is_absent)};
  return cmocka_run_group_tests(tests, load_isa, free_isa);
}
