#include "tracegen/abi/half_calls.h"

#include <string.h>

static uint32_t bits_of(float value) {
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}

static float float_of(uint32_t bits) {
  float value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

uint32_t half_extended(uint16_t half) {
  const uint32_t sign = (uint32_t)(half & 0x8000) << 16, exponent = half >> 10 & 31;
  uint32_t fraction = half & 0x3ff;
  if (exponent == 31)
    return sign | 0x7f800000 | fraction << 13 | (fraction ? 0x400000 : 0);
  if (exponent > 0)
    return sign | (exponent + 112) << 23 | fraction << 13;
  if (!fraction)
    return sign;
  const uint32_t shift = (uint32_t)__builtin_clz(fraction) - 21; /* until the highest bit is the implied one */
  return sign | (113 - shift) << 23 | (fraction << shift & 0x3ff) << 13;
}

/* Returns value / 2^shift, rounded to nearest even. */
static uint64_t shifted(uint64_t value, unsigned shift) {
  if (shift > 63)
    return 0;
  const uint64_t lost = value & ((UINT64_C(1) << shift) - 1), middle = UINT64_C(1) << (shift - 1);
  const uint64_t kept = value >> shift;
  return kept + (lost > middle || (lost == middle && (kept & 1)));
}

/* Returns the half of a number in a wider format: its sign (0x8000 or 0), the power of two of its highest bit, and its
 * fraction of `digits` bits with the implied bit. A carry moves into the exponent, as the format requires. */
static uint16_t half_of(uint16_t sign, int power, uint64_t fraction, unsigned digits) {
  if (power > 15)
    return sign | 0x7c00;
  if (power < -14) /* in units of 2^-24 */
    return sign | (uint16_t)shifted(fraction, digits - 10 + (unsigned)(-14 - power));
  return (uint16_t)(sign | (((uint64_t)(power + 14) << 10) + shifted(fraction, digits - 10)));
}

uint16_t half_rounded(uint32_t value) {
  const uint16_t sign = (uint16_t)(value >> 16 & 0x8000);
  const uint32_t exponent = value >> 23 & 0xff, fraction = value & 0x7fffff;
  if (exponent == 0xff)
    return (uint16_t)(sign | 0x7c00 | (fraction ? 0x200 | fraction >> 13 : 0));
  return exponent ? half_of(sign, (int)exponent - 127, fraction | 0x800000, 23) : sign;
}

uint16_t half_rounded_from(uint64_t value) {
  const uint16_t sign = (uint16_t)(value >> 48 & 0x8000);
  const uint64_t exponent = value >> 52 & 0x7ff, fraction = value & ((UINT64_C(1) << 52) - 1);
  if (exponent == 0x7ff)
    return (uint16_t)(sign | 0x7c00 | (fraction ? 0x200 | fraction >> 42 : 0));
  return exponent ? half_of(sign, (int)exponent - 1023, fraction | UINT64_C(1) << 52, 52) : sign;
}

float half_call_extend(float half) {
  return float_of(half_extended((uint16_t)bits_of(half)));
}

float half_call_round(float value) {
  return float_of(half_rounded(bits_of(value)));
}

float half_call_round_double(double value) {
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  return float_of(half_rounded_from(bits));
}
