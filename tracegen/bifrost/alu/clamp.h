/* The clamps that results of float instructions can have. A NaN becomes 0 where the clamp's range begins at 0; the
 * open driver's `fsat` asks for that. */
#ifndef TRACEGEN_BIFROST_CLAMP_H
#define TRACEGEN_BIFROST_CLAMP_H

#include "tracegen/bifrost/alu/rounding.h"
#include "tracegen/bifrost/alu/lanes.h"

static inline double clamped_to(double value, uint8_t clamp) {
  switch (clamp) {
  case V_CLAMP_0_INF:
    return value > 0 ? value : 0;
  case V_CLAMP_0_1:
    return value > 0 ? (value < 1 ? value : 1) : 0;
  case V_CLAMP_M1_1:
    return value > 1 ? 1 : value < -1 ? -1 : value;
  default:
    return value;
  }
}

static inline double clamped(double value, const struct alu_call *call) {
  return clamped_to(value, call->modifier[T_CLAMP]);
}

static inline void clamp_lanes(struct lanes *out, const struct alu_call *call) {
  uint8_t clamp = call->modifier[T_CLAMP];
  if (clamp != V_NO_VALUE && clamp != V_NONE)
    for (int i = 0; i < WARP_LANES; i++)
      out->at[i] = bits_of((float)clamped_to((double)float_of(out->at[i]), clamp));
}

#endif
