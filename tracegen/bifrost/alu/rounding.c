#include "tracegen/bifrost/alu/rounding.h"

#include <fenv.h>
#include <math.h>
#include <stdbool.h>

float half_value(uint16_t half) {
  uint32_t sign = (uint32_t)(half & 0x8000) << 16, exponent = half >> 10 & 31, fraction = half & 0x3ff;
  if (exponent == 31)
    return float_of(sign | 0x7f800000 | fraction << 13);
  if (exponent)
    return float_of(sign | (exponent + 112) << 23 | fraction << 13);
  return float_of(sign | bits_of((float)fraction * 0x1p-24f));
}

/* Returns whether a magnitude whose last kept bit is `odd` is rounded up, when `rest` of `one` were cut off. */
static bool goes_up(uint8_t round, bool negative, bool odd, uint64_t rest, uint64_t one) {
  switch (round) {
  case V_RTP:
    return rest && !negative;
  case V_RTN:
    return rest && negative;
  case V_RTZ:
    return false;
  case V_RTNA:
    return rest >= one / 2;
  default:
    return rest > one / 2 || (rest == one / 2 && odd);
  }
}

static uint16_t finite_half(uint64_t fraction, int exponent, bool negative, uint8_t round) {
  /* The value is fraction * 2^(exponent - 52), fraction < 2^53. A half's last bit is 2^(exponent - 10), or 2^-24. */
  int shift = exponent < -14 ? 42 + (-14 - exponent) : 42;
  uint64_t kept, rest, one;
  if (shift > 60)
    shift = 60;
  one = (uint64_t)1 << shift;
  kept = fraction >> shift;
  rest = fraction & (one - 1);
  kept += goes_up(round, negative, kept & 1, rest, one);
  kept += exponent < -14 ? 0 : (uint64_t)(exponent + 14) << 10;
  if (kept >= 0x7c00) /* too large for a finite half */
    kept = round == V_RTZ || (round == V_RTP && negative) || (round == V_RTN && !negative) ? 0x7bff : 0x7c00;
  return (uint16_t)kept;
}

uint16_t half_of(double value, uint8_t round) {
  uint64_t bits;
  uint16_t sign;
  memcpy(&bits, &value, sizeof bits);
  sign = (uint16_t)(bits >> 48 & 0x8000);
  if (isnan(value))
    return (uint16_t)(sign | 0x7e00 | (bits >> 42 & 0x1ff));
  if (isinf(value))
    return sign | 0x7c00;
  if (fabs(value) < 0x1p-100)
    value = value == 0 ? 0 : 0x1p-100; /* rounds like every value below half of the smallest half */
  memcpy(&bits, &value, sizeof bits);
  if (!(bits << 1))
    return sign;
  return sign |
         finite_half((bits & 0xfffffffffffff) | (uint64_t)1 << 52, (int)(bits >> 52 & 0x7ff) - 1023, sign != 0, round);
}

int set_rounding(uint8_t round) {
  int before = fegetround();
  fesetround(round == V_RTP ? FE_UPWARD : round == V_RTN ? FE_DOWNWARD : round == V_RTZ ? FE_TOWARDZERO : FE_TONEAREST);
  return before;
}

void restore_rounding(int before) {
  fesetround(before);
}

static float float_in_direction(double value, uint8_t round) {
  int before = set_rounding(round);
  volatile double exact = value;
  volatile float result = (float)exact;
  restore_rounding(before);
  return result;
}

/* Ties away from zero differ from ties to even only half way between two floats; C has no such direction. */
static float nearest_or_away(double value) {
  float towards_zero = float_in_direction(value, V_RTZ), away = float_in_direction(value, value < 0 ? V_RTN : V_RTP);
  double limit = isinf(away) ? copysign(0x1p128, value) : (double)away;
  if (isnan(value) || isinf(value))
    return away;
  return fabs(value - (double)towards_zero) < fabs(limit - value) ? towards_zero : away;
}

float rounded_float(double value, uint8_t round) {
  return round == V_RTNA ? nearest_or_away(value) : float_in_direction(value, round);
}

float rounded_whole(float value, uint8_t round) {
  switch (round) {
  case V_RTP:
    return ceilf(value);
  case V_RTN:
    return floorf(value);
  case V_RTZ:
    return truncf(value);
  case V_RTNA:
    return roundf(value);
  default:
    return rintf(value);
  }
}
