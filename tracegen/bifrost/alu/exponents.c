/* Exponents: taking numbers apart, and scaling sums and products by powers of two. */
#include "tracegen/bifrost/alu/exponents.h"

#include <fenv.h>
#include <math.h>

#include "tracegen/bifrost/alu/clamp.h"
#include "tracegen/bifrost/alu/each_lane.h"

static bool is_special(double value) {
  return value == 0 || isinf(value) || isnan(value);
}

int scale_exponent(double value, enum scale_form form) {
  int exponent;
  double fraction; /* 0.5 to 1 */
  if (is_special(value))
    return 0;
  fraction = fabs(frexp(value, &exponent));
  switch (form) {
  case SCALE_FOR_ROOT:
    return 2 * (int)floor(exponent / 2.0 + 0.5);
  case SCALE_FOR_LOGARITHM:
    return fraction < 0.75 ? exponent - 1 : exponent;
  default:
    return exponent;
  }
}

double scale_fraction(double value, enum scale_form form) {
  return is_special(value) ? value : ldexp(value, -scale_exponent(value, form));
}

static enum scale_form form_of(const struct alu_call *call) {
  if (call->modifier[T_SQRT] == V_SQRT)
    return SCALE_FOR_ROOT;
  return call->modifier[T_LOG] == V_LOG ? SCALE_FOR_LOGARITHM : SCALE_PLAIN;
}

/* The exponent that FREXPE gives: of a root it is that of the root. A sign asks for the negative exponent. */
static int exponent_result(double value, const struct alu_call *call) {
  enum scale_form form = form_of(call);
  int exponent = scale_exponent(value, form) / (form == SCALE_FOR_ROOT ? 2 : 1);
  return call->modifier[T_NEG0] == V_NEG ? -exponent : exponent;
}

/* The logarithm of infinity is that of its fraction plus an infinite table value, so that fraction has to be finite. */
static double fraction_result(double value, const struct alu_call *call) {
  enum scale_form form = form_of(call);
  return form == SCALE_FOR_LOGARITHM && isinf(value) ? copysign(1, value) : scale_fraction(value, form);
}

ALU_WORDS(alu_frexpe_f32, 1, exponent_result((double)float_of(a), call))
ALU_PARTS(alu_frexpe_v2f16, uint16_t, 1, exponent_result((double)half_value(a), call))
ALU_WORDS(alu_frexpm_f32, 1, bits_of((float)fraction_result((double)float_of(a), call)))
ALU_HALVES(alu_frexpm_v2f16, 1, V_NONE, fraction_result(a, call))

/* No float has an exponent beyond these, even after a product. */
static int bounded(int32_t exponent) {
  return exponent < -2000 ? -2000 : exponent > 2000 ? 2000 : exponent;
}

/* Returns a * b + c with a last bit of 1 where it is not exact ("rounded to odd"), so that rounding it again gives the
 * correctly rounded result in every direction. */
static double odd_product_sum(double a, double b, double c) {
  int before = set_rounding(V_RTZ);
  volatile double first = a, second = b, third = c, sum;
  uint64_t bits;
  feclearexcept(FE_INEXACT);
  sum = fma(first, second, third);
  bits = fetestexcept(FE_INEXACT) ? 1 : 0;
  restore_rounding(before);
  if (bits && isfinite(sum)) {
    double odd = sum;
    memcpy(&bits, &odd, sizeof bits);
    bits |= 1;
    memcpy(&odd, &bits, sizeof odd);
    return odd;
  }
  return sum;
}

/* Returns (a * b + c) * 2^scale. In the form `n` a product that is no number counts as zero; the open driver's
 * sequences for reciprocals need that for zero and infinity. */
static double scaled_sum(double a, double b, double c, uint32_t scale, const struct alu_call *call) {
  double sum = odd_product_sum(a, b, c);
  if (call->modifier[T_SPECIAL] == V_N && isnan(a * b))
    sum = c;
  return clamped(ldexp(sum, bounded((int32_t)scale)), call);
}

#define VALUE(bits) (double)float_of(bits)
ALU_WORDS(alu_fma_rscale_f32, 4,
          bits_of(rounded_float(scaled_sum(VALUE(a), VALUE(b), VALUE(c), d, call), call->modifier[T_ROUND])))
ALU_WORDS(alu_fadd_rscale_f32, 3,
          bits_of(rounded_float(scaled_sum(VALUE(a), 1, VALUE(b), c, call), call->modifier[T_ROUND])))
ALU_PARTS(alu_fma_rscale_v2f16, uint16_t, 4,
          half_of(scaled_sum((double)half_value(a), (double)half_value(b), (double)half_value(c),
                             (uint32_t)(int32_t)(int16_t)d, call),
                  call->modifier[T_ROUND]))
ALU_WORDS(alu_fadd_lscale_f32, 2, bits_of((float)(VALUE(a) + scale_fraction(VALUE(b), SCALE_FOR_LOGARITHM))))

ALU_WORDS(alu_ldexp_f32, 2, bits_of(rounded_float(ldexp(VALUE(a), bounded((int32_t)b)), call->modifier[T_ROUND])))
ALU_PARTS(alu_ldexp_v2f16, uint16_t, 2, half_of(ldexp((double)half_value(a), (int16_t)b), call->modifier[T_ROUND]))
