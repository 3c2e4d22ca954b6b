/* Functions on 16-bit floats that are not simply the rounded ones on floats: neighbours, directed conversions and moved
 * bits are found by a search among all 65,536 halves or in whole numbers; functions with two results are computed in
 * doubles, which hold them exactly. */
#include "expect_error.h"

#include <math.h>

#include "emulate_text.h"
#include "workload/half.h"

#define COUNT 65536

enum output {
  NEXT,
  NOT_A_NUMBER,
  SELECTED,
  BIT_SELECTED,
  FRACTION,
  WHOLE,
  REST,
  INTEGRAL,
  MANTISSA,
  EXPONENT,
  REMAINDER,
  QUOTIENT,
  LOG_EXPONENT,
  INTEGER_LOG,
  SIGN,
  OUTPUTS
};

static const char *const names[OUTPUTS] = {"nextafter",     "nan",          "select",      "bitselect", "fract",
                                           "fract's floor", "modf",         "modf's part", "frexp",     "its power",
                                           "remquo",        "its quotient", "logb",        "ilogb",     "signbit"};

/* T is half or a vector of neighbours; W, S and I are unsigned short, short and int of the same shape. The second
 * results are stored in private, local and global memory. */
static const char kernels[] =
    "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n"
    "#define JOIN(a, b) a##b\n#define JOINED(a, b) JOIN(a, b)\n"
    "#define BITS(value) JOINED(as_, W)(value)\n#define SHORT(value) JOINED(convert_, W)(value)\n"
    "__kernel void scatter(__global ushort *y, __global ushort *z) {\n"
    "  const uint i = get_global_id(0);\n"
    "  y[i] = i * 40503u + 12345u;\n  z[i] = i * 25717u + 999u;\n}\n"
    "__kernel void halves(__global const W *x, __global const W *y, __global const W *z, __global W *o) {\n"
    "  const size_t i = get_global_id(0), n = get_global_size(0);\n"
    "  const T a = JOINED(as_, T)(x[i]), b = JOINED(as_, T)(y[i]), c = JOINED(as_, T)(z[i]);\n"
    "  __local T in_local[64];\n  __local I number[64];\n  T own;\n  I integer;\n"
    "  const size_t l = get_local_id(0);\n"
    "  o[i] = BITS(nextafter(a, b));\n  o[i + n] = BITS(nan(x[i]));\n"
    "  o[i + 2 * n] = BITS(select(a, b, z[i])) ^ BITS(select(a, c, JOINED(as_, S)(y[i])));\n"
    "  o[i + 3 * n] = BITS(bitselect(a, b, c));\n"
    "  o[i + 4 * n] = BITS(fract(a, &own));\n  o[i + 5 * n] = BITS(own);\n"
    "  o[i + 6 * n] = BITS(modf(a, (__global T *)o + i + 7 * n));\n"
    "  o[i + 8 * n] = BITS(frexp(a, &number[l]));\n  o[i + 9 * n] = SHORT(number[l]);\n"
    "  o[i + 10 * n] = BITS(remquo(a, b, &integer));\n  o[i + 11 * n] = SHORT(integer & 7);\n"
    "  o[i + 12 * n] = BITS(logb(a));\n  o[i + 13 * n] = SHORT(ilogb(a));\n"
    "  o[i + 14 * n] = SHORT(signbit(a) & (S)1);\n"
    "  fract(a, &in_local[l]);\n  o[i + 5 * n] ^= BITS(own) ^ BITS(in_local[l]);\n}\n";

static uint16_t second(uint32_t i) {
  return (uint16_t)(i * 40503u + 12345u);
}

static uint16_t third(uint32_t i) {
  return (uint16_t)(i * 25717u + 999u);
}

static bool is_nan(uint16_t half) {
  return (half & 0x7fff) > 0x7c00;
}

/* Returns the half nearest to `from` among those beyond it in the direction of `to`, by looking at all. */
static uint16_t neighbour(uint16_t from, uint16_t to) {
  const double x = half_to_double(from), y = half_to_double(to);
  uint16_t found = to;
  if (x == y || isnan(x) || isnan(y))
    return isnan(x) || isnan(y) ? 0x7e00 : to;
  for (uint32_t h = 0; h < COUNT; h++) {
    const double value = half_to_double((uint16_t)h), best = half_to_double(found);
    const bool beyond = x < y ? value > x : value < x, nearer = x < y ? value < best : value > best;
    if (beyond && (nearer || (value == best && value == 0 && (h >> 15) == (from >> 15))))
      found = (uint16_t)h;
  }
  return found;
}

/* For vectors the highest bit of each element of the mask decides. */
static uint16_t selected(uint16_t a, uint16_t b, uint16_t mask, bool vector) {
  return (vector ? mask >> 15 : mask != 0) ? b : a;
}

static uint16_t expected_of(enum output output, uint32_t i, bool vector) {
  const uint16_t a = (uint16_t)i, b = second(i), c = third(i);
  const double x = half_to_double(a), y = half_to_double(b);
  double whole;
  int number;
  switch (output) {
  case NOT_A_NUMBER:
    return (uint16_t)(0x7e00 | (a & 0x1ff));
  case SELECTED:
    return selected(a, b, c, vector) ^ selected(a, c, b, vector);
  case BIT_SELECTED:
    return (uint16_t)((a & ~c) | (b & c));
  case FRACTION:
    return isnan(x) ? a : isinf(x) ? 0 : half_from_double(fmin(x - floor(x), 0x1.ffcp-1));
  case WHOLE:
    return half_from_double(floor(x));
  case REST:
    return half_from_double(modf(x, &whole));
  case INTEGRAL:
    modf(x, &whole);
    return half_from_double(whole);
  case MANTISSA:
    return half_from_double(frexp(x, &number));
  case EXPONENT:
    frexp(x, &number);
    return (uint16_t)number;
  case REMAINDER:
    return half_from_double(remquo(x, y, &number));
  case QUOTIENT:
    remquo(x, y, &number);
    return (uint16_t)(number & 7);
  case LOG_EXPONENT:
    return half_from_double(logb(x));
  case INTEGER_LOG:
    return (uint16_t)(isnan(x) ? INT32_MAX : ilogb(x)); /* FP_ILOGBNAN of OpenCL */
  default:
    return a >> 15;
  }
}

/* Returns whether OpenCL leaves this result undefined: the second ones of infinities and NaNs. */
static bool is_open(enum output output, uint32_t i) {
  const bool finite = isfinite(half_to_double((uint16_t)i)), divides = half_to_double(second(i)) != 0;
  return (output == EXPONENT && !finite) ||
         (output == QUOTIENT && (!finite || !divides || !isfinite(half_to_double(second(i))))) ||
         (output == NEXT && i % 127 != 0); /* the search takes long: for some only */
}

static void check(enum output output, uint32_t i, uint16_t found, bool vector) {
  if (is_open(output, i))
    return;
  const uint16_t expected = output == NEXT ? neighbour((uint16_t)i, second(i)) : expected_of(output, i, vector);
  const bool number = output == NOT_A_NUMBER || output == SELECTED || output == BIT_SELECTED || output == EXPONENT;
  if (found != expected && (number || !is_nan(found) || !is_nan(expected)))
    fail_msg("%s of 0x%04x, 0x%04x, 0x%04x: found 0x%04x, expected 0x%04x", names[output], i, second(i), third(i),
             found, expected);
}

static void run(struct emulate_text *t, const char *name, const char *source, const char *form, unsigned outputs,
                unsigned lanes) {
  char *text = text_format(form, COUNT * outputs, COUNT / lanes);
  assert_non_null(text);
  if (emulate_text_run(t, name, source, text, &(struct emulate_options){.quiet = true}))
    fail_msg("%s", t->error.text);
  free(text);
}

static void run_functions(const char *types, unsigned lanes) {
  static const char form[] =
      "buffers:\n  X: {type: ushort, count: 65536, init: index}\n"
      "  Y: {type: ushort, count: 65536}\n  Z: {type: ushort, count: 65536}\n  O: {type: ushort, count: %u}\n"
      "launches:\n  - {kernel: scatter, global: 65536, local: 64, args: [{buffer: Y}, {buffer: Z}]}\n"
      "  - {kernel: halves, global: %u, local: 64, args: [{buffer: X}, {buffer: Y}, {buffer: Z}, {buffer: O}]}\n";
  struct emulate_text t;
  char *source = text_format("%s%s", types, kernels);
  assert_non_null(source);
  run(&t, "functions", source, form, OUTPUTS, lanes);
  const uint16_t *o = t.result.buffers[3];
  for (uint32_t output = 0; output < OUTPUTS; output++)
    for (uint32_t i = 0; i < COUNT; i++)
      check((enum output)output, i, o[output * COUNT + i], lanes > 1);
  emulate_text_clear(&t);
  free(source);
}

static void functions_on_scalars(void **state) {
  (void)state;
  run_functions("#define T half\n#define W ushort\n#define S short\n#define I int\n", 1);
}

static void functions_on_vectors(void **state) {
  (void)state;
  run_functions("#define T half4\n#define W ushort4\n#define S short4\n#define I int4\n", 4);
}

/* ---- conversions ---- */

enum { FROM_FLOAT, FROM_DOUBLE, FROM_INT, SOURCES };
enum { NEAREST, TO_ZERO, UP, DOWN, MODES };

/* A float of any bits; a double at the middle between two halves or close to it; an integer of any size. */
#define FLOAT_BITS(i)    ((i)*65599u)
#define EXPONENT_BITS(i) ((997ul + (i) % 44) << 52)
#define MANTISSA_BITS(i) (((i)*40503ul & 0x3ff) << 42 | 1ul << 41)
#define DOUBLE_BITS(i)                                                                                                 \
  ((EXPONENT_BITS(i) | MANTISSA_BITS(i) | (ulong)((i)&1) << 63) + ((i) / 8 % 3 == 1) - ((i) / 8 % 3 == 2))
#define INTEGER(i) ((int)((i)*2654435761u) >> (i) % 29)

#define TEXT(macro)   QUOTED(macro)
#define QUOTED(words) #words

static const char conversions[] =
    "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n"
    "#define ALL(value) o[i] = as_ushort(convert_half_rte(value)); o[i + n] = as_ushort(convert_half_rtz(value)); "
    "o[i + 2 * n] = as_ushort(convert_half_rtp(value)); o[i + 3 * n] = as_ushort(convert_half_rtn(value)); o += 4 * n\n"
    "__kernel void convert(__global ushort *o) {\n"
    "  const uint i = get_global_id(0), n = get_global_size(0);\n"
    "  ALL(as_float(" TEXT(FLOAT_BITS(i)) "));\n  ALL(as_double(" TEXT(DOUBLE_BITS(i)) "));\n"
                                                                                       "  ALL(" TEXT(
                                                                                           INTEGER(i)) ");\n}\n";

typedef uint64_t ulong; /* as in OpenCL C */

static double source_of(int source, uint32_t i) {
  const uint32_t single_bits = FLOAT_BITS(i);
  const uint64_t bits = DOUBLE_BITS(i);
  float single;
  double value;
  memcpy(&single, &single_bits, sizeof single);
  memcpy(&value, &bits, sizeof value);
  return source == FROM_FLOAT ? (double)single : source == FROM_DOUBLE ? value : (double)INTEGER(i);
}

/* Returns the half to which a number is rounded, by looking at all of them. A zero has the number's sign. */
static uint16_t rounded_by_search(double value, int mode) {
  double below = -HUGE_VAL, above = HUGE_VAL;
  if (mode == NEAREST || isnan(value))
    return half_from_double(value);
  for (uint32_t h = 0; h < COUNT; h++) {
    const double half = half_to_double((uint16_t)h);
    below = half <= value ? fmax(below, half) : below;
    above = half >= value ? fmin(above, half) : above;
  }
  const bool down = mode == DOWN || (mode == TO_ZERO && value > 0);
  return half_from_double(copysign(down ? below : above, value));
}

static void conversions_round_in_every_direction(void **state) {
  (void)state;
  static const char form[] = "buffers:\n  O: {type: ushort, count: %u}\n"
                             "launches:\n  - {kernel: convert, global: %u, local: 64, args: [{buffer: O}]}\n";
  struct emulate_text t;
  run(&t, "conversions", conversions, form, SOURCES * MODES, 1);
  const uint16_t *o = t.result.buffers[0];
  for (int source = 0; source < SOURCES; source++)
    for (int mode = 0; mode < MODES; mode++)
      for (uint32_t i = 0; i < COUNT; i += mode == NEAREST ? 1 : 331) {
        const double value = source_of(source, i);
        const uint16_t found = o[((uint32_t)(source * MODES + mode)) * COUNT + i],
                       expected = rounded_by_search(value, mode);
        if (found != expected && !(is_nan(found) && is_nan(expected)))
          fail_msg("source %d, direction %d of %a: found 0x%04x, expected 0x%04x", source, mode, value, found,
                   expected);
      }
  emulate_text_clear(&t);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(functions_on_scalars), cmocka_unit_test(functions_on_vectors),
                                     cmocka_unit_test(conversions_round_in_every_direction)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
