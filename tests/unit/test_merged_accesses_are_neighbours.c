/* Loads of local memory, and stores to it, that one instruction does, on kernels worked out by hand: how many bytes
 * each of them has then. And by a slow reference that looks at each address of each work-item: what was merged lies
 * side by side, aligned, in every execution. */
#include "expect_error.h"

#include "emulate_text.h"
#include "model/isa/arranged_code.h"
#include "model/simulate.h"
#include "default_spec.h"
#include "with_isa.h"

#define IN_OUT                                                                                                         \
  "buffers:\n  X: {type: float, count: 256, init: index}\n  Y: {type: float, count: 256}\n"                            \
  "launches:\n  - {kernel: k, global: 16, local: 4, args: [{buffer: X}, {buffer: Y}]}\n"
/* `wide` is as wide as the compiler knows local memory to be aligned; t[0] to t[63] are floats behind it. */
#define KERNEL(wide, body)                                                                                             \
  "kernel void k(global const float *x, global float *y) {\n"                                                          \
  "  local " wide " w[4]; local float t[64];\n  const int i = get_local_id(0);\n"                                      \
  "  w[i] = (" wide ")(i);\n  for (int n = 0; n < 16; n++) t[16 * i + n] = x[n + i];\n"                                \
  "  barrier(CLK_LOCAL_MEM_FENCE);\n" body "}\n"
#define SIDE_BY_SIDE "  y[i] = t[16 * i] + t[16 * i + 1] + t[16 * i + 2] + t[16 * i + 3];\n"

static struct trace *trace_of(const char *name, const char *kernel) {
  const struct emulate_options options = {.trace_directory = "merged-traces"};
  struct emulate_text t;
  struct trace *trace = NULL;
  if (emulate_text_run(&t, name, kernel, IN_OUT, &options) ||
      trace_load(t.result.launches[0].trace_path, &trace, &t.error))
    error_print(&t.error, stderr);
  assert_non_null(trace);
  emulate_text_clear(&t);
  return trace;
}

/* ---- the slow reference ---- */

static bool is_local(const struct trace_op *op, uint8_t op_class) {
  return op->space == SPACE_LOCAL && op->op_class == op_class;
}

static uint32_t own_bytes(const struct trace *trace, uint32_t mem) {
  return trace->code.ops[trace->code.mem_ops[mem]].bytes;
}

/* Checks that in each execution of a block the accesses that one does follow one another from its address on. */
static void check_execution(const struct trace *trace, const struct arranged_code *arranged, uint8_t op_class,
                            uint32_t block, const uint32_t *addresses) {
  const struct trace_code *code = &arranged->code;
  const struct trace_block *b = &code->blocks[block];
  for (uint32_t mem = 0; mem < b->mem_count; mem++) {
    const uint32_t op = code->mem_ops[b->first_mem + mem], bytes = code->ops[op].bytes;
    const uint32_t address = addresses[arranged->addresses_of[b->first_mem + mem] - b->first_mem];
    uint32_t covered = 0;
    if (!is_local(&code->ops[op], op_class) || arranged->merged[op])
      continue;
    for (uint32_t i = 0; i < b->mem_count; i++) {
      const uint32_t other = code->mem_ops[b->first_mem + i];
      covered += arranged->merged[other] && is_local(&code->ops[other], op_class) &&
                 addresses[arranged->addresses_of[b->first_mem + i] - b->first_mem] - address < bytes;
    }
    assert_true(covered == 0 || address % bytes == 0);
    assert_int_equal(bytes, (covered + 1) * own_bytes(trace, arranged->addresses_of[b->first_mem + mem]));
  }
}

static void check_item_by_item(const struct trace *trace, const struct arranged_code *arranged, uint8_t op_class) {
  for (uint32_t g = 0; g < trace->group_count; g++)
    for (uint32_t item = 0; item < trace_local_size(&trace->header); item++) {
      struct trace_cursor cursor;
      uint32_t block, addresses[256];
      trace_cursor_init(&cursor, trace, &trace->groups[g], item);
      while (trace_cursor_next(&cursor, &block, addresses))
        check_execution(trace, arranged, op_class, block, addresses);
    }
}

/* Writes the bytes of the loads of local memory, or of the stores to it, that are left, in order, into `out`. */
static void widths(const char *name, const char *kernel, uint8_t op_class, int64_t most_bytes, char out[256]) {
  struct gpu_spec spec = default_spec();
  struct trace *trace = trace_of(name, kernel);
  struct arranged_code arranged;
  struct error error = ERROR_INIT;
  spec.merged_load_bytes = op_class == OP_LOAD ? most_bytes : 0;
  spec.merged_store_bytes = op_class == OP_STORE ? most_bytes : 0;
  assert_int_equal(arranged_code_init(&arranged, trace, &spec, &error), 0);
  out[0] = '\0';
  for (uint32_t i = 0; i < arranged.code.op_count; i++) {
    const struct trace_op *op = &arranged.code.ops[i];
    if (is_local(op, op_class) && !(arranged.merged && arranged.merged[i]))
      snprintf(out + strlen(out), 256 - strlen(out), "%s%u", out[0] ? " " : "", op->bytes);
  }
  if (arranged.merged)
    check_item_by_item(trace, &arranged, op_class);
  arranged_code_clear(&arranged);
  trace_destroy(trace);
}

#define EXPECT_WIDTHS(name, kernel, op_class, most, expected)                                                          \
  do {                                                                                                                 \
    char found[256];                                                                                                   \
    widths(name, kernel, op_class, most, found);                                                                       \
    assert_string_equal(found, expected);                                                                              \
  } while (0)
#define EXPECT(name, kernel, most, expected)        EXPECT_WIDTHS(name, kernel, OP_LOAD, most, expected)
#define EXPECT_STORES(name, kernel, most, expected) EXPECT_WIDTHS(name, kernel, OP_STORE, most, expected)

/* ---- by hand ---- */

static void neighbours_become_one_load(void **state) {
  (void)state;
  EXPECT("four", KERNEL("float4", SIDE_BY_SIDE), 16, "16");
  EXPECT("pairs", KERNEL("float4", SIDE_BY_SIDE), 8, "8 8");
  EXPECT("off", KERNEL("float4", SIDE_BY_SIDE), 0, "4 4 4 4");
}

/* No variable is aligned to more than the widest access needs. */
static void alignment_is_that_of_the_widest_access(void **state) {
  (void)state;
  EXPECT("two", KERNEL("float2", SIDE_BY_SIDE), 16, "8 8");
  EXPECT("one", KERNEL("float", SIDE_BY_SIDE), 16, "4 4 4 4");
}

/* t[1] is not aligned, t[2] to two floats only. */
static void a_group_begins_where_it_is_aligned(void **state) {
  (void)state;
  EXPECT("odd",
         KERNEL("float4", "  y[i] = t[16 * i + 1] + t[16 * i + 2] + t[16 * i + 3] + t[16 * i + 4] + t[16 * i + 5];\n"),
         16, "4 8 8");
}

static void what_is_apart_stays_apart(void **state) {
  (void)state;
  EXPECT("apart", KERNEL("float4", "  y[i] = t[i] + t[i + 16] + t[i + 32];\n"), 16, "4 4 4");
  EXPECT("lanes", KERNEL("float4", "  y[i] = t[2 * i] + t[3 * i + 1];\n"), 16, "4 4");
}

/* A store to local memory may change what the next load finds. */
static void a_store_is_between(void **state) {
  (void)state;
  EXPECT("store",
         KERNEL("float4", "  volatile local float *v = t;\n  float a = v[16 * i];\n  v[16 * i + 9] = a;\n"
                          "  y[i] = a + v[16 * i + 1];\n"),
         16, "4 4");
}

/* One access to the scratchpad instead of four, and no more cycles. */
static void a_merged_load_is_one_access(void **state) {
  (void)state;
  struct trace *trace = trace_of("once", KERNEL("float4", SIDE_BY_SIDE));
  struct gpu_spec spec = default_spec();
  struct sim_result apart, merged;
  struct error error = ERROR_INIT;
  spec.local_memory = LOCAL_SCRATCHPAD;
  spec.memory = MEMORY_DEPENDENCY;
  assert_int_equal(simulate(trace, isa, &spec, &apart, &error), 0);
  spec.merged_load_bytes = 16;
  assert_int_equal(simulate(trace, isa, &spec, &merged, &error), 0);
  const uint64_t warps = 16 / (uint64_t)spec.warp_size;
  assert_int_equal(apart.counters.scratchpad_accesses - merged.counters.scratchpad_accesses, 3 * warps);
  assert_int_equal(apart.work_item_instructions, merged.work_item_instructions);
  assert_true(merged.cycles < apart.cycles);
  sim_result_clear(&apart);
  sim_result_clear(&merged);
  trace_destroy(trace);
}

/* ---- stores ---- */

/* Stores into t, behind one as wide as `wide` into w. */
#define STORES(wide, body)                                                                                             \
  "kernel void k(global const float *x, global float *y) {\n"                                                          \
  "  local " wide " w[4]; local float t[64];\n  const int i = get_local_id(0);\n"                                      \
  "  w[i] = (" wide ")(i);\n" body "  barrier(CLK_LOCAL_MEM_FENCE);\n"                                                 \
  "  y[i] = t[4 * i] + ((local float *)w)[i];\n}\n"
#define FOUR_STORES "  t[4 * i] = x[i]; t[4 * i + 1] = x[i + 9]; t[4 * i + 2] = x[i + 20]; t[4 * i + 3] = x[i + 33];\n"

static void neighbours_become_one_store(void **state) {
  (void)state;
  EXPECT_STORES("stores", STORES("float4", FOUR_STORES), 16, "16 16");
  EXPECT_STORES("store-pairs", STORES("float4", FOUR_STORES), 8, "16 8 8");
  EXPECT_STORES("store-off", STORES("float4", FOUR_STORES), 0, "16 4 4 4 4");
  EXPECT_STORES("store-two", STORES("float2", FOUR_STORES), 16, "8 8 8");
}

/* The compiler does not know that the stores between write other bytes. */
static void an_access_is_between_stores(void **state) {
  (void)state;
  EXPECT_STORES("turns",
                STORES("float4", "  t[4 * i] = x[i]; t[4 * i + 32] = x[i + 9]; t[4 * i + 1] = x[i + 20];\n"
                                 "  t[4 * i + 33] = x[i + 33];\n"),
                16, "16 4 4 4 4");
  EXPECT_STORES("load-between",
                STORES("float4", "  volatile local float *v = t;\n  v[4 * i] = x[i]; float a = v[4 * i];\n"
                                 "  v[4 * i + 1] = a;\n"),
                16, "16 4 4");
}

/* One access to the scratchpad instead of four, which waits for all four values. */
static void a_merged_store_is_one_access(void **state) {
  (void)state;
  struct trace *trace = trace_of("store-once", STORES("float4", FOUR_STORES));
  struct gpu_spec spec = default_spec();
  struct sim_result apart, merged;
  struct error error = ERROR_INIT;
  spec.local_memory = LOCAL_SCRATCHPAD;
  spec.memory = MEMORY_DEPENDENCY;
  assert_int_equal(simulate(trace, isa, &spec, &apart, &error), 0);
  spec.merged_store_bytes = 16;
  assert_int_equal(simulate(trace, isa, &spec, &merged, &error), 0);
  const uint64_t warps = 16 / (uint64_t)spec.warp_size;
  assert_int_equal(apart.counters.scratchpad_accesses - merged.counters.scratchpad_accesses, 3 * warps);
  assert_int_equal(apart.work_item_instructions, merged.work_item_instructions);
  assert_true(merged.cycles < apart.cycles);
  sim_result_clear(&apart);
  sim_result_clear(&merged);
  trace_destroy(trace);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(neighbours_become_one_store),
                                     cmocka_unit_test(an_access_is_between_stores),
                                     cmocka_unit_test(a_merged_store_is_one_access),
                                     cmocka_unit_test(neighbours_become_one_load),
                                     cmocka_unit_test(alignment_is_that_of_the_widest_access),
                                     cmocka_unit_test(a_group_begins_where_it_is_aligned),
                                     cmocka_unit_test(what_is_apart_stays_apart),
                                     cmocka_unit_test(a_store_is_between),
                                     cmocka_unit_test(a_merged_load_is_one_access)};
  return cmocka_run_group_tests(tests, load_isa, free_isa);
}
