/* For every warp size and both divergence policies, both ways to form warps, with and without events at first uses, the
 * model's walk of a warp (loop counters, affine streams, strands) tells the same events as running its work-items one
 * by one from trace cursors. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "default_spec.h"
#include "model/warp/warp.h"
#include "random_trace.h"
#include "reference_warp.h"
#include "rounds.h"
#include "with_isa.h"

#define TRACES       400
#define LOCAL_BASE   (UINT64_C(1) << 40)
#define PRIVATE_BASE (UINT64_C(1) << 50)
#define PRIVATE_STEP 4096

/* A trace and all that a walk of it needs. */
struct walk {
  struct trace *trace;
  struct price_list prices;
  struct warp_program *programs;
  struct warp_counts counts;
  struct warp_context context;
  bool uses; /* first uses of loaded values are events */
};

static void walk_open(struct walk *walk, const struct random_trace_options *options, bool uses) {
  const struct price_rules rules = {.uses = uses};
  struct error error = ERROR_INIT;
  *walk = (struct walk){0};
  assert_int_equal(random_trace_load(options, NULL, &walk->trace, &error), 0);
  assert_int_equal(price_list_init(&walk->prices, &walk->trace->code, isa, &rules, &error), 0);
  walk->uses = uses;
  assert_int_equal(warp_counts_init(&walk->counts, walk->trace, &error), 0);
  walk->programs = calloc(walk->trace->path_count, sizeof *walk->programs);
  walk->context = (struct warp_context){
      .trace = walk->trace, .prices = &walk->prices, .programs = walk->programs, .counts = &walk->counts};
  for (uint32_t i = 0; i < walk->trace->path_count; i++) {
    const struct trace_path *path = walk->trace->paths[i];
    assert_int_equal(warp_program_init(&walk->programs[i], &walk->trace->code, &walk->prices, path, &error), 0);
    if (walk->programs[i].depth > walk->context.depth)
      walk->context.depth = walk->programs[i].depth;
  }
}

static void walk_close(struct walk *walk) {
  for (uint32_t i = 0; i < walk->trace->path_count; i++)
    warp_program_clear(&walk->programs[i]);
  free(walk->programs);
  warp_counts_clear(&walk->counts);
  price_list_clear(&walk->prices);
  trace_destroy(walk->trace);
}

static uint64_t place(const struct trace_op *op, uint32_t lane, uint32_t address) {
  if (op->space == SPACE_LOCAL)
    return LOCAL_BASE + address;
  return op->space == SPACE_PRIVATE ? PRIVATE_BASE + (uint64_t)lane * PRIVATE_STEP + address : address;
}

static int compare(const void *a, const void *b) {
  uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  return (x > y) - (x < y);
}

static void check_access(const struct warp *warp, const struct walk *walk, const struct reference_event *expected) {
  const struct trace_op *op = &walk->trace->code.ops[expected->op];
  struct lane_addresses lanes;
  uint64_t want[64], got[64];
  warp_addresses(warp, &walk->context, &lanes);
  assert_int_equal(warp->op, expected->op);
  assert_int_equal(lanes.count, expected->lane_count);
  assert_int_equal(lanes.bytes, op->bytes);
  for (uint32_t i = 0; i < lanes.count; i++) {
    want[i] = place(op, expected->lane[i], expected->address[i]);
    got[i] = lanes.affine ? lanes.first + (uint64_t)(lanes.stride * i) : lanes.address[i];
  }
  qsort(want, lanes.count, sizeof *want, compare);
  qsort(got, lanes.count, sizeof *got, compare);
  assert_memory_equal(want, got, lanes.count * sizeof *want);
}

static void check_event(struct warp *warp, const struct walk *walk, const struct reference_event *expected) {
  enum warp_event event = warp_next(warp, &walk->context);
  if (expected->kind == REFERENCE_RUN) {
    assert_int_equal(event, WARP_RUN);
    assert_int_equal(warp->slots, expected->slots);
    if (warp->divergent)
      assert_int_equal(warp->item_slots, expected->item_slots);
    else
      assert_int_equal(warp->slots * warp->count, expected->item_slots);
  } else if (expected->kind == REFERENCE_BARRIER || expected->kind == REFERENCE_USE) {
    assert_int_equal(event, expected->kind == REFERENCE_USE ? WARP_USE : WARP_BARRIER);
    assert_int_equal(warp->op, expected->op);
  } else {
    assert_int_equal(event, WARP_ACCESS);
    check_access(warp, walk, expected);
  }
}

static void check_warp(const struct walk *walk, uint32_t group, uint32_t index, const struct gpu_spec *spec) {
  struct reference_warp reference;
  uint32_t counters[PROGRAM_MAX_DEPTH];
  void *memory = malloc(warp_divergent_bytes((uint32_t)spec->warp_size, walk->context.depth));
  struct warp warp = {
      .counters = counters, .local_base = LOCAL_BASE, .private_base = PRIVATE_BASE, .private_stride = PRIVATE_STEP};
  reference_warp_read(&reference, walk->trace, isa, &walk->trace->groups[group], index, spec);
  warp_place(&warp, &walk->trace->header, spec, index);
  assert_int_equal(warp.count, reference.items);
  warp_start(&warp, &walk->context, &walk->trace->groups[group], memory);
  for (uint32_t i = 0; i < reference.event_count; i++)
    check_event(&warp, walk, &reference.events[i]);
  assert_int_equal(warp_next(&warp, &walk->context), WARP_DONE);
  reference_warp_clear(&reference);
  free(memory);
}

static void check_trace(struct walk *walk, uint32_t warp_size, int policy, int formation) {
  struct gpu_spec spec = default_spec();
  spec.warp_size = warp_size;
  spec.divergence = (int)policy;
  spec.warp_formation = (int)formation;
  spec.memory = walk->uses ? MEMORY_DEPENDENCY : MEMORY_BLOCKING;
  walk->context.policy = divergence_policies[policy];
  assert_int_equal(warp_count_in_group(&walk->trace->header, &spec), reference_warp_count(walk->trace, &spec));
  for (uint32_t g = 0; g < walk->trace->group_count; g++)
    for (uint32_t w = 0; w < warp_count_in_group(&walk->trace->header, &spec); w++)
      check_warp(walk, g, w, &spec);
}

static void test_walk_equals_item_by_item(void **state) {
  (void)state;
  for (uint32_t seed = 1; seed <= rounds(TRACES); seed++) {
    struct random_trace_options options = {.seed = seed,
                                           .max_local = seed % 4 == 0 ? 96 : 24,
                                           .groups = 2,
                                           .extreme = seed % 7 == 0,
                                           .uniform = seed % 3 == 0,
                                           .regular = seed % 5 == 0};
    struct walk walk;
    walk_open(&walk, &options, seed / 2 % 2);
    check_trace(&walk, 1 + seed % 64, (int)(seed & 1), (int)(seed / 4 % 2));
    check_trace(&walk, 4, (int)(~seed & 1), (int)(seed / 8 % 2));
    walk_close(&walk);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_walk_equals_item_by_item)};
  return cmocka_run_group_tests(tests, load_isa, free_isa);
}
