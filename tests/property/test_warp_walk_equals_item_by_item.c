/* For every warp size and both divergence policies, both ways to form warps, with and without events at first uses, the
 * model's walk of a warp (loop counters, affine streams, strands) tells the same events as running its work-items one
 * by one from trace cursors. The order in which it issues the operations of a block is that of the slow reference, with
 * any budget and number of copies, and every operation follows the values that it uses. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "default_spec.h"
#include "model/isa/issue_order.h"
#include "model/warp/warp.h"
#include "random_trace.h"
#include "reference_warp.h"
#include "rounds.h"
#include "with_isa.h"

#define TRACES       400
#define ORDERS       400
#define MOST_COPIES  8
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
  uint32_t early_load_bytes, unroll;
};

/* Operations are ordered for a budget of 0 to 60 bytes and loops unrolled up to 8 times where uses are events. */
static void walk_open(struct walk *walk, const struct random_trace_options *options, bool uses) {
  const uint32_t how = (uint32_t)options->seed;
  *walk = (struct walk){.early_load_bytes = uses ? 4 * (how % 16) : 0, .unroll = 1u << how % 4};
  const struct price_rules rules = {.uses = uses, .early_load_bytes = walk->early_load_bytes, .unroll = walk->unroll};
  struct error error = ERROR_INIT;
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
  if (walk->uses)
    assert_int_equal(warp_use(warp), expected->use);
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
    if (!warp->at)
      assert_int_equal(warp->item_slots, expected->item_slots);
    else
      assert_int_equal(warp->slots * warp->count, expected->item_slots);
  } else if (expected->kind == REFERENCE_BARRIER || expected->kind == REFERENCE_USE) {
    assert_int_equal(event, expected->kind == REFERENCE_USE ? WARP_USE : WARP_BARRIER);
    assert_int_equal(warp->op, expected->op);
    assert_true(event == WARP_BARRIER || warp_use(warp) == expected->use);
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
  spec.early_load_bytes = walk->early_load_bytes;
  spec.unroll = walk->unroll;
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

/* ---- the order of issue ---- */

/* Returns the place of an operation in the order. */
static uint32_t place_of(const struct issue_order *order, uint32_t count, uint32_t op, uint32_t copy) {
  for (uint32_t i = 0; i < count; i++)
    if (order->ops[i].op == op && order->ops[i].copy == copy)
      return i;
  fail_msg("operation %u of copy %u is missing", op, copy);
  return 0;
}

static void check_operands_come_first(const struct issue_order *order, const struct trace_block *block,
                                      uint32_t count) {
  const struct trace_code *code = order->code;
  for (uint32_t i = 0; i < count; i++) {
    const struct issued_op x = order->ops[i];
    for (uint32_t k = x.op ? code->operand_end[x.op - 1] : 0; k < code->operand_end[x.op]; k++) {
      const uint32_t operand = code->operands[k];
      if (operand >= block->first_op && operand < x.op)
        assert_true(place_of(order, count, operand, x.copy) < i);
      else if (operand >= x.op && operand < block->first_op + block->op_count && x.copy > 0)
        assert_true(place_of(order, count, operand, x.copy - 1) < i);
    }
  }
}

static void check_order(uint32_t seed) {
  struct random_state r = {seed};
  const struct random_trace_options options = {.seed = seed};
  struct raw_execution *x = random_execution(&options);
  const uint32_t budget = 4 * random_below(&r, 20), copies = 1 + random_below(&r, MOST_COPIES);
  struct issue_order order;
  struct error error = ERROR_INIT;
  assert_int_equal(issue_order_init(&order, &x->code, budget, MOST_COPIES, &error), 0);
  for (uint32_t b = 0; b < x->code.block_count; b++) {
    const struct trace_block *block = &x->code.blocks[b];
    const uint32_t count = issue_order_of(&order, block, copies);
    struct reference_issued *want = reference_issue_order(&x->code, block, copies, budget);
    assert_int_equal(count, copies * block->op_count);
    for (uint32_t i = 0; i < count; i++) {
      assert_int_equal(order.ops[i].op, want[i].op);
      assert_int_equal(order.ops[i].copy, want[i].copy);
    }
    check_operands_come_first(&order, block, count);
    free(want);
  }
  issue_order_clear(&order);
  raw_execution_destroy(x);
}

static void test_order_equals_reference(void **state) {
  (void)state;
  for (uint32_t seed = 1; seed <= rounds(ORDERS); seed++)
    check_order(seed);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_walk_equals_item_by_item),
                                     cmocka_unit_test(test_order_equals_reference)};
  return cmocka_run_group_tests(tests, load_isa, free_isa);
}
