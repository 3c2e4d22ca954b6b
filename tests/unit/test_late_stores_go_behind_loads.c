/* Stores to local memory that are done behind the loads that follow them, on kernels worked out by hand: the order of
 * the accesses of the block with the stores. That the replay does them in that order is checked by the slow reference
 * (tests/property/test_scheduler_equals_slow_reference.c). */
#include "expect_error.h"

#include "emulate_text.h"
#include "model/isa/arranged_code.h"
#include "model/simulate.h"
#include "default_spec.h"
#include "with_isa.h"

#define IN_OUT                                                                                                         \
  "buffers:\n  X: {type: float, count: 256, init: index}\n  Y: {type: float, count: 256}\n"                            \
  "launches:\n  - {kernel: k, global: 16, local: 4, args: [{buffer: X}, {buffer: Y}]}\n"
#define KERNEL(body)                                                                                                   \
  "kernel void k(global const float *restrict x, global float *restrict y) {\n"                                        \
  "  local float t[64];\n  const int i = get_local_id(0);\n" body "  barrier(CLK_LOCAL_MEM_FENCE);\n"                  \
  "  y[i] = t[i];\n}\n"
#define COPIES                                                                                                         \
  "  t[i] = x[i]; t[i + 4] = x[i + 9]; t[i + 8] = x[i + 20]; t[63 - i] = x[i + 33]; t[63 - i - 20] = x[i];\n"

static struct trace *trace_of(const char *name, const char *kernel) {
  const struct emulate_options options = {.trace_directory = "late-traces"};
  struct emulate_text t;
  struct trace *trace = NULL;
  if (emulate_text_run(&t, name, kernel, IN_OUT, &options) ||
      trace_load(t.result.launches[0].trace_path, &trace, &t.error))
    error_print(&t.error, stderr);
  assert_non_null(trace);
  emulate_text_clear(&t);
  return trace;
}

/* Writes a letter for each access of the first block that accesses memory: g, G a load and a store of global memory, l,
 * L of local memory. */
static void accesses(const char *name, const char *kernel, int64_t registers, char out[64]) {
  struct trace *trace = trace_of(name, kernel);
  struct gpu_spec spec = default_spec();
  struct arranged_code arranged;
  struct error error = ERROR_INIT;
  spec.late_store_registers = registers;
  assert_int_equal(arranged_code_init(&arranged, trace, &spec, &error), 0);
  uint32_t block = 0, count = 0;
  while (arranged.code.blocks[block].mem_count == 0)
    block++;
  for (uint32_t i = 0; i < arranged.code.blocks[block].mem_count; i++) {
    const struct trace_op *op = &arranged.code.ops[arranged.code.mem_ops[arranged.code.blocks[block].first_mem + i]];
    assert_true(count < 63 && (op->space == SPACE_LOCAL || op->space == SPACE_GLOBAL));
    out[count++] = op->space == SPACE_LOCAL  ? (op->op_class == OP_LOAD ? 'l' : 'L')
                   : op->op_class == OP_LOAD ? 'g'
                                             : 'G';
  }
  out[count] = '\0';
  arranged_code_clear(&arranged);
  trace_destroy(trace);
}

#define EXPECT(name, kernel, registers, expected)                                                                      \
  do {                                                                                                                 \
    char found[64];                                                                                                    \
    accesses(name, kernel, registers, found);                                                                          \
    assert_string_equal(found, expected);                                                                              \
  } while (0)

static void loads_go_first(void **state) {
  (void)state;
  EXPECT("all", KERNEL(COPIES), 100, "ggggLLLLL");
  EXPECT("off", KERNEL(COPIES), 0, "gLgLgLgLL");
}

/* The fourth load finds two values that wait; of the third value's store on, the oldest is stored. */
static void registers_limit_the_stores(void **state) {
  (void)state;
  EXPECT("two", KERNEL(COPIES), 2, "gggLgLLLL");
  EXPECT("one", KERNEL(COPIES), 1, "ggLgLgLLL");
}

/* A load of local memory may read what was stored, a store to global memory stays where it is. */
static void other_accesses_are_not_passed(void **state) {
  (void)state;
  EXPECT("local-load",
         KERNEL("  volatile local float *v = t;\n  v[i] = x[i]; float a = v[i];\n  v[i + 4] = x[i + 9] + a;\n"), 100,
         "gLlgL");
  EXPECT("global-store", KERNEL("  t[i] = x[i]; y[i + 64] = 1; t[i + 4] = x[i + 9];\n"), 100, "gLGgL");
}

/* Four loads in flight at a time take less time than one after the other. */
static void late_stores_take_less_time(void **state) {
  (void)state;
  struct trace *trace = trace_of("time", KERNEL(COPIES));
  struct gpu_spec spec = default_spec();
  struct sim_result early, late;
  struct error error = ERROR_INIT;
  spec.memory = MEMORY_DEPENDENCY;
  spec.local_memory = LOCAL_SCRATCHPAD;
  assert_int_equal(simulate(trace, isa, &spec, &early, &error), 0);
  spec.late_store_registers = 100;
  assert_int_equal(simulate(trace, isa, &spec, &late, &error), 0);
  assert_int_equal(early.counters.scratchpad_accesses, late.counters.scratchpad_accesses);
  assert_int_equal(early.counters.l1_accesses, late.counters.l1_accesses);
  assert_int_equal(early.warp_instructions, late.warp_instructions);
  assert_true(late.cycles < early.cycles);
  sim_result_clear(&early);
  sim_result_clear(&late);
  trace_destroy(trace);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(loads_go_first), cmocka_unit_test(registers_limit_the_stores),
                                     cmocka_unit_test(other_accesses_are_not_passed),
                                     cmocka_unit_test(late_stores_take_less_time)};
  return cmocka_run_group_tests(tests, load_isa, free_isa);
}
