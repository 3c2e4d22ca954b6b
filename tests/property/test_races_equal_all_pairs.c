/* The races of random kernels are those that a comparison of all pairs of accesses finds: as many elements, for all
 * accesses and for writes alone. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "trace/statistics/races.h"
#include "random_trace.h"
#include "rounds.h"

#define TRACES 120

struct access {
  uint64_t place; /* memory and element */
  uint32_t group, sub_group, item, phase,
      sub_phase; /* phases: barriers of the work-group, and of the sub-group since */
  uint8_t op_class;
};

struct accesses {
  struct access *list;
  size_t count;
};

/* As the search does, of all of the kernel's accesses. */
static uint32_t element_bytes(const struct trace_code *code, int space) {
  uint32_t least = UINT32_MAX;
  for (uint32_t m = 0; m < code->mem_count; m++) {
    const struct trace_op *op = &code->ops[code->mem_ops[m]];
    const uint32_t bytes = op->bytes / (op->width > 0 ? op->width : 1u);
    if (op->space == space && bytes > 0 && bytes < least)
      least = bytes;
  }
  return least;
}

static void add(struct accesses *all, const uint32_t element_bytes_of[SPACE_COUNT], const struct trace_op *op,
                uint32_t address, struct access access) {
  const uint64_t bytes = element_bytes_of[op->space];
  const uint64_t memory = op->space == SPACE_GLOBAL ? 0 : 1 + (uint64_t)access.group; /* local memory: of the group */
  for (uint64_t e = address / bytes; e <= (address + (uint64_t)op->bytes - 1) / bytes; e++) {
    access.place = memory << 32 | (uint32_t)e;
    assert_true(array_room_for_one(&all->list, all->count, sizeof access));
    all->list[all->count++] = access;
  }
}

static bool has_sub_barrier(const struct trace_code *code, const struct trace_block *block) {
  for (uint32_t i = block->first_op; i < block->first_op + block->op_count; i++)
    if (code->ops[i].name != TRACE_NO_NAME && strcmp(code->names[code->ops[i].name], TRACE_SUB_GROUP_BARRIER) == 0)
      return true;
  return false;
}

static void add_item(struct accesses *all, const struct raw_execution *x, uint32_t group, uint32_t i,
                     uint32_t sub_group, bool writes) {
  const struct raw_item *item = &x->items[(size_t)group * x->local_size + i];
  const uint32_t *address = item->addresses;
  const uint32_t element_bytes_of[SPACE_COUNT] = {
      [SPACE_GLOBAL] = element_bytes(&x->code, SPACE_GLOBAL), [SPACE_LOCAL] = element_bytes(&x->code, SPACE_LOCAL)};
  uint32_t phase = 0, sub_phase = 0;
  for (size_t b = 0; b < item->block_count; b++) {
    const struct trace_block *block = &x->code.blocks[item->blocks[b]];
    for (uint32_t m = 0; m < block->mem_count; m++, address++) {
      const struct trace_op *op = &x->code.ops[x->code.mem_ops[block->first_mem + m]];
      const bool shared = op->space == SPACE_GLOBAL || op->space == SPACE_LOCAL;
      if (shared && op->bytes > 0 && !(writes && op->op_class == OP_LOAD))
        add(all, element_bytes_of, op, *address,
            (struct access){0, group, i / sub_group, i, phase, sub_phase, op->op_class});
    }
    sub_phase += has_sub_barrier(&x->code, block);
    if (block->has_barrier) {
      phase++;
      sub_phase = 0;
    }
  }
}

static bool pair_races(const struct access *a, const struct access *b) {
  if (a->op_class == OP_LOAD && b->op_class == OP_LOAD)
    return false;
  if (a->op_class == OP_ATOMIC && b->op_class == OP_ATOMIC)
    return false;
  if (a->group != b->group)
    return true;
  const bool same_sub_phase = a->sub_group != b->sub_group || a->sub_phase == b->sub_phase;
  return a->item != b->item && a->phase == b->phase && same_sub_phase;
}

static int by_place(const void *a, const void *b) {
  const struct access *x = a, *y = b;
  return (x->place > y->place) - (x->place < y->place);
}

static bool any_pair_races(const struct access *list, size_t count) {
  for (size_t i = 0; i < count; i++)
    for (size_t k = i + 1; k < count; k++)
      if (pair_races(&list[i], &list[k]))
        return true;
  return false;
}

static uint64_t slow_racing_elements(const struct raw_execution *x, uint32_t sub_group, bool writes) {
  struct accesses all = {0};
  uint64_t racing = 0;
  for (uint32_t g = 0; g < x->group_count; g++)
    for (uint32_t i = 0; i < x->local_size; i++)
      add_item(&all, x, g, i, sub_group > 0 ? sub_group : x->local_size, writes);
  if (all.count > 0)
    qsort(all.list, all.count, sizeof *all.list, by_place);
  for (size_t first = 0, end; first < all.count; first = end) {
    for (end = first; end < all.count && all.list[end].place == all.list[first].place;)
      end++;
    racing += any_pair_races(all.list + first, end - first);
  }
  free(all.list);
  return racing;
}

static uint64_t racing_elements(const struct trace *trace, bool writes) {
  const struct trace_race_limits limits = {.memory_bytes = SIZE_MAX, .writes_alone = writes};
  struct trace_race_search *search = trace_races_begin(trace, &limits);
  struct trace_races races;
  struct error error = ERROR_INIT;
  uint64_t elements = 0;
  assert_non_null(search);
  for (uint32_t g = 0; g < trace->group_count; g++)
    assert_int_equal(trace_races_group(search, &trace->groups[g], &error), 0);
  trace_races_end(search, &races);
  for (size_t i = 0; i < races.count; i++)
    elements += races.list[i].elements;
  trace_races_clear(&races);
  return elements;
}

static void test_races_equal_all_pairs(void **state) {
  (void)state;
  uint64_t found[2] = {0, 0};
  for (uint32_t seed = 1; seed <= rounds(TRACES); seed++) {
    const struct random_trace_options options = {.seed = seed, .max_local = 1 + seed % 20};
    struct raw_execution *x;
    struct trace *trace;
    struct error error = ERROR_INIT;
    assert_int_equal(random_trace_load(&options, &x, &trace, &error), 0);
    for (int writes = 0; writes < 2; writes++) {
      const uint64_t elements = racing_elements(trace, writes);
      assert_int_equal(elements, slow_racing_elements(x, trace->header.sub_group, writes));
      found[writes] += elements;
    }
    trace_destroy(trace);
    raw_execution_destroy(x);
  }
  assert_true(found[0] > found[1] && found[1] > 100); /* there was something to find */
}

static void test_search_ends_when_its_blocks_are_spent(void **state) {
  (void)state;
  const struct random_trace_options options = {.seed = 3, .groups = 8};
  const struct trace_race_limits limits = {.memory_bytes = SIZE_MAX, .most_blocks = 1};
  struct trace *trace;
  struct error error = ERROR_INIT;
  assert_int_equal(random_trace_load(&options, NULL, &trace, &error), 0);
  struct trace_race_search *search = trace_races_begin(trace, &limits);
  assert_non_null(search);
  assert_int_equal(trace_races_group(search, &trace->groups[0], &error), 1);
  trace_races_end(search, NULL);
  trace_destroy(trace);
}

static void test_memory_is_limited(void **state) {
  (void)state;
  const struct random_trace_options options = {.seed = 3};
  struct trace *trace;
  struct trace_races races;
  struct error error = ERROR_INIT;
  assert_int_equal(random_trace_load(&options, NULL, &trace, &error), 0);
  assert_int_equal(trace_races_find(trace, 1, &races, &error), -1);
  assert_string_equal(error.text, "looking for races takes more than the 0 MB of memory that are allowed");
  assert_int_equal(races.count, 0);
  trace_destroy(trace);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_races_equal_all_pairs),
                                     cmocka_unit_test(test_search_ends_when_its_blocks_are_spent),
                                     cmocka_unit_test(test_memory_is_limited)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
