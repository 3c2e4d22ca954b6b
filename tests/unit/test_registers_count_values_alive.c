/* Kernels whose registers are known by hand: the trace's header holds the most 32-bit values that are alive at once. */
#include "expect_error.h"

#include "emulate_text.h"
#include "trace/trace.h"

#define IN_OUT                                                                                                         \
  "buffers:\n  X: {type: int, count: 256, init: index}\n  Y: {type: int, count: 256}\n"                                \
  "launches:\n  - {kernel: k, global: 16, local: 4, args: [{buffer: X}, {buffer: Y}]}\n"

static uint32_t registers_of(const char *name, const char *kernel) {
  const struct emulate_options options = {.trace_directory = "registers-traces"};
  struct emulate_text t;
  struct trace *trace = NULL;
  if (emulate_text_run(&t, name, kernel, IN_OUT, &options) ||
      trace_load(t.result.launches[0].trace_path, &trace, &t.error))
    error_print(&t.error, stderr);
  assert_non_null(trace);
  const uint32_t registers = trace->header.registers;
  trace_destroy(trace);
  emulate_text_clear(&t);
  return registers;
}

/* Arguments and constants take none: nothing is ever alive. */
static void a_constant_store_needs_none(void **state) {
  (void)state;
  assert_int_equal(registers_of("none", "kernel void k(global int *x, global int *y) { y[0] = 1; }"), 0);
}

/* Ids and addresses are computed where they are used: at the store the loaded value (1) and an address (2). */
static void a_copy_needs_the_value_and_an_address(void **state) {
  (void)state;
  assert_int_equal(registers_of("copy", "kernel void k(global const int *x, global int *y) {\n"
                                        "  size_t i = get_global_id(0);\n  y[i] = x[i];\n}"),
                   3);
}

/* Behind volatile loads, which may not move, four values wait that are all needed again for the last two products when
 * both results of ^ are there: six. (An address, a constant offset of an argument, dies with its load.) */
static void loads_in_a_row_pile_up(void **state) {
  (void)state;
  assert_int_equal(registers_of("pile", "kernel void k(volatile global const int *x, global int *y) {\n"
                                        "  int a = x[0], b = x[1], c = x[2], d = x[3];\n"
                                        "  y[0] = (a ^ b) * (c ^ d) + a * d + b * c;\n}"),
                   6);
}

/* A vector of four counts four; of sixteen, sixteen. */
static void vectors_count_their_elements(void **state) {
  (void)state;
  assert_int_equal(registers_of("vector4", "kernel void k(global const int4 *x, global int4 *y) { y[0] = x[0]; }"), 4);
  assert_int_equal(registers_of("vector16", "kernel void k(global const int16 *x, global int16 *y) { y[0] = x[0]; }"),
                   16);
}

/* Eight halves fill four registers, bytes a quarter each. */
static void narrow_vectors_are_packed(void **state) {
  (void)state;
  assert_int_equal(registers_of("narrow", "kernel void k(global const short8 *x, global short8 *y) { y[0] = x[0]; }"),
                   4);
  assert_int_equal(registers_of("bytes", "kernel void k(global const char16 *x, global char16 *y) { y[0] = x[0]; }"),
                   4);
}

/* In the loop i and s are there, and an address (2) at the load: 4. A vector that is loaded before the loop
 * and used behind it is alive through the loop (20); s in all places of a vector takes no more than s. */
static void what_a_loop_carries_stays_alive(void **state) {
  (void)state;
  const char *loop = "  int s = 0;\n"
                     "#pragma unroll 1\n"
                     "  for (int i = 0; i < 5; i++) s = (s << 1) ^ ((volatile global const int *)x)[1];\n";
  char without[512], with[512];
  snprintf(without, sizeof without, "kernel void k(global const int *x, global int *y) {\n%s  y[0] = s;\n}", loop);
  snprintf(with, sizeof with,
           "kernel void k(volatile global const int16 *x, global int16 *y) {\n  int16 v = x[2];\n%s  y[0] = v + s;\n}",
           loop);
  assert_int_equal(registers_of("without", without), 4);
  assert_int_equal(registers_of("with", with), 20);
}

/* Four values of local memory are loaded one by one, each when it is needed: two are alive, and the three of the copy
 * before are the most. Of global memory they pile up, as LLVM loads them: three, and the address of the fourth (2). A
 * store between a load and its use holds the load in front of it: four, and the address of the store. */
static void loads_of_local_memory_come_late(void **state) {
  (void)state;
  const char *form =
      "kernel void k(global const int *x, global int *y) {\n  local int t[4];\n"
      "  t[get_local_id(0)] = x[get_local_id(0)];\n  barrier(CLK_LOCAL_MEM_FENCE);\n"
      "  int a = %s[0], b = %s[1], c = %s[2], d = %s[3];\n  %s\n  y[0] = ((a * 3 ^ b) * 5 ^ c) * 7 ^ d;\n}";
  char local[512], global[512], held[512];
  snprintf(local, sizeof local, form, "t", "t", "t", "t", "");
  snprintf(global, sizeof global, form, "x", "x", "x", "x", "");
  snprintf(held, sizeof held, form, "t", "t", "t", "t", "y[1] = 1;");
  assert_int_equal(registers_of("late", local), 3);
  assert_int_equal(registers_of("early", global), 5);
  assert_int_equal(registers_of("held", held), 6);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_constant_store_needs_none),    cmocka_unit_test(a_copy_needs_the_value_and_an_address),
      cmocka_unit_test(loads_in_a_row_pile_up),         cmocka_unit_test(vectors_count_their_elements),
      cmocka_unit_test(narrow_vectors_are_packed),      cmocka_unit_test(what_a_loop_carries_stays_alive),
      cmocka_unit_test(loads_of_local_memory_come_late)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
