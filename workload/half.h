/* Converts between IEEE 754 binary16 and double, rounding to nearest even. The host need not support the type. */
#ifndef WORKLOAD_HALF_H
#define WORKLOAD_HALF_H

#include <math.h>
#include <stdint.h>

static inline double half_to_double(uint16_t half) {
  const int exponent = half >> 10 & 31, fraction = half & 1023;
  double value;
  if (exponent == 31)
    value = fraction ? NAN : INFINITY;
  else if (exponent == 0)
    value = ldexp(fraction, -24);
  else
    value = ldexp(1024 + fraction, exponent - 25);
  return half & 0x8000 ? -value : value;
}

static inline uint16_t half_from_double(double value) {
  const uint16_t sign = signbit(value) ? 0x8000 : 0;
  if (isnan(value))
    return sign | 0x7e00;
  value = fabs(value);
  if (value >= 65520) /* half way between the largest half and 2^16 */
    return sign | 0x7c00;
  int exponent;
  frexp(value, &exponent); /* value is in [0.5, 1) * 2^exponent */
  if (value < 0x1p-14)
    exponent = -13; /* subnormal: units of 2^-24 */
  /* The number of units in the last place; nearbyint rounds ties to even. A carry moves into the exponent field, as the
   * format requires. */
  const long units = (long)nearbyint(ldexp(value, 11 - exponent));
  const long field = value < 0x1p-14 ? 0 : exponent + 13;
  return sign | (uint16_t)((field << 10) + units);
}

#endif
