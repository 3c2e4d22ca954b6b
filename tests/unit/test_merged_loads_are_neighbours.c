/* Loads of local memory that one instruction does, on kernels worked out by hand: how many bytes each load has then.
 * And by a slow reference that looks at each address of each work-item: what was merged lies side by side, aligned, in
 * every execution. */
#include "expect_error.h"

#include "emulate_text.h"
#include "model/isa/merged_loads.h"
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

/* Checks that in each execution of a block the loads that `first` does follow one after the other from its address
 * on. */
static void check_execution(const struct merged_loads *loads, uint32_t block, const uint32_t *addresses) {
  const struct trace_code *code = &loads->code;
  const struct trace_block *b = &code->blocks[block];
  for (uint32_t mem = 0; mem < b->mem_count; mem++) {
    const uint32_t op = code->mem_ops[b->first_mem + mem], bytes = code->ops[op].bytes;
    uint32_t covered = 0;
    if (code->ops[op].space != SPACE_LOCAL || code->ops[op].op_class != OP_LOAD || loads->merged[op])
      continue;
    for (uint32_t other = mem + 1; other < b->mem_count; other++)
      covered += loads->merged[code->mem_ops[b->first_mem + other]] && addresses[other] - addresses[mem] < bytes;
    assert_true(covered == 0 || addresses[mem] % bytes == 0);
    assert_int_equal(bytes, (covered + 1) * 4);
  }
}

static void check_item_by_item(const struct trace *trace, const struct merged_loads *loads) {
  for (uint32_t g = 0; g < trace->group_count; g++)
    for (uint32_t item = 0; item < trace_local_size(&trace->header); item++) {
      struct trace_cursor cursor;
      uint32_t block, addresses[256];
      trace_cursor_init(&cursor, trace, &trace->groups[g], item);
      while (trace_cursor_next(&cursor, &block, addresses))
        check_execution(loads, block, addresses);
    }
}

/* Writes the bytes of the loads of local memory that are left, in order, into `out`. */
static void widths(const char *name, const char *kernel, uint32_t most_bytes, char out[256]) {
  struct trace *trace = trace_of(name, kernel);
  struct merged_loads loads;
  struct error error = ERROR_INIT;
  assert_int_equal(merged_loads_init(&loads, trace, most_bytes, &error), 0);
  out[0] = '\0';
  for (uint32_t i = 0; i < loads.code.op_count; i++) {
    const struct trace_op *op = &loads.code.ops[i];
    if (op->op_class == OP_LOAD && op->space == SPACE_LOCAL && !(loads.merged && loads.merged[i]))
      snprintf(out + strlen(out), 256 - strlen(out), "%s%u", out[0] ? " " : "", op->bytes);
  }
  if (loads.merged)
    check_item_by_item(trace, &loads);
  merged_loads_clear(&loads);
  trace_destroy(trace);
}

#define EXPECT(name, kernel, most, expected)                                                                           \
  do {                                                                                                                 \
    char found[256];                                                                                                   \
    widths(name, kernel, most, found);                                                                                 \
    assert_string_equal(found, expected);                                                                              \
  } while (0)

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

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(neighbours_become_one_load),
                                     cmocka_unit_test(alignment_is_that_of_the_widest_access),
                                     cmocka_unit_test(a_group_begins_where_it_is_aligned),
                                     cmocka_unit_test(what_is_apart_stays_apart),
                                     cmocka_unit_test(a_store_is_between),
                                     cmocka_unit_test(a_merged_load_is_one_access)};
  return cmocka_run_group_tests(tests, load_isa, free_isa);
}
