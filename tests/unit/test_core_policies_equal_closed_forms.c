/* Occupancy, dispatch orders, warp formation, schedulers and index hash, on kernels worked out by hand. */
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
#include "model/warp/divergence.h"
#include "model/warp/occupancy.h"
#include "model/policy/scheduler.h"
#include "simulated.h"

static struct line_kernel kernel;

/* One core with one engine, warps of 4, one cycle a slot; a load that misses everything takes 5 + 20 + 100 cycles. */
static struct gpu_spec one_engine(void) {
  struct gpu_spec spec = one_engine_spec();
  spec.threads_per_core = 64;
  return spec;
}

static void test_registers_limit_work_groups(void **state) {
  (void)state;
  struct gpu_spec spec = one_engine();
  struct error error = ERROR_INIT;
  struct sim_result result;
  line_kernel_make(&kernel, &(struct line_kernel_shape){"L", 8, 4, 4, 0, 64});
  assert_int_equal(occupancy_groups(&kernel.trace, &spec), 8);
  spec.registers_per_core = 256;
  assert_int_equal(occupancy_groups(&kernel.trace, &spec), 8); /* the trace does not know its registers */
  kernel.trace.header.registers = 16;                          /* 64 a work-group */
  assert_int_equal(occupancy_groups(&kernel.trace, &spec), 4);
  spec.work_groups_per_core = 2;
  assert_int_equal(occupancy_groups(&kernel.trace, &spec), 2);
  spec.registers_per_core = 64;
  spec.memory = MEMORY_SWITCH_ON_ACCESS;
  assert_true(simulated_cycles(&kernel.trace, &spec) == 8 * (1 + 1 + 125)); /* one after the other */
  spec.registers_per_core = 63;
  assert_int_equal(simulate(&kernel.trace, isa, &spec, &result, &error), -1);
  assert_string_equal(error.key, "registers_per_core");
  assert_non_null(strstr(error.text, "4 work-items with 16 registers"));
}

/* A core with 2,048 registers, warps of 4. */
static void test_compilers_take_more_registers_than_values(void **state) {
  (void)state;
  struct gpu_spec spec = one_engine();
  spec.threads_per_core = 256;
  spec.registers_per_core = 2048;
  line_kernel_make(&kernel, &(struct line_kernel_shape){"L", 64, 4, 4, 0, 64});
  kernel.trace.header.registers = 10;
  assert_int_equal(occupancy_groups(&kernel.trace, &spec), 51); /* 40 registers a work-group */
  spec.register_ratio = 1.35;
  assert_int_equal(occupancy_groups(&kernel.trace, &spec), 36); /* 14 a work-item */
  spec.register_unit = 8;
  assert_int_equal(occupancy_groups(&kernel.trace, &spec), 32); /* 16 */
  kernel.trace.header.registers = 60;                           /* 88: 352 a work-group */
  assert_int_equal(occupancy_groups(&kernel.trace, &spec), 5);
  spec.register_parts = 4; /* one warp of 352 registers in a part of 512 */
  assert_int_equal(occupancy_groups(&kernel.trace, &spec), 4);
  spec.registers_per_item = 64; /* two warps of 256 */
  assert_int_equal(occupancy_groups(&kernel.trace, &spec), 8);
  spec.registers_per_item = 0;
  kernel.trace.header.registers =
      500; /* the work-group is in one part, and the compiler takes no more than there are */
  assert_int_equal(occupancy_groups(&kernel.trace, &spec), 1);
}

/* L1 has what a power of two for the local memory of all work-groups leaves: 64 work-items a core are four
 * work-groups. */
static void test_l1_has_what_the_scratchpad_leaves(void **state) {
  (void)state;
  struct gpu_spec spec = one_engine();
  line_kernel_make(&kernel, &(struct line_kernel_shape){"L", 8, 16, 16, 0, 64});
  kernel.trace.header.local_bytes = 0;
  spec.line_bytes = 64;
  assert_int_equal(occupancy_l1_bytes(&kernel.trace, &spec), spec.l1_bytes);
  spec.local_memory = LOCAL_SCRATCHPAD;
  spec.l1_model = CACHE_REUSE_DISTANCE;
  spec.scratchpad_l1_bytes = 96 << 10;
  spec.scratchpad_bytes = 64 << 10;
  assert_int_equal(occupancy_l1_bytes(&kernel.trace, &spec), 96 << 10); /* no local memory */
  spec.scratchpad_least_bytes = 32 << 10;
  assert_int_equal(occupancy_l1_bytes(&kernel.trace, &spec), 64 << 10);
  kernel.trace.header.local_bytes = 8 << 10; /* 32 KiB */
  assert_int_equal(occupancy_l1_bytes(&kernel.trace, &spec), 64 << 10);
  kernel.trace.header.local_bytes = (8 << 10) + 1;
  assert_int_equal(occupancy_l1_bytes(&kernel.trace, &spec), 32 << 10);
  kernel.trace.header.local_bytes = 60 << 10; /* the scratchpad holds one of four */
  assert_int_equal(occupancy_l1_bytes(&kernel.trace, &spec), 32 << 10);
  spec.l1_model = CACHE_EXACT_SETS;
  spec.l1_ways = 24; /* 512 lines are 21 sets, of which a hash of set numbers needs a power of two */
  spec.l1_index_hash = false;
  assert_int_equal(occupancy_l1_bytes(&kernel.trace, &spec), 21 * 24 * 64);
  spec.l1_index_hash = true;
  assert_int_equal(occupancy_l1_bytes(&kernel.trace, &spec), 16 * 24 * 64);
  kernel.trace.header.local_bytes = 0;
}

/* Half of the values have no register: two of four slots become five. */
static void test_values_without_a_register_are_spilled(void **state) {
  (void)state;
  struct gpu_spec spec = one_engine();
  line_kernel_make(&kernel, &(struct line_kernel_shape){"aaaa", 1, 4, 4, 0, 64});
  kernel.trace.header.registers = 16;
  spec.registers_per_item = 16;
  assert_true(simulated_cycles(&kernel.trace, &spec) == 4);
  spec.registers_per_item = 8;
  assert_true(simulated_cycles(&kernel.trace, &spec) == 4 + 8);
  spec.registers_per_core = 32; /* four work-items of eight */
  assert_int_equal(occupancy_groups(&kernel.trace, &spec), 1);
  spec.local_memory = LOCAL_SCRATCHPAD;
  spec.scratchpad_shares_pipe = true;
  spec.lsu_transactions_per_cycle = 0.25; /* eight passes, four cycles each */
  assert_true(simulated_cycles(&kernel.trace, &spec) == 32);
}

static void test_chunks_are_neighbours(void **state) {
  (void)state;
  struct dispatch_range own = dispatch_orders[DISPATCH_CHUNKED]->own(1, 3, 7); /* 3 + 3 + 1 */
  assert_int_equal(own.next, 3);
  assert_int_equal(own.end, 6);
  own = dispatch_orders[DISPATCH_CHUNKED]->own(2, 3, 7);
  assert_int_equal(dispatch_take(&own), 6);
  assert_int_equal(own.next, own.end);
  own = dispatch_orders[DISPATCH_CHUNKED]->own(9, 10, 2);
  assert_int_equal(own.next, own.end);
  struct gpu_spec spec = one_engine();
  spec.cores = 2;
  line_kernel_make(&kernel, &(struct line_kernel_shape){"L", 4, 4, 4, 0, 32}); /* groups 0, 1 share a line, and 2, 3 */
  spec.dispatch = DISPATCH_ROUND_ROBIN;
  struct sim_result r = simulated(&kernel.trace, &spec);
  assert_int_equal(r.counters.l1_misses, 4);
  sim_result_clear(&r);
  spec.dispatch = DISPATCH_CHUNKED;
  r = simulated(&kernel.trace, &spec);
  assert_int_equal(r.counters.l1_misses, 2);
  sim_result_clear(&r);
}

static void test_warps_per_row(void **state) {
  (void)state;
  struct gpu_spec spec = one_engine();
  line_kernel_make(&kernel, &(struct line_kernel_shape){"aaaaaaaaaa", 1, 12, 0, 0, 0});
  kernel.trace.header.local[0] = 6;
  kernel.trace.header.local[1] = 2;
  assert_true(simulated_cycles(&kernel.trace, &spec) == 3 * 10);
  spec.warp_formation = WARPS_PER_ROW; /* 4 + 2 of each row */
  struct sim_result r = simulated(&kernel.trace, &spec);
  assert_true(r.cycles == 4 * 10);
  assert_true(r.simd_efficiency == 0.75);
  sim_result_clear(&r);
}

/* Two warps of ten slots, a load and ten slots more, on one engine: who goes first after the loads is the scheduler's.
 */
static void test_schedulers(void **state) {
  (void)state;
  struct gpu_spec spec = one_engine();
  spec.memory = MEMORY_SWITCH_ON_ACCESS;
  spec.l1_miss_cycles = spec.l2_miss_cycles = 0;
  line_kernel_make(&kernel, &(struct line_kernel_shape){"aaaaaaaaaLaaaaaaaaaa", 1, 8, 4, 0, 0});
  /* run 0-10, run 10-20, load 20-21, load 21-22, back at 26 and 27, runs 26-36 and 36-46 */
  assert_true(simulated_cycles(&kernel.trace, &spec) == 46);
  spec.scheduler = SCHEDULER_GREEDY_THEN_OLDEST;
  /* run 0-10, its load 10-11 at once, back at 16; the other's run 11-21 and load 21-22; runs 22-32 and 32-42 */
  assert_true(simulated_cycles(&kernel.trace, &spec) == 42);
  spec.scheduler = SCHEDULER_OLDEST;
  /* as before up to 21; the older one's run 21-31 holds up the other's load, 31-32, back at 37; run 37-47 */
  assert_true(simulated_cycles(&kernel.trace, &spec) == 47);
  spec.scheduler = SCHEDULER_ROUND_ROBIN; /* in turn, as by the time of becoming ready */
  assert_true(simulated_cycles(&kernel.trace, &spec) == 46);
}

/* The law of the two-level scheduler: while a warp of the last one's fetch group (eight places) is ready, none of
 * another group is taken; groups and their warps take turns. */
static void test_two_level_stays_in_its_group(void **state) {
  (void)state;
  struct random_state r = {5};
  bool (*prefers)(const struct warp_view *, const struct warp_view *, const struct warp_view *) =
      schedulers[SCHEDULER_TWO_LEVEL]->prefers;
  for (int i = 0; i < 100000; i++) {
    const struct warp_view a = {.place = random_below(&r, 32)}, b = {.place = random_below(&r, 32)},
                           c = {.place = random_below(&r, 32)}, last = {.place = random_below(&r, 32)};
    const uint32_t here = last.place / 8;
    if (a.place / 8 == here && b.place / 8 != here)
      assert_true(prefers(&a, &b, &last) && !prefers(&b, &a, &last));
    if (a.place == (last.place + 1) % 8 + 8 * here && b.place != a.place)
      assert_true(prefers(&a, &b, &last));
    if (a.place != b.place)
      assert_true(prefers(&a, &b, &last) != prefers(&b, &a, &last));
    if (prefers(&a, &b, &last) && prefers(&b, &c, &last))
      assert_true(prefers(&a, &c, &last));
  }
}

/* Lines 0, 4, 8 and 12 of four sets: all in set 0, or with the hash one in each. */
static void test_index_hash_spreads_strides(void **state) {
  (void)state;
  struct gpu_spec spec = one_engine();
  struct error error = ERROR_INIT;
  spec.l1_model = CACHE_EXACT_SETS;
  spec.l1_ways = 1;
  spec.l1_bytes = 4 * 64;
  line_kernel_make(&kernel, &(struct line_kernel_shape){"LL", 1, 4, 256, 0, 0});
  struct sim_result r = simulated(&kernel.trace, &spec);
  assert_int_equal(r.counters.l1_misses, 8);
  sim_result_clear(&r);
  spec.l1_index_hash = true;
  r = simulated(&kernel.trace, &spec);
  assert_int_equal(r.counters.l1_misses, 4);
  sim_result_clear(&r);
  spec.l1_bytes = 3 * 64;
  assert_int_equal(gpu_spec_check(&spec, &error), -1);
  assert_string_equal(error.key, "l1_bytes");
  assert_non_null(strstr(error.text, "l1_index_hash"));
}

/* Every choice of a parameter has a name and a meaning of its own. */
static void test_choices_have_names_and_meanings(void **state) {
  (void)state;
  for (size_t i = 0; i < gpu_params.count; i++) {
    const struct param *row = &gpu_params.list[i];
    for (int a = 0; row->type == PARAM_CHOICE && a <= row->maximum; a++) {
      assert_true(strlen(row->choices[a]) > 0 && strlen(row->choice_meanings[a]) > 10);
      for (int b = 0; b < a; b++) {
        assert_string_not_equal(row->choices[a], row->choices[b]);
        assert_string_not_equal(row->choice_meanings[a], row->choice_meanings[b]);
      }
    }
    if (row->type == PARAM_CHOICE)
      assert_true(!row->choices[(int)row->maximum + 1] && !row->choice_meanings[(int)row->maximum + 1]);
  }
}

/* The tables of policies have an entry for every line of their lists. */
static void test_policies_are_all_there(void **state) {
  (void)state;
  for (unsigned i = 0; i < CHOICE_COUNT(SCHEDULERS); i++)
    assert_non_null(schedulers[i]);
  for (unsigned i = 0; i < CHOICE_COUNT(DISPATCH_ORDERS); i++)
    assert_non_null(dispatch_orders[i]);
  for (unsigned i = 0; i < CHOICE_COUNT(DIVERGENCE_POLICIES); i++)
    assert_true(divergence_policies[i]->start && divergence_policies[i]->select);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_registers_limit_work_groups),
                                     cmocka_unit_test(test_compilers_take_more_registers_than_values),
                                     cmocka_unit_test(test_l1_has_what_the_scratchpad_leaves),
                                     cmocka_unit_test(test_values_without_a_register_are_spilled),
                                     cmocka_unit_test(test_chunks_are_neighbours),
                                     cmocka_unit_test(test_warps_per_row),
                                     cmocka_unit_test(test_schedulers),
                                     cmocka_unit_test(test_two_level_stays_in_its_group),
                                     cmocka_unit_test(test_index_hash_spreads_strides),
                                     cmocka_unit_test(test_choices_have_names_and_meanings),
                                     cmocka_unit_test(test_policies_are_all_there)};
  return cmocka_run_group_tests(tests, load_isa, free_isa);
}
