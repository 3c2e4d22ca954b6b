/* The code table has the operations that a compiler for GPUs leaves: ids are asked for once, accesses share a base,
 * a*b+c is one operation, and operands that make an operation cheaper are named. */
#include "expect_error.h"

#include <sys/stat.h>

#include "emulate_text.h"
#include "trace/trace.h"

#define LAUNCH                                                                                                         \
  "buffers:\n  A: {type: float, count: 64, init: uniform, high: 100}\n  N: {type: int, count: 64, init: index}\n"      \
  "launches:\n  - {kernel: k, global: 16, local: 8, args: [{buffer: A}, {buffer: N}, {int: 4}]}\n"
#define KERNEL "__kernel void k(__global float *a, __global int *n, int count) {\n  int i = get_global_id(0);\n"

static struct trace *traced(struct emulate_text *t, const char *kernel) {
  const struct emulate_options options = {.trace_directory = "gpu-traces"};
  struct trace *trace = NULL;
  if (emulate_text_run(t, "gpu-operations", kernel, LAUNCH, &options) ||
      trace_load(t->result.launches[0].trace_path, &trace, &t->error))
    error_print(&t->error, stderr);
  assert_non_null(trace);
  return trace;
}

/* Returns how many operations of a class the code table has; with a name, how many of that name. */
static unsigned count(const struct trace *trace, enum trace_op_class op_class, const char *name) {
  unsigned found = 0;
  for (uint32_t i = 0; i < trace->code.op_count; i++) {
    const struct trace_op *op = &trace->code.ops[i];
    const char *own = op->name == TRACE_NO_NAME ? "" : trace->code.names[op->name];
    found += op->op_class == op_class && (!name || strcmp(own, name) == 0);
  }
  return found;
}

static void expect_counts(const char *kernel, enum trace_op_class op_class, const char *name, unsigned expected) {
  struct emulate_text t;
  struct trace *trace = traced(&t, kernel);
  assert_int_equal(count(trace, op_class, name), expected);
  trace_destroy(trace);
  emulate_text_clear(&t);
}

/* The loop's blocks hold no query, though the source has one in each iteration and behind a barrier. */
static void ids_are_asked_for_once(void **state) {
  struct emulate_text t;
  struct trace *trace = traced(&t, KERNEL "  for (int k = 0; k < count; k++) {\n"
                                          "    a[k * 16 + get_global_id(0)] += get_local_id(0);\n"
                                          "    barrier(CLK_GLOBAL_MEM_FENCE);\n"
                                          "    n[i] += get_local_id(0);\n  }\n}\n");
  for (uint32_t b = 1; b < trace->code.block_count; b++)
    for (uint32_t i = 0; i < trace->code.blocks[b].op_count; i++)
      if (trace->code.blocks[b].has_barrier)
        assert_int_not_equal(trace->code.ops[trace->code.blocks[b].first_op + i].op_class, OP_QUERY);
  assert_int_equal(count(trace, OP_QUERY, NULL), 2);
  trace_destroy(trace);
  emulate_text_clear(&t);
  (void)state;
}

/* a[i + 1] and a[i + 2] lie at constants from a[i]: one address is computed, two are offsets of it. */
static void neighbours_share_a_base(void **state) {
  struct emulate_text t;
  struct trace *trace = traced(&t, KERNEL "  a[i + 32] = a[i] + a[i + 1] * a[i + 2];\n}\n");
  assert_int_equal(count(trace, OP_ADDRESS, ""), 1);
  assert_int_equal(count(trace, OP_ADDRESS, "offset"), 3);
  assert_int_equal(count(trace, OP_INT_ADD, NULL), 0);
  trace_destroy(trace);
  emulate_text_clear(&t);
  (void)state;
}

static void an_index_is_extended_for_its_address(void **state) {
  expect_counts(KERNEL "  a[n[i]] = 1;\n}\n", OP_EXTEND, "index", 1);
  (void)state;
}

static void addresses_of_local_memory_are_told_apart(void **state) {
  struct emulate_text t;
  struct trace *trace =
      traced(&t, KERNEL "  __local float tile[64];\n  tile[i] = a[i];\n  a[i] = tile[i] + count;\n}\n");
  unsigned spaces[SPACE_COUNT] = {0};
  for (uint32_t i = 0; i < trace->code.op_count; i++)
    if (trace->code.ops[i].op_class == OP_ADDRESS)
      spaces[trace->code.ops[i].space]++;
  assert_int_equal(spaces[SPACE_GLOBAL], 1);
  assert_int_equal(spaces[SPACE_LOCAL], 1);
  trace_destroy(trace);
  emulate_text_clear(&t);
  (void)state;
}

static void an_integer_multiply_add_is_named(void **state) {
  expect_counts(KERNEL "  n[i] = n[i] * n[i + 16] + count;\n}\n", OP_INT_ADD, "product", 1);
  expect_counts(KERNEL "  int p = n[i] * n[i + 16];\n  n[i] = p + count;\n  n[i + 16] = p;\n}\n", OP_INT_ADD, "product",
                0);
  (void)state;
}

static void divisions_by_constants_are_named(void **state) {
  expect_counts(KERNEL "  n[i] = n[i] / 7 + n[i] % 10;\n}\n", OP_INT_DIV, "constant", 2);
  expect_counts(KERNEL "  n[i] = n[i] / count;\n}\n", OP_INT_DIV, "constant", 0);
  (void)state;
}

/* The results are those of a multiplication and an addition, rounded one after the other. */
static void an_expression_contracts_but_rounds_twice(void **state) {
  static const char *const expression = KERNEL "  a[i] = a[i] * a[i + 16] + a[i + 32];\n}\n";
  struct emulate_text t, apart;
  struct trace *trace = traced(&t, expression);
  assert_int_equal(count(trace, OP_FLOAT_FMA, NULL), 1);
  assert_int_equal(count(trace, OP_FLOAT_MUL, NULL) + count(trace, OP_FLOAT_ADD, NULL), 0);
  trace_destroy(trace);
  char *forbidden = text_format("#pragma OPENCL FP_CONTRACT OFF\n%s", expression);
  trace = traced(&apart, forbidden);
  assert_int_equal(count(trace, OP_FLOAT_FMA, NULL), 0);
  assert_int_equal(count(trace, OP_FLOAT_MUL, NULL) + count(trace, OP_FLOAT_ADD, NULL), 2);
  assert_memory_equal(t.result.buffers[0], apart.result.buffers[0], 64 * sizeof(float));
  trace_destroy(trace);
  emulate_text_clear(&t);
  emulate_text_clear(&apart);
  free(forbidden);
  (void)state;
}

/* The build option does for a whole program what the pragma does for a scope. */
static void an_option_forbids_contraction(void **state) {
  struct emulate_text t;
  const struct emulate_options options = {.trace_directory = "gpu-traces"};
  struct trace *trace = NULL;
  assert_int_equal(emulate_text_run(&t, "apart", KERNEL "  a[i] = a[i] * a[i + 16] + a[i + 32];\n}\n",
                                    "options: \"-ffp-contract=off\"\n" LAUNCH, &options),
                   0);
  assert_int_equal(trace_load(t.result.launches[0].trace_path, &trace, &t.error), 0);
  assert_int_equal(count(trace, OP_FLOAT_FMA, NULL), 0);
  trace_destroy(trace);
  emulate_text_clear(&t);
  (void)state;
}

static void two_statements_do_not_contract(void **state) {
  expect_counts(KERNEL "  float p = a[i] * a[i + 16];\n  a[i] = p + a[i + 32];\n}\n", OP_FLOAT_FMA, NULL, 0);
  expect_counts(KERNEL "  a[i] = a[i] * a[i + 16] - a[i + 32];\n}\n", OP_FLOAT_ADD, "negation", 1);
  (void)state;
}

#define ATOMIC(statements)                                                                                             \
  "__kernel void k(__global int *a, __global int *n, int count) {\n  int i = get_global_id(0);\n" statements "}\n"

/* As NVIDIA's compiler merges them: ptxas 13.0 puts a vote or a reduction of the warp before these, for sm_75, sm_86
 * and sm_90, and not before those of the next two tests. */
static void atomics_at_one_address_are_named(void **state) {
  expect_counts(ATOMIC("  atomic_add(n, i);\n"), OP_ATOMIC, "uniform", 1);
  expect_counts(ATOMIC("  a[i] = atomic_sub(n + count, i);\n"), OP_ATOMIC, "uniform", 1);
  expect_counts(ATOMIC("  atomic_max(n + get_group_id(0), i);\n"), OP_ATOMIC, "uniform", 1);
  expect_counts(ATOMIC("  atomic_or(a + n[3], i);\n"), OP_ATOMIC, "uniform", 1);
  expect_counts(ATOMIC("  for (int k = 0; k < count; k++)\n    atomic_add(a + k * count, i);\n"), OP_ATOMIC, "uniform",
                1);
  expect_counts(ATOMIC("  if (n[i] > 3)\n    atomic_inc(a);\n"), OP_ATOMIC, "uniform", 1);
  expect_counts(
      ATOMIC("  __local int sum;\n  if (get_local_id(0) == 0)\n    sum = 0;\n  barrier(CLK_LOCAL_MEM_FENCE);\n"
             "  atomic_inc(&sum);\n"),
      OP_ATOMIC, "uniform", 1);
  (void)state;
}

static void values_that_cannot_be_put_together_have_no_name(void **state) {
  expect_counts(ATOMIC("  atomic_xchg(n, i);\n"), OP_ATOMIC, "", 1);
  expect_counts(ATOMIC("  atomic_cmpxchg(n, i, 3);\n"), OP_ATOMIC, "", 1);
  expect_counts(ATOMIC("  a[i] = atomic_max(n, i);\n"), OP_ATOMIC, "", 1);
  (void)state;
}

static void addresses_that_may_differ_are_not_uniform(void **state) {
  expect_counts(ATOMIC("  atomic_add(n + (i & count), i);\n"), OP_ATOMIC, "", 1);
  expect_counts(ATOMIC("  atomic_add(a + n[i], 2);\n"), OP_ATOMIC, "", 1);
  expect_counts(ATOMIC("  int at = 0;\n  for (int k = 0; k < count; k++)\n    if (n[k * 16 + i] > 3)\n      at++;\n"
                       "  atomic_add(a + at, i);\n"),
                OP_ATOMIC, "", 1);
  expect_counts(ATOMIC("  int at = 0;\n  while (n[at + i] < count)\n    at++;\n  atomic_add(a + at, i);\n"), OP_ATOMIC,
                "", 1);
  (void)state;
}

static void increments_are_named(void **state) {
  expect_counts(ATOMIC("  atomic_inc(a + (n[i] & 63));\n"), OP_ATOMIC, "increment", 1);
  expect_counts(ATOMIC("  atomic_add(a + (n[i] & 63), 1);\n"), OP_ATOMIC, "increment", 1);
  expect_counts(ATOMIC("  atomic_dec(a + (n[i] & 63));\n"), OP_ATOMIC, "increment", 0);
  expect_counts(ATOMIC("  a[i] = atomic_inc(a + (n[i] & 63));\n"), OP_ATOMIC, "increment", 0);
  (void)state;
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(ids_are_asked_for_once),
      cmocka_unit_test(neighbours_share_a_base),
      cmocka_unit_test(an_index_is_extended_for_its_address),
      cmocka_unit_test(addresses_of_local_memory_are_told_apart),
      cmocka_unit_test(an_integer_multiply_add_is_named),
      cmocka_unit_test(divisions_by_constants_are_named),
      cmocka_unit_test(an_expression_contracts_but_rounds_twice),
      cmocka_unit_test(an_option_forbids_contraction),
      cmocka_unit_test(two_statements_do_not_contract),
      cmocka_unit_test(atomics_at_one_address_are_named),
      cmocka_unit_test(values_that_cannot_be_put_together_have_no_name),
      cmocka_unit_test(addresses_that_may_differ_are_not_uniform),
      cmocka_unit_test(increments_are_named),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
