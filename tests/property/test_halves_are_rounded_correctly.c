/* Each operation on 16-bit floats in a kernel gives the half that is nearest to the exact result, ties to even. The
 * reference computes in whole numbers and doubles, for all bits of one operand and scattered ones of the others.
 * Conversions are compared with workload/half.h. */
#include "expect_error.h"

#include <math.h>

#include "emulate_text.h"
#include "tracegen/abi/half_calls.h"
#include "workload/half.h"

#define COUNT 65536

static uint16_t second(uint32_t i) {
  return (uint16_t)(i * 40503u + 12345u);
}

static uint16_t third(uint32_t i) {
  return (uint16_t)(i * 25717u + 999u);
}

static bool is_nan(uint16_t half) {
  return (half & 0x7fff) > 0x7c00;
}

static void check(const char *operation, uint32_t i, uint16_t found, uint16_t expected) {
  if (found != expected && !(is_nan(found) && is_nan(expected)))
    fail_msg("%s of 0x%04x, 0x%04x, 0x%04x: found 0x%04x, expected 0x%04x", operation, i, second(i), third(i), found,
             expected);
}

/* The bits of a double lie in an integer of the same size. */
static uint64_t double_bits(double value) {
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}

static uint32_t float_bits(float value) {
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}

static void check_conversions(double value) {
  const float single = (float)value;
  const uint16_t from_double = half_rounded_from(double_bits(value)), from_float = half_rounded(float_bits(single));
  if (from_double != half_from_double(value) || from_float != half_from_double(single))
    fail_msg("%a: found 0x%04x and 0x%04x, expected 0x%04x and 0x%04x", value, from_double, from_float,
             half_from_double(value), half_from_double(single));
}

/* All halves, the numbers half way between neighbours, and the doubles and floats next to those. */
static void conversions_round_to_nearest_even(void **state) {
  (void)state;
  for (uint32_t i = 0; i < COUNT; i++) {
    const double value = half_to_double((uint16_t)i), above = half_to_double((uint16_t)(i + 1));
    const double middle = (i & 0x7fff) == 0x7bff ? copysign(65520, value) : value + (above - value) / 2;
    float extended;
    const uint32_t bits = half_extended((uint16_t)i);
    memcpy(&extended, &bits, sizeof extended);
    if (isnan(value)) {
      assert_true(isnan(extended) && (signbit(extended) != 0) == (i >= 0x8000));
      continue;
    }
    assert_true(double_bits(extended) == double_bits(value));
    check_conversions(value);
    if (!isfinite(middle))
      continue;
    check_conversions(middle);
    check_conversions(nextafter(middle, HUGE_VAL));
    check_conversions(nextafter(middle, -HUGE_VAL));
    check_conversions(nextafterf((float)middle, HUGE_VALF));
    check_conversions(nextafterf((float)middle, -HUGE_VALF));
  }
  for (int power = -1074; power < 1024; power++)
    check_conversions(ldexp(1.2345678901234567, power));
  check_conversions(HUGE_VAL);
  check_conversions(-HUGE_VAL);
}

__extension__ typedef __int128 wide;

/* Returns a finite half in units of 2^-24. */
static wide in_units(uint16_t half) {
  return (wide)ldexp(half_to_double(half), 24);
}

/* Returns the half nearest to a * b + c, all finite. */
static uint16_t fused(uint16_t a, uint16_t b, uint16_t c) {
  const wide exact = in_units(a) * in_units(b) + in_units(c) * ((wide)1 << 24); /* in units of 2^-48 */
  const double near = (double)exact;
  const wide rest = exact - (wide)near; /* what the double has lost; its sign decides where the double is half way */
  if (exact == 0)
    return half_from_double(half_to_double(a) * half_to_double(b) + half_to_double(c));
  const double scaled = ldexp(near, -48);
  const uint16_t half = half_from_double(scaled);
  return rest == 0 ? half : half_from_double(nextafter(scaled, rest > 0 ? HUGE_VAL : -HUGE_VAL));
}

/* The exact results of sums and products of halves are doubles; of quotients and roots a double has enough digits for
 * a second rounding. */
static uint16_t expected_of(int operation, uint32_t i) {
  const double a = half_to_double((uint16_t)i), b = half_to_double(second(i)), c = half_to_double(third(i));
  switch (operation) {
  case 0:
    return half_from_double(a + b);
  case 1:
    return half_from_double(a - b);
  case 2:
    return half_from_double(a * b);
  case 3:
    return half_from_double(a / b);
  case 4:
    return half_from_double(sqrt(a));
  case 5:
    return isfinite(a) && isfinite(b) && isfinite(c) ? fused((uint16_t)i, second(i), third(i))
                                                     : half_from_double(a * b + c);
  case 6:
    return half_from_double(half_to_double(half_from_double(a * b)) + c);
  case 7:
    return half_from_double(fmin(a, b));
  case 8:
    return half_from_double(fmax(a, b));
  case 9:
    return half_from_double(floor(a));
  case 10:
    return half_from_double(rint(a));
  case 11:
    return (uint16_t)((a < b) + 2 * (a == b) + 4 * (a >= b) + 8 * (isnan(a) != 0) + 16 * (isinf(b) != 0));
  case 12:
    return half_from_double((double)(int)(i * 77u % 200000u) - 100000);
  default:
    return isnan(a) ? 0 : a > 32767 ? 32767 : a < -32768 ? (uint16_t)-32768 : (uint16_t)(int)a;
  }
}

static const char *const names[] = {"a + b", "a - b", "a * b", "a / b", "sqrt(a)",     "fma(a, b, c)", "a * b + c",
                                    "fmin",  "fmax",  "floor", "rint",  "comparisons", "from int",     "to short"};
#define OPERATIONS (sizeof names / sizeof *names)

/* The kernel on numbers of type T, half or a vector of neighbours; W, S and I are unsigned short, short and int of the
 * same shape. */
static const char kernels[] =
    "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n"
    "#pragma OPENCL FP_CONTRACT OFF\n"
    "#define JOIN(a, b) a##b\n#define JOINED(a, b) JOIN(a, b)\n#define JOINED3(a, b, c) JOINED(JOINED(a, b), c)\n"
    "#define BITS(value) JOINED(as_, W)(value)\n#define TRUTH(value, bit) JOINED(convert_, W)((value) & (S)(bit))\n"
    "__kernel void scatter(__global ushort *y, __global ushort *z) {\n"
    "  const uint i = get_global_id(0);\n"
    "  y[i] = i * 40503u + 12345u;\n  z[i] = i * 25717u + 999u;\n}\n"
    "__kernel void halves(__global const W *x, __global const W *y, __global const W *z, __global W *o) {\n"
    "  const size_t i = get_global_id(0), n = get_global_size(0);\n"
    "  const T a = JOINED(as_, T)(x[i]), b = JOINED(as_, T)(y[i]), c = JOINED(as_, T)(z[i]);\n"
    "  o[i] = BITS(a + b);\n  o[i + n] = BITS(a - b);\n  o[i + 2 * n] = BITS(a * b);\n"
    "  o[i + 3 * n] = BITS(a / b);\n  o[i + 4 * n] = BITS(sqrt(a));\n  o[i + 5 * n] = BITS(fma(a, b, c));\n"
    "  o[i + 6 * n] = BITS(a * b + c);\n  o[i + 7 * n] = BITS(fmin(a, b));\n  o[i + 8 * n] = BITS(fmax(a, b));\n"
    "  o[i + 9 * n] = BITS(floor(a));\n  o[i + 10 * n] = BITS(rint(a));\n"
    "  o[i + 11 * n] = TRUTH(a < b, 1) + TRUTH(a == b, 1) * (W)2 + TRUTH(a >= b, 1) * (W)4 + TRUTH(isnan(a), 1) * (W)8 "
    "+\n"
    "                  TRUTH(isinf(b), 1) * (W)16;\n"
    "  o[i + 12 * n] = BITS(JOINED(convert_, T)(JOINED(convert_, I)(x[i]) * 77 % 200000 - 100000));\n"
    "  o[i + 13 * n] = BITS(JOINED3(convert_, S, _sat)(a));\n}\n";

static void run_kernel(const char *types, unsigned lanes) {
  static const char form[] =
      "buffers:\n  X: {type: ushort, count: 65536, init: index}\n"
      "  Y: {type: ushort, count: 65536}\n  Z: {type: ushort, count: 65536}\n  O: {type: ushort, count: %u}\n"
      "launches:\n  - {kernel: scatter, global: 65536, local: 64, args: [{buffer: Y}, {buffer: Z}]}\n"
      "  - {kernel: halves, global: %u, local: 64, args: [{buffer: X}, {buffer: Y}, {buffer: Z}, {buffer: O}]}\n";
  struct emulate_text t;
  const struct emulate_options options = {0};
  char *text = text_format(form, COUNT * (unsigned)OPERATIONS, COUNT / lanes);
  char *source = text_format("%s%s", types, kernels);
  assert_true(text && source);
  if (emulate_text_run(&t, "halves", source, text, &options))
    fail_msg("%s", t.error.text);
  const uint16_t *o = t.result.buffers[3];
  for (uint32_t operation = 0; operation < OPERATIONS; operation++)
    for (uint32_t i = 0; i < COUNT; i++)
      check(names[operation], i, o[operation * COUNT + i], expected_of((int)operation, i));
  emulate_text_clear(&t);
  free(text);
  free(source);
}

static void scalars_are_rounded_after_each_operation(void **state) {
  (void)state;
  run_kernel("#define T half\n#define W ushort\n#define S short\n#define I int\n", 1);
}

static void vectors_are_rounded_after_each_operation(void **state) {
  (void)state;
  run_kernel("#define T half4\n#define W ushort4\n#define S short4\n#define I int4\n", 4);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(conversions_round_to_nearest_even),
                                     cmocka_unit_test(scalars_are_rounded_after_each_operation),
                                     cmocka_unit_test(vectors_are_rounded_after_each_operation)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
