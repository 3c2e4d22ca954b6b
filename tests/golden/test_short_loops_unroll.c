/* Loops of a constant count become straight code where a compiler for GPUs unrolls them (tracegen/lower/unroll.c), so
 * that private arrays become registers; other loops stay. */
#include "expect_error.h"

#include "emulate_text.h"
#include "trace/trace.h"

#define LAUNCH                                                                                                         \
  "buffers:\n  A: {type: float, count: 4096, init: uniform, high: 100}\n  O: {type: float, count: 8192}\n"             \
  "launches:\n  - {kernel: k, global: 16, local: 8, args: [{buffer: A}, {buffer: O}, {int: 3}]}\n"
#define KERNEL "kernel void k(global const float *a, global float *o, int m) {\n  const int id = get_global_id(0);\n"

struct found {
  unsigned global_loads, private_accesses, barriers, backward; /* backward: branches to the same or an earlier block */
};

static struct found find(const struct trace_code *code) {
  struct found found = {0};
  for (uint32_t i = 0; i < code->op_count; i++) {
    const struct trace_op *op = &code->ops[i];
    const bool access = op->op_class == OP_LOAD || op->op_class == OP_STORE;
    found.global_loads += op->op_class == OP_LOAD && op->space == SPACE_GLOBAL;
    found.private_accesses += access && op->space == SPACE_PRIVATE;
  }
  for (uint32_t b = 0; b < code->block_count; b++) {
    const struct trace_block *block = &code->blocks[b];
    found.barriers += block->has_barrier;
    for (uint32_t s = 0; s < block->successor_count; s++)
      found.backward += code->successors[block->first_successor + s] <= b;
  }
  return found;
}

static struct found traced(const char *body) {
  const struct emulate_options options = {.trace_directory = "unroll-traces"};
  struct emulate_text t;
  struct trace *trace = NULL;
  char *kernel = text_format(KERNEL "%s}\n", body);
  assert_non_null(kernel);
  if (emulate_text_run(&t, "short-loops", kernel, LAUNCH, &options) ||
      trace_load(t.result.launches[0].trace_path, &trace, &t.error))
    error_print(&t.error, stderr);
  assert_non_null(trace);
  const struct found found = find(&trace->code);
  trace_destroy(trace);
  emulate_text_clear(&t);
  free(kernel);
  return found;
}

static struct found sum_of(unsigned count, const char *pragma) {
  char *body = text_format("  float s = 0;\n%s  for (int i = 0; i < %u; i++)\n    s += a[i * m + id];\n  o[id] = s;\n",
                           pragma, count);
  const struct found found = traced(body);
  free(body);
  return found;
}

/* nvcc 13.0 copies this loop 96 times and not 128 times. */
static void a_short_sum_has_no_loop(void **state) {
  (void)state;
  const struct found found = sum_of(32, "");
  assert_int_equal(found.global_loads, 32);
  assert_int_equal(found.backward, 0);
}

static void a_long_sum_stays_a_loop(void **state) {
  (void)state;
  const struct found found = sum_of(128, "");
  assert_int_equal(found.global_loads, 1);
  assert_int_equal(found.backward, 1);
}

static void the_source_can_forbid_it(void **state) {
  (void)state;
  assert_int_equal(sum_of(8, "  #pragma unroll 1\n").backward, 1);
}

static void a_count_from_an_argument_stays_a_loop(void **state) {
  (void)state;
  const struct found found = traced("  float s = 0;\n  for (int i = 0; i < m; i++)\n    s += a[i];\n  o[id] = s;\n");
  assert_int_equal(found.global_loads, 1);
  assert_int_equal(found.backward, 1);
}

/* Four sums of a work-item in an array: the loop over m is the only one, and the sums are in registers. */
static void sums_of_a_work_item_are_in_registers(void **state) {
  (void)state;
  const struct found found =
      traced("  float s[4] = {0, 0, 0, 0};\n  for (int q = 0; q < m; q++)\n    for (int w = 0; w < 4; w++)\n"
             "      s[w] += a[q * 64 + w * 16 + id];\n"
             "  for (int w = 0; w < 4; w++)\n    o[w * 16 + id] = s[w];\n");
  assert_int_equal(found.private_accesses, 0);
  assert_int_equal(found.global_loads, 4);
  assert_int_equal(found.backward, 1);
}

static struct found array_of(unsigned count) {
  char *body = text_format("  float s[%u];\n  for (int i = 0; i < %u; i++)\n    s[i] = a[i + id];\n"
                           "  for (int q = 0; q < m; q++)\n    for (int i = 0; i < %u; i++)\n"
                           "      s[i] = s[i] * s[i] + a[q];\n"
                           "  for (int i = 0; i < %u; i++)\n    o[i * 16 + id] = s[i];\n",
                           count, count, count, count);
  const struct found found = traced(body);
  free(body);
  return found;
}

/* 256 copies are more than any other loop gets; nvcc 13.0 unrolls 256 and not 384 copies of this one. */
static void longer_loops_unroll_for_a_private_array(void **state) {
  (void)state;
  assert_int_equal(array_of(256).private_accesses, 0);
  assert_true(array_of(500).private_accesses > 0);
}

/* An index that the data decide keeps the array in memory. */
static void an_array_with_an_index_from_memory_stays(void **state) {
  (void)state;
  const struct found found =
      traced("  float s[8];\n  for (int i = 0; i < 8; i++)\n    s[i] = 0;\n"
             "  for (int q = 0; q < m; q++)\n    s[(int)a[q] & 7] += 1;\n"
             "  float all = 0;\n  for (int i = 0; i < 8; i++)\n    all += s[i] * i;\n  o[id] = all;\n");
  assert_true(found.private_accesses > 0);
  assert_int_equal(found.backward, 1);
}

static void barriers_are_copied(void **state) {
  (void)state;
  const struct found found = traced("  for (int i = 0; i < 4; i++) {\n    o[id] += a[i];\n"
                                    "    barrier(CLK_GLOBAL_MEM_FENCE);\n  }\n");
  assert_int_equal(found.barriers, 4);
  assert_int_equal(found.backward, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_short_sum_has_no_loop),
      cmocka_unit_test(a_long_sum_stays_a_loop),
      cmocka_unit_test(the_source_can_forbid_it),
      cmocka_unit_test(a_count_from_an_argument_stays_a_loop),
      cmocka_unit_test(sums_of_a_work_item_are_in_registers),
      cmocka_unit_test(longer_loops_unroll_for_a_private_array),
      cmocka_unit_test(an_array_with_an_index_from_memory_stays),
      cmocka_unit_test(barriers_are_copied),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
