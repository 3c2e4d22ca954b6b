/* Operations of SPIR-V on 16-bit floats, and operations with RelaxedPrecision on 32-bit floats under mediump as half,
 * give what the same steps give in C, each rounded to a half. The shaders are built here, one for each row of a table;
 * the emulator runs them on pseudo-random numbers. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <math.h>
#include <spirv/unified1/GLSL.std.450.h>
#include <spirv/unified1/spirv.h>

#include "emulate_text.h"
#include "half_shaders.h"
#include "graphics/spirv/shader_source.h"
#include "graphics/tile/tile_code.h"
#include "trace/trace.h"
#include "workload/half.h"

#define ITEMS 512

/* Numbers of the shader. */

static double rounded(double value) {
  return half_to_double(half_from_double(value));
}

/* Input word `slot` of a work-item, as the kernel that fills the inputs computes it: in [-4, 4). */
static float input_of(uint32_t item, uint32_t slot) {
  const uint32_t word = (item * 12 + slot + 1) * 2654435761u;
  return (float)(word >> 8) * (8.0f / 16777216) - 4;
}

static double component(uint32_t item, unsigned vector, unsigned k) {
  return rounded(input_of(item, 4 * vector + k));
}

static double dot_of(const double a[4], const double b[4]) {
  double sum = rounded(a[0] * b[0]);
  for (int k = 1; k < 4; k++)
    sum = rounded(sum + rounded(a[k] * b[k]));
  return sum;
}

static double function_of(uint32_t number, double a, double b, double c) {
  switch (number) {
  case GLSLstd450Sqrt:
    return sqrt(a);
  case GLSLstd450FAbs:
    return fabs(a);
  case GLSLstd450Floor:
    return floor(a);
  case GLSLstd450Ceil:
    return ceil(a);
  case GLSLstd450Trunc:
    return trunc(a);
  case GLSLstd450RoundEven:
    return nearbyint(a);
  case GLSLstd450Fract:
    return a - floor(a);
  case GLSLstd450FSign:
    return (a > 0) - (a < 0);
  case GLSLstd450FMin:
    return fmin(a, b);
  case GLSLstd450FMax:
    return fmax(a, b);
  case GLSLstd450FClamp:
    return fmin(fmax(a, b), c);
  case GLSLstd450FMix:
    return rounded(a * rounded(1 - c)) + rounded(b * c);
  case GLSLstd450Step:
    return b < a ? 0 : 1;
  case GLSLstd450Fma:
    return a * b + c; /* a double holds it */
  case GLSLstd450Sin:
    return sin(a);
  case GLSLstd450Cos:
    return cos(a);
  case GLSLstd450Exp2:
    return exp2(a);
  case GLSLstd450Log2:
    return log2(a);
  case GLSLstd450Atan2:
    return atan2(a, b);
  default:
    return 1 / rounded(sqrt(a));
  }
}

static double plain_of(uint16_t opcode, double a, double b) {
  switch (opcode) {
  case SpvOpFAdd:
    return a + b;
  case SpvOpFSub:
    return a - b;
  case SpvOpFMul:
    return a * b;
  case SpvOpFDiv:
    return a / b;
  case SpvOpFNegate:
    return -a;
  case SpvOpFOrdLessThan:
    return a < b;
  case SpvOpFOrdGreaterThanEqual:
    return a >= b;
  default:
    return a != b;
  }
}

static double scalar_of(const struct half_operation *o, const double a[4], const double b[4]) {
  double difference[4];
  for (int k = 0; k < 4; k++)
    difference[k] = rounded(a[k] - b[k]);
  if (o->opcode == SpvOpDot)
    return dot_of(a, b);
  return sqrt(o->number == GLSLstd450Length ? dot_of(a, a) : dot_of(difference, difference));
}

static double expected_of(const struct half_operation *o, uint32_t item, unsigned k) {
  double v[3][4];
  for (unsigned i = 0; i < 12; i++)
    v[i / 4][i % 4] = component(item, i / 4, i % 4);
  const double a = v[0][k], b = v[1][k], c = v[2][k];
  switch (o->shape) {
  case SCALED:
    return rounded(a * v[1][1]);
  case TO_SCALAR:
    return rounded(scalar_of(o, v[0], v[1]));
  case COMPARED:
    return plain_of(o->opcode, a, b) != 0 ? a : b;
  case TO_INTEGER:
    return trunc(a);
  case MIXED:
    return rounded(rounded(a * b) + c);
  case STORED:
    return rounded(rounded(rounded(a * b) + c) + rounded(a * b));
  case WIDENED:
    return rounded(rounded(rounded(a * b) * rounded(a * b)) + c); /* a float holds the square */
  case REPEATED: {
    double sum = c;
    for (int n = 0; n < 5; n++)
      sum = rounded(sum + rounded(a * b));
    return sum;
  }
  default:
    return rounded(o->opcode == SpvOpExtInst ? function_of(o->number, a, b, c) : plain_of(o->opcode, a, b));
  }
}

/* Translation and execution. */

static char *translate(const struct half_module *m, bool mediump_half, bool *has_halves) {
  const struct shader_request request = {.words = m->words,
                                         .word_count = m->count,
                                         .entry = "main",
                                         .is_fragment = true,
                                         .target_count = 1,
                                         .mediump_half = mediump_half};
  struct shader_source source;
  struct error error = ERROR_INIT;
  if (shader_source_create(&request, &source, &error))
    fail_msg("%s", error.text);
  assert_int_equal(source.input_count, 12);
  assert_int_equal(source.output_count, 4);
  if (has_halves)
    *has_halves = source.has_halves;
  return source.text;
}

static unsigned count_conversions(const struct trace_op *ops, uint32_t count) {
  unsigned conversions = 0;
  for (uint32_t i = 0; i < count; i++)
    conversions += ops[i].op_class == OP_CONVERT;
  return conversions;
}

/* On a GPU the units for inputs and outputs convert: those conversions are not left, others are. */
static void check_units(const struct half_operation *o, const struct trace *trace) {
  const uint32_t count = trace->code.op_count;
  struct trace_op *ops = malloc(count * sizeof *ops);
  struct error error = ERROR_INIT;
  assert_non_null(ops);
  memcpy(ops, trace->code.ops, count * sizeof *ops);
  assert_true(count_conversions(ops, count) >= 2);
  assert_int_equal(tile_code_rewrite(trace, ops, &error), 0);
  const unsigned left = count_conversions(ops, count);
  const bool is_float = o->shape == STORED; /* a load without RelaxedPrecision makes a float, the sum a half of it */
  if (left != (o->shape == TO_INTEGER || o->shape == WIDENED ? 2 : 0) && !(is_float && left == 2))
    fail_msg("%s: %u conversions are left", o->name, left);
  free(ops);
}

/* Returns the operations of the trace that have halves as results or operands, without conversions and moves. */
static unsigned count_halves(const struct half_operation *o, const char *path) {
  struct trace *trace;
  struct error error = ERROR_INIT;
  unsigned count = 0;
  if (trace_load(path, &trace, &error))
    fail_msg("%s", error.text);
  for (uint32_t i = 0; i < trace->code.op_count; i++) {
    const struct trace_op *op = &trace->code.ops[i];
    count +=
        op->type == TYPE_F16 && op->op_class != OP_CONVERT && op->op_class != OP_SHUFFLE && op->op_class != OP_MOVE;
  }
  check_units(o, trace);
  trace_destroy(trace);
  return count;
}

static void compare(const struct half_operation *o, const float *out, const char *what) {
  for (uint32_t item = 0; item < ITEMS; item++)
    for (unsigned k = 0; k < 4; k++) {
      const double expected = expected_of(o, item, k), found = (double)out[item * 5 + k];
      const double ulp = fmax(ldexp(1, ilogb(expected == 0 || !isfinite(expected) ? 1 : expected) - 10), 0x1p-24);
      if (isnan(expected)   ? !isnan(found)
          : isinf(expected) ? found != expected
                            : fabs(found - expected) > o->ulps * ulp)
        fail_msg("%s, %s, item %u component %u: found %a, expected %a", o->name, what, item, k, found, expected);
    }
}

/* Runs the shader on the inputs and compares; returns the operations on halves of its trace. */
static unsigned run(const struct half_operation *o, const char *shader, const char *what) {
  static const char fill[] =
      "\nkernel void fill(global uint *words) {\n  const uint i = get_global_id(0);\n"
      "  words[i] = as_uint((float)(((i + 1) * 2654435761u) >> 8) * (8.0f / 16777216) - 4);\n}\n";
  static const char body[] =
      "buffers:\n  inputs-0: {type: uint, count: 6144}\n  outputs-0: {type: uint, count: 2560}\n"
      "  P: {type: uchar, count: 4}\n"
      "launches:\n  - {kernel: fill, global: 6144, local: 64, args: [{buffer: inputs-0}]}\n"
      "  - {kernel: shader, global: 512, local: 64, args: [{buffer: inputs-0}, {buffer: outputs-0}, {buffer: P}]}\n";
  const struct emulate_options options = {.trace_directory = "."};
  struct emulate_text t;
  char *text = text_format("%s%s", shader, fill);
  assert_non_null(text);
  if (emulate_text_run(&t, "shader", text, body, &options))
    fail_msg("%s, %s: %s\n%s", o->name, what, t.error.text, text);
  compare(o, t.result.buffers[1], what);
  const unsigned count = count_halves(o, t.result.launches[1].trace_path);
  emulate_text_clear(&t);
  free(text);
  return count;
}

static void explicit_halves_equal_those_of_c(void **state) {
  (void)state;
  for (size_t i = 0; i < half_operation_count; i++) {
    struct half_module m;
    half_module_build(&m, &half_operations[i], true, false);
    char *text = translate(&m, false, NULL);
    const unsigned count = run(&half_operations[i], text, "16-bit floats");
    assert_true(count > 0 || half_operations[i].shape == TO_INTEGER); /* it has conversions only */
    free(text);
  }
}

/* Relaxed operations are halves where this is asked for; else the shader is that without decorations. */
static void relaxed_operations_equal_halves_of_c(void **state) {
  (void)state;
  for (size_t i = 0; i < half_operation_count; i++) {
    const struct half_operation *o = &half_operations[i];
    struct half_module relaxed, exact;
    bool has_halves;
    if (o->shape == WIDENED)
      continue;
    half_module_build(&relaxed, o, false, true);
    half_module_build(&exact, o, false, false);
    char *as_float = translate(&relaxed, false, &has_halves), *plain = translate(&exact, true, NULL);
    assert_false(has_halves);
    assert_string_equal(as_float, plain);
    free(as_float);
    free(plain);
    if (o->shape == COMPARED || o->shape == TO_INTEGER) /* a comparison of inputs has no relaxed result */
      continue;
    char *as_half = translate(&relaxed, true, &has_halves);
    assert_true(has_halves);
    assert_true(run(o, as_half, "mediump as half") > 0);
    free(as_half);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(explicit_halves_equal_those_of_c),
                                     cmocka_unit_test(relaxed_operations_equal_halves_of_c)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
