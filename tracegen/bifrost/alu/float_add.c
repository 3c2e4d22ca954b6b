/* Sums, products and extremes of floats. */
#include <math.h>

#include "tracegen/bifrost/alu/clamp.h"
#include "tracegen/bifrost/alu/each_lane.h"

static bool rounds_to_nearest(const struct alu_call *call) {
  uint8_t round = call->modifier[T_ROUND];
  return round == V_NO_VALUE || round == V_NONE;
}

static void add(struct lanes *out, const struct lanes *a, const struct lanes *b) {
  for (int i = 0; i < WARP_LANES; i++)
    out->at[i] = bits_of(float_of(a->at[i]) + float_of(b->at[i]));
}

static void multiply_add(struct lanes *out, const struct lanes *const *in) {
  for (int i = 0; i < WARP_LANES; i++)
    out->at[i] = bits_of(fmaf(float_of(in[0]->at[i]), float_of(in[1]->at[i]), float_of(in[2]->at[i])));
}

/* The same in another rounding direction. The operands are volatile, so that the compiler computes nothing early. */
static float directed(const struct lanes *const *in, int lane, bool product) {
  volatile float a = float_of(in[0]->at[lane]), b = float_of(in[1]->at[lane]);
  volatile float c = product ? float_of(in[2]->at[lane]) : 0;
  volatile float result = product ? fmaf(a, b, c) : a + b;
  return result;
}

static void compute_directed(struct lanes *out, const struct lanes *const *in, const struct alu_call *call,
                             bool product) {
  int before = set_rounding(call->modifier[T_ROUND]);
  for (int i = 0; i < WARP_LANES; i++)
    out->at[i] = bits_of(directed(in, i, product));
  restore_rounding(before);
}

void alu_fadd_f32(struct lanes *out, const struct lanes *const *in, const struct alu_call *call) {
  if (rounds_to_nearest(call))
    add(out, in[0], in[1]);
  else
    compute_directed(out, in, call, false);
  clamp_lanes(out, call);
}

void alu_fma_f32(struct lanes *out, const struct lanes *const *in, const struct alu_call *call) {
  if (rounds_to_nearest(call))
    multiply_add(out, in);
  else
    compute_directed(out, in, call, true);
  clamp_lanes(out, call);
}

/* Returns a sum whose last bit is 1 where it is not exact ("rounded to odd"), so that rounding it again gives the
 * correctly rounded result in every direction. Source: Knuth, TAOCP 2, section 4.2.2 (the rest of a sum). */
static double sum_to_odd(double a, double b) {
  const double sum = a + b, part = sum - a, rest = (a - (sum - part)) + (b - part);
  uint64_t bits;
  double odd;
  memcpy(&bits, &sum, sizeof bits);
  if (rest == 0 || !isfinite(sum) || bits & 1)
    return sum;
  bits += (rest > 0) == (sum > 0) ? 1 : UINT64_MAX;
  memcpy(&odd, &bits, sizeof odd);
  return odd;
}

/* A product of halves is exact as a double, and so is a sum but for its zero: rounded down, x - x is negative. The sum
 * of a product and a half may not be. */
static double sum_of(double a, double b, double c, const struct alu_call *call) {
  double sum = sum_to_odd(a * b, c);
  bool is_new_zero = sum == 0 && signbit(a * b) != signbit(c);
  return clamped(is_new_zero && call->modifier[T_ROUND] == V_RTN ? -0.0 : sum, call);
}

#define HALF_RESULT call->modifier[T_ROUND]
ALU_HALVES(alu_fadd_v2f16, 2, HALF_RESULT, sum_of(a, 1, b, call))
ALU_HALVES(alu_fma_v2f16, 3, HALF_RESULT, sum_of(a, b, c, call))

/* Of two numbers the larger one, of two zeros the positive one. */
static double larger(double a, double b) {
  return a == b ? (signbit(a) ? b : a) : a > b ? a : b;
}

static double smaller(double a, double b) {
  return a == b ? (signbit(a) ? a : b) : a < b ? a : b;
}

/* Returns the minimum or maximum of two sources of which one is not a number. */
static double extreme_of_nan(double a, double b, const struct alu_call *call) {
  switch (call->modifier[T_SEM]) {
  case V_NAN_PROPAGATE:
    return isnan(a) ? a : b;
  case V_C: /* a > b ? a : b */
    return b;
  case V_INVERSE_C:
    return a;
  default:
    return isnan(a) ? b : a;
  }
}

static double maximum(double a, double b, const struct alu_call *call) {
  return clamped(isnan(a) || isnan(b) ? extreme_of_nan(a, b, call) : larger(a, b), call);
}

static double minimum(double a, double b, const struct alu_call *call) {
  return clamped(isnan(a) || isnan(b) ? extreme_of_nan(a, b, call) : smaller(a, b), call);
}

#define DOUBLE(bits) (double)float_of(bits)
ALU_WORDS(alu_fmax_f32, 2, bits_of((float)maximum(DOUBLE(a), DOUBLE(b), call)))
ALU_WORDS(alu_fmin_f32, 2, bits_of((float)minimum(DOUBLE(a), DOUBLE(b), call)))
ALU_HALVES(alu_fmax_v2f16, 2, V_NONE, maximum(a, b, call))
ALU_HALVES(alu_fmin_v2f16, 2, V_NONE, minimum(a, b, call))

/* Makes a signalling NaN a quiet one. */
ALU_WORDS(alu_quiet_f32, 1, isnan(float_of(a)) ? a | 0x400000 : a)
ALU_PARTS(alu_quiet_v2f16, uint16_t, 1, (a & 0x7fff) > 0x7c00 ? a | 0x200 : a)
