/* Floats of 16 bits (IEEE 754 binary16), and rounding in the directions that instructions name.
 *
 * Threads: rounded_* set the thread's rounding direction and set it back. Source: IEEE 754-2008. */
#ifndef TRACEGEN_BIFROST_ROUNDING_H
#define TRACEGEN_BIFROST_ROUNDING_H

#include <stdint.h>
#include <string.h>

#include "tracegen/bifrost/alu/modifiers.h"

static inline float float_of(uint32_t bits) {
  float value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

static inline uint32_t bits_of(float value) {
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}

/* Returns the exact value of a half. */
float half_value(uint16_t half);
/* Returns the half nearest to a value in direction `round`: V_NONE or V_NO_VALUE (to nearest, ties to even), V_RTNA
 * (ties away from zero), V_RTP, V_RTN or V_RTZ. */
uint16_t half_of(double value, uint8_t round);
/* Returns the float nearest to a value in direction `round`. */
float rounded_float(double value, uint8_t round);
/* Returns the whole number nearest to a value in direction `round`. */
float rounded_whole(float value, uint8_t round);
/* Sets the thread's rounding direction and returns the one before. */
int set_rounding(uint8_t round);
void restore_rounding(int before);

#endif
