/* A trace that is read back equals the recorded execution, block by block and address by address, for random
 * executions. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "random_trace.h"
#include "trace/trace.h"
#include "rounds.h"

/* Walks one item through the cursor and compares; also tells how many operations it executed. */
static uint64_t compare_item(const struct trace *trace, const struct trace_group *group, uint32_t item,
                             const struct raw_item *raw) {
  static uint32_t addresses[4096];
  struct trace_cursor cursor;
  uint32_t block;
  size_t blocks = 0, accesses = 0;
  uint64_t operations = 0;
  trace_cursor_init(&cursor, trace, group, item);
  while (trace_cursor_next(&cursor, &block, addresses)) {
    assert_true(blocks < raw->block_count);
    assert_int_equal(block, raw->blocks[blocks++]);
    const struct trace_block *b = &trace->code.blocks[block];
    assert_true(accesses + b->mem_count <= raw->address_count);
    if (b->mem_count)
      assert_memory_equal(addresses, raw->addresses + accesses, b->mem_count * sizeof *addresses);
    accesses += b->mem_count;
    for (uint32_t i = 0; i < b->op_count; i++)
      operations += trace->code.ops[b->first_op + i].op_class != OP_MOVE;
  }
  assert_int_equal(blocks, raw->block_count);
  assert_int_equal(accesses, raw->address_count);
  return operations;
}

static void compare(const struct trace *trace, const struct raw_execution *x) {
  uint64_t operations = 0;
  assert_int_equal(trace->group_count, x->group_count);
  assert_int_equal(trace_local_size(&trace->header), x->local_size);
  for (uint32_t g = 0; g < x->group_count; g++) {
    assert_int_equal(trace->groups[g].id, g);
    for (uint32_t i = 0; i < x->local_size; i++)
      operations += compare_item(trace, &trace->groups[g], i, &x->items[(size_t)g * x->local_size + i]);
  }
  assert_true(operations == trace->work_item_instructions);
}

static void check(const struct random_trace_options *options) {
  struct raw_execution *x = NULL;
  struct trace *trace = NULL;
  struct error error = ERROR_INIT;
  if (random_trace_load(options, &x, &trace, &error) != 0)
    fail_msg("seed %u: %s", options->seed, error.text);
  compare(trace, x);
  trace_destroy(trace);
  raw_execution_destroy(x);
}

static void small_executions(void **state) {
  (void)state;
  for (uint32_t seed = 0; seed < rounds(1500); seed++)
    check(&(struct random_trace_options){.seed = seed, .max_local = 12, .groups = 3});
}

static void addresses_anywhere(void **state) {
  (void)state;
  for (uint32_t seed = 0; seed < rounds(1000); seed++)
    check(&(struct random_trace_options){.seed = 70000 + seed, .max_local = 16, .groups = 4, .extreme = true});
}

static void regular_executions(void **state) {
  (void)state;
  for (uint32_t seed = 0; seed < rounds(300); seed++)
    check(&(struct random_trace_options){
        .seed = 90000 + seed, .max_local = 64, .groups = 8, .extreme = seed % 2, .uniform = true, .regular = true});
}

static void many_groups(void **state) {
  (void)state;
  for (uint32_t seed = 0; seed < 30; seed++)
    check(&(struct random_trace_options){.seed = 110000 + seed, .max_local = 64, .groups = 100});
}

/* Items may be recorded in any order: the file is the same. */
static void order_of_recording_does_not_matter(void **state) {
  (void)state;
  char path[] = "/tmp/trace-order-XXXXXX";
  const int file = mkstemp(path);
  assert_true(file >= 0);
  for (uint32_t seed = 0; seed < rounds(300); seed++) {
    const struct random_trace_options options = {.seed = 130000 + seed, .max_local = 24, .extreme = seed % 2};
    struct raw_execution *x = random_execution(&options);
    struct error error = ERROR_INIT;
    struct trace *trace = NULL;
    if (raw_execution_write(x, path, true, &error) != 0 || trace_load(path, &trace, &error) != 0)
      fail_msg("seed %u: %s", options.seed, error.text);
    compare(trace, x);
    trace_destroy(trace);
    raw_execution_destroy(x);
  }
  remove(path);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(small_executions),
      cmocka_unit_test(addresses_anywhere),
      cmocka_unit_test(regular_executions),
      cmocka_unit_test(many_groups),
      cmocka_unit_test(order_of_recording_does_not_matter),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
