/* Numbers for a reference of Bifrost's arithmetic, written for clarity: halves by a table, rounding by comparing
 * distances, sums rounded to odd so that rounding them again is harmless (Boldo and Melquiond, "Emulation of a FMA and
 * correctly rounded sums", 2008). */
#ifndef TEST_REFERENCE_NUMBERS_H
#define TEST_REFERENCE_NUMBERS_H

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "tracegen/bifrost/alu/modifiers.h"

static inline double single_value(uint32_t bits) {
  float value;
  memcpy(&value, &bits, sizeof value);
  return (double)value;
}

static inline uint32_t single_bits(float value) {
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}

/* The magnitude of a half, counted in its last places. */
static inline double half_magnitude(uint32_t bits) {
  uint32_t exponent = bits >> 10 & 31, fraction = bits & 1023;
  if (exponent == 31)
    return fraction ? (double)NAN : (double)INFINITY;
  return exponent ? ldexp(1024 + fraction, (int)exponent - 25) : ldexp(fraction, -24);
}

static inline double half_number(uint32_t bits) {
  return bits & 0x8000 ? -half_magnitude(bits) : half_magnitude(bits);
}

/* Returns whether a rounding direction takes the upper one of the two neighbours of a value. */
static inline int takes_upper(double value, double lower, double upper, int upper_is_even, uint8_t round) {
  double below = value - lower, above = upper - value;
  switch (round) {
  case V_RTP:
    return 1;
  case V_RTN:
    return 0;
  case V_RTZ:
    return value < 0;
  case V_RTNA:
    return below == above ? value > 0 : above < below;
  default:
    return below == above ? upper_is_even : above < below;
  }
}

static inline uint32_t half_rounded(double value, uint8_t round) {
  uint32_t low = 0, high = 0x7c00; /* of the magnitude: low <= it < high */
  double magnitude = fabs(value), next;
  uint32_t sign = signbit(value) ? 0x8000 : 0;
  if (isnan(value))
    return 0x7e00;
  if (isinf(value))
    return sign | 0x7c00;
  while (high - low > 1) {
    uint32_t middle = (low + high) / 2;
    if (half_magnitude(middle) <= magnitude)
      low = middle;
    else
      high = middle;
  }
  if (half_magnitude(low) == magnitude)
    return sign | low;
  next = low == 0x7bff ? 65536 : half_magnitude(low + 1); /* infinity stands where the next half would */
  if (sign) /* the neighbours of a negative number are the other way round */
    return sign | (takes_upper(value, -next, -half_magnitude(low), !(low & 1), round) ? low : low + 1);
  return takes_upper(value, half_magnitude(low), next, low & 1, round) ? low + 1 : low;
}

static inline uint32_t single_rounded(double value, uint8_t round) {
  float nearest = (float)value, lower, upper;
  if (isnan(value) || isinf(value) || (double)nearest == value || round == V_NO_VALUE || round == V_NONE)
    return single_bits(nearest);
  lower = (double)nearest < value ? nearest : nextafterf(nearest, -INFINITY);
  upper = (double)nearest > value ? nearest : nextafterf(nearest, INFINITY);
  double below = isinf(lower) ? -0x1p128 : (double)lower, above = isinf(upper) ? 0x1p128 : (double)upper;
  return single_bits(takes_upper(value, below, above, !(single_bits(upper) & 1), round) ? upper : lower);
}

/* The sum of two numbers, rounded to 53 bits whose last is 1 if the sum is not exact. */
static inline double odd_sum(double a, double b) {
  double sum = a + b, b_part = sum - a, rest = (a - (sum - b_part)) + (b - b_part);
  uint64_t bits;
  memcpy(&bits, &sum, sizeof bits);
  if (isnan(sum) || isinf(sum) || rest == 0 || bits & 1)
    return sum;
  return nextafter(sum, rest > 0 ? (double)INFINITY : -(double)INFINITY);
}

/* A number as fraction * 2^exponent, with the fraction from 0.5 to 1. */
static inline double take_apart(double value, int *exponent) {
  double fraction = fabs(value);
  *exponent = 0;
  if (value == 0 || isnan(value) || isinf(value))
    return value;
  for (; fraction >= 1; (*exponent)++)
    fraction /= 2;
  for (; fraction < 0.5; (*exponent)--)
    fraction *= 2;
  return value < 0 ? -fraction : fraction;
}

#endif
