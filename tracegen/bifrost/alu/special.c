/* Special functions. Bifrost computes them from tables whose contents are not documented; these are the functions that
 * the tables approximate, so results are at least as accurate as the GPU's: correctly rounded in nearly all cases for
 * FRCP, FRSQ, FEXP and FLOGD, and 17 bits for the two first approximations, as the open driver's notes state. */
#include <math.h>

#include "tracegen/bifrost/alu/each_lane.h"
#include "tracegen/bifrost/alu/exponents.h"

#define SINGLE(bits)  (double)float_of(bits)
#define RESULT(value) bits_of((float)(value))

ALU_WORDS(alu_frcp_f32, 1, RESULT(1 / SINGLE(a)))
ALU_WORDS(alu_frsq_f32, 1, RESULT(1 / sqrt(SINGLE(a))))
ALU_WORDS(alu_frcp_f16, 1, half_of(1 / SINGLE(a), V_NONE))
ALU_WORDS(alu_frsq_f16, 1, half_of(1 / sqrt(SINGLE(a)), V_NONE))

/* Keeps the 17 most significant bits of a float's fraction. */
static uint32_t first_bits(double value) {
  uint32_t bits = bits_of((float)value);
  return isnan(value) ? bits : bits & ~(uint32_t)0x3f;
}

/* The reciprocal of a number's fraction, with the number's sign. */
ALU_WORDS(alu_frcp_approx_f32, 1, first_bits(1 / scale_fraction(SINGLE(a), SCALE_PLAIN)))
ALU_WORDS(alu_frsq_approx_f32, 1, first_bits(1 / sqrt(scale_fraction(SINGLE(a), SCALE_FOR_ROOT))))

/* 2 to the power of a fixed-point number of 8 + 24 bits. Source 1 is the number as a float, times 2^24: it counts where
 * the fixed-point one is saturated, and where it is no number. */
static double power_of_two(int32_t fixed, double number) {
  if (isnan(number))
    return number;
  return exp2((fixed == INT32_MAX || fixed == INT32_MIN ? number : fixed) * 0x1p-24);
}

ALU_WORDS(alu_fexp_f32, 2, RESULT(power_of_two((int32_t)a, SINGLE(b))))
ALU_WORDS(alu_fexp_table_u4, 1, RESULT(exp2((a & 15) / 16.0)))

/* The logarithm (base 2) of a number's fraction, divided by the fraction less 1. */
static double logarithm_slope(double value) {
  double fraction = scale_fraction(value, SCALE_FOR_LOGARITHM);
  if (isnan(value) || value < 0)
    return NAN;
  if (value == 0 || isinf(value))
    return INFINITY;
  return fraction == 1 ? M_LOG2E : log2(fraction) / (fraction - 1);
}

ALU_WORDS(alu_flogd_f32, 1, RESULT(logarithm_slope(SINGLE(a))))

/* The reciprocal of a number's fraction in 5 bits, by which a logarithm is reduced. */
static double reduction(double value) {
  double fraction = scale_fraction(value, SCALE_FOR_LOGARITHM);
  if (!(value > 0) || isinf(value))
    return 1;
  return (double)float_of((bits_of((float)(1 / fraction)) + 0x40000) & ~(uint32_t)0x7ffff);
}

/* The logarithm of the reduction's reciprocal. */
static double reduced_logarithm(double value, bool natural) {
  if (isnan(value) || value < 0)
    return NAN;
  if (value == 0 || isinf(value))
    return value == 0 ? -INFINITY : INFINITY;
  return natural ? -log(reduction(value)) : -log2(reduction(value));
}

static double logarithm_table(double value, const struct alu_call *call) {
  uint8_t mode = call->modifier[T_MODE];
  return mode == V_RED ? reduction(value) : reduced_logarithm(value, mode == V_NATURAL);
}

ALU_WORDS(alu_flog_table_f32, 1, RESULT(logarithm_table(SINGLE(a), call)))

/* The sine of one of 64 angles around the circle. */
static double circle_sine(uint32_t angle) {
  double within = (angle & 15) * (M_PI / 32), value = angle & 16 ? cos(within) : sin(within);
  return angle & 32 ? 0 - value : value;
}

ALU_WORDS(alu_fsin_table_u6, 1, RESULT(circle_sine(a)))
ALU_WORDS(alu_fcos_table_u6, 1, RESULT(circle_sine(a + 16)))
