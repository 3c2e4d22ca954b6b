/* Counts that are taken from folded paths and shapes (blocks, ways between them, classes, memory, pages, barriers,
 * warps that run apart) equal what one finds by going through every work-item's blocks and addresses one by one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "trace/statistics/statistics.h"
#include "random_trace.h"
#include "rounds.h"

#define TRACES 300

struct slow {
  uint64_t blocks[1024], ways[1024], operations[OP_CLASS_COUNT], spaces[SPACE_COUNT];
  unsigned char pages[1 << 20];
  uint64_t page_count;
};

static void slow_touch(struct slow *slow, const struct trace_op *op, uint32_t address) {
  slow->spaces[op->space]++;
  if (op->space != SPACE_GLOBAL && op->space != SPACE_CONSTANT)
    return;
  for (uint32_t byte = address; byte < address + op->bytes; byte++) {
    slow->page_count += !slow->pages[byte / 4096];
    slow->pages[byte / 4096] = 1;
  }
}

static void slow_way(struct slow *slow, const struct trace_code *code, uint32_t from, uint32_t to) {
  const struct trace_block *block = &code->blocks[from];
  for (uint32_t s = block->first_successor; s < block->first_successor + block->successor_count; s++)
    if (code->successors[s] == to) {
      slow->ways[s]++;
      return;
    }
  fail_msg("no way from %u to %u", from, to);
}

static void slow_item(struct slow *slow, const struct raw_execution *x, const struct raw_item *item) {
  const uint32_t *address = item->addresses;
  for (size_t i = 0; i < item->block_count; i++) {
    const struct trace_block *block = &x->code.blocks[item->blocks[i]];
    slow->blocks[item->blocks[i]]++;
    if (i > 0)
      slow_way(slow, &x->code, item->blocks[i - 1], item->blocks[i]);
    for (uint32_t o = 0; o < block->op_count; o++)
      slow->operations[x->code.ops[block->first_op + o].op_class]++;
    for (uint32_t m = 0; m < block->mem_count; m++)
      slow_touch(slow, &x->code.ops[x->code.mem_ops[block->first_mem + m]], *address++);
  }
}

static bool same_path(const struct raw_item *a, const struct raw_item *b) {
  return a->block_count == b->block_count && memcmp(a->blocks, b->blocks, a->block_count * sizeof *a->blocks) == 0;
}

static uint64_t slow_divergent(const struct raw_execution *x, uint32_t warp_size, uint64_t *warps) {
  uint64_t divergent = 0;
  *warps = 0;
  for (uint32_t g = 0; g < x->group_count; g++) {
    const struct raw_item *items = &x->items[(size_t)g * x->local_size];
    bool apart = false;
    for (uint32_t i = 0; i < x->local_size; i++) {
      const uint32_t first = i / warp_size * warp_size;
      apart = i != first && (apart || !same_path(&items[i], &items[first]));
      if (i + 1 == x->local_size || (i + 1) % warp_size == 0) {
        *warps += 1;
        divergent += apart;
      }
    }
  }
  return divergent;
}

/* By the first work-item of each group. */
static uint64_t slow_barriers(const struct raw_execution *x) {
  uint64_t count = 0;
  for (uint32_t g = 0; g < x->group_count; g++) {
    const struct raw_item *item = &x->items[(size_t)g * x->local_size];
    for (size_t i = 0; i < item->block_count; i++)
      count += x->code.blocks[item->blocks[i]].has_barrier;
  }
  return count;
}

static void check_summary(const struct trace *trace, const struct trace_summary *summary, const struct slow *slow) {
  for (uint32_t b = 0; b < trace->code.block_count; b++)
    assert_int_equal(summary->blocks[b], slow->blocks[b]);
  for (uint32_t s = 0; s < trace->code.successor_count; s++)
    assert_int_equal(summary->edges[s], slow->ways[s]);
  for (int c = 0; c < OP_CLASS_COUNT; c++)
    assert_int_equal(summary->operations[c], slow->operations[c]);
}

static void check_statistics(const struct raw_execution *x, const struct statistics *found, const struct slow *slow) {
  uint64_t warps, instructions = 0, blocks = 0;
  for (int c = 0; c < OP_CLASS_COUNT; c++)
    instructions += c != OP_MOVE ? slow->operations[c] : 0;
  for (uint32_t b = 0; b < x->code.block_count; b++)
    blocks += slow->blocks[b];
  assert_int_equal(found->instructions, instructions);
  assert_int_equal(found->arithmetic, slow->operations[OP_INT_ADD] + slow->operations[OP_FLOAT_FMA] +
                                          slow->operations[OP_MATH]); /* all that random kernels have */
  assert_int_equal(found->control_flow, slow->operations[OP_BRANCH]);
  assert_int_equal(found->barriers, slow->operations[OP_BARRIER]);
  assert_int_equal(found->global_memory, slow->spaces[SPACE_GLOBAL]);
  assert_int_equal(found->constant_memory, slow->spaces[SPACE_CONSTANT]);
  assert_int_equal(found->local_memory, slow->spaces[SPACE_LOCAL]);
  assert_int_equal(found->private_memory, slow->spaces[SPACE_PRIVATE]);
  assert_int_equal(found->pages_touched, slow->page_count);
  assert_int_equal(found->blocks, blocks);
  assert_int_equal(found->work_groups, x->group_count);
  assert_int_equal(found->work_items, (uint64_t)x->group_count * x->local_size);
  assert_int_equal(found->barriers_hit, slow_barriers(x));
  assert_int_equal(found->divergent_warps, slow_divergent(x, found->warp_size, &warps));
  assert_int_equal(found->warps, warps);
  assert_true(found->divergence_percentage == 100.0 * (double)found->divergent_warps / (double)warps);
}

static uint64_t check_trace(uint32_t seed) {
  const struct random_trace_options options = {.seed = seed, .max_local = 1 + seed % 70, .uniform = seed % 5 == 0};
  static const uint32_t sizes[] = {1, 2, 4, 7, 8, 32, 64, 1024};
  struct raw_execution *x;
  struct trace *trace;
  struct trace_summary summary;
  struct statistics statistics;
  struct error error = ERROR_INIT;
  uint64_t divergent = 0;
  struct slow *slow = calloc(1, sizeof *slow);
  assert_non_null(slow);
  assert_int_equal(random_trace_load(&options, &x, &trace, &error), 0);
  assert_true(x->code.block_count <= 1024 && x->code.successor_count <= 1024);
  for (size_t i = 0; i < (size_t)x->group_count * x->local_size; i++)
    slow_item(slow, x, &x->items[i]);
  assert_int_equal(trace_summary_compute(trace, &summary, &error), 0);
  check_summary(trace, &summary, slow);
  for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
    statistics_compute(trace, &summary, sizes[i], &statistics);
    check_statistics(x, &statistics, slow);
    assert_true(sizes[i] > 1 || statistics.divergent_warps == 0);
    divergent += statistics.divergent_warps;
  }
  trace_summary_clear(&summary);
  trace_destroy(trace);
  raw_execution_destroy(x);
  free(slow);
  return divergent;
}

static void test_statistics_equal_item_by_item(void **state) {
  (void)state;
  uint64_t divergent = 0;
  for (uint32_t seed = 1; seed <= rounds(TRACES); seed++)
    divergent += check_trace(seed);
  assert_true(divergent > 1000); /* there was something to find */
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_statistics_equal_item_by_item)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
