/* Comparisons, and choices between two values. */
#include "tracegen/bifrost/alu/each_lane.h"

#define COMPARE(a, b)                                                                                                  \
  switch (comparison) {                                                                                                \
  case V_EQ:                                                                                                           \
    return a == b;                                                                                                     \
  case V_NE:                                                                                                           \
    return a != b;                                                                                                     \
  case V_GT:                                                                                                           \
    return a > b;                                                                                                      \
  case V_GE:                                                                                                           \
    return a >= b;                                                                                                     \
  case V_LT:                                                                                                           \
    return a < b;                                                                                                      \
  case V_LE:                                                                                                           \
    return a <= b;                                                                                                     \
  case V_GTLT:                                                                                                         \
    return a < b || a > b;                                                                                             \
  default:                                                                                                             \
    return false;                                                                                                      \
  }

static bool whole_compares(int64_t a, int64_t b, uint8_t comparison) {
  COMPARE(a, b)
}

static bool float_compares(double a, double b, uint8_t comparison) {
  COMPARE(a, b)
}

/* Returns the result of a comparison: 0, or where it holds 1, all ones, or the bits `one` of 1.0. */
static uint32_t truth(bool holds, uint32_t one, const struct alu_call *call) {
  uint8_t result = call->modifier[T_RESULT_TYPE];
  return !holds ? 0 : result == V_M1 ? UINT32_MAX : result == V_F1 ? one : 1;
}

#define WHOLE(a, b) truth(whole_compares(a, b, call->modifier[T_CMPF]), 1, call)

ALU_PARTS(alu_icmp_i32, uint32_t, 2, WHOLE(a, b))
ALU_PARTS(alu_icmp_s32, int32_t, 2, WHOLE(a, b))
ALU_PARTS(alu_icmp_u32, uint32_t, 2, WHOLE(a, b))
ALU_PARTS(alu_icmp_v2i16, uint16_t, 2, WHOLE(a, b))
ALU_PARTS(alu_icmp_v2s16, int16_t, 2, WHOLE(a, b))
ALU_PARTS(alu_icmp_v2u16, uint16_t, 2, WHOLE(a, b))
ALU_PARTS(alu_icmp_v4i8, uint8_t, 2, WHOLE(a, b))
ALU_PARTS(alu_icmp_v4s8, int8_t, 2, WHOLE(a, b))
ALU_PARTS(alu_icmp_v4u8, uint8_t, 2, WHOLE(a, b))

#define SINGLE(bits) (double)float_of(bits)
#define HALF(bits)   (double)half_value(bits)

ALU_WORDS(alu_fcmp_f32, 2, truth(float_compares(SINGLE(a), SINGLE(b), call->modifier[T_CMPF]), 0x3f800000, call))
ALU_PARTS(alu_fcmp_v2f16, uint16_t, 2, truth(float_compares(HALF(a), HALF(b), call->modifier[T_CMPF]), 0x3c00, call))

ALU_PARTS(alu_csel_i32, uint32_t, 4, whole_compares(a, b, call->modifier[T_CMPF]) ? c : d)
ALU_PARTS(alu_csel_s32, int32_t, 4, whole_compares(a, b, call->modifier[T_CMPF]) ? c : d)
ALU_PARTS(alu_csel_u32, uint32_t, 4, whole_compares(a, b, call->modifier[T_CMPF]) ? c : d)
ALU_PARTS(alu_csel_v2i16, uint16_t, 4, whole_compares(a, b, call->modifier[T_CMPF]) ? c : d)
ALU_PARTS(alu_csel_v2s16, int16_t, 4, whole_compares(a, b, call->modifier[T_CMPF]) ? c : d)
ALU_PARTS(alu_csel_v2u16, uint16_t, 4, whole_compares(a, b, call->modifier[T_CMPF]) ? c : d)
ALU_WORDS(alu_csel_f32, 4, float_compares(SINGLE(a), SINGLE(b), call->modifier[T_CMPF]) ? c : d)
ALU_PARTS(alu_csel_v2f16, uint16_t, 4, float_compares(HALF(a), HALF(b), call->modifier[T_CMPF]) ? c : d)

/* Returns whether MUX takes source 0. `sign` is the sign bit of a part; the bitwise form does not use it. */
static bool takes_first(uint32_t c, uint32_t sign, const struct alu_call *call) {
  switch (call->modifier[T_MUX]) {
  case V_NEG:
    return c & sign;
  case V_FP_ZERO:
    return !(c & ~sign);
  default:
    return !c;
  }
}

static uint32_t multiplexed(uint32_t a, uint32_t b, uint32_t c, uint32_t sign, const struct alu_call *call) {
  if (call->modifier[T_MUX] == V_BIT)
    return (a & c) | (b & ~c);
  return takes_first(c, sign, call) ? a : b;
}

ALU_PARTS(alu_mux_i32, uint32_t, 3, multiplexed(a, b, c, 0x80000000, call))
ALU_PARTS(alu_mux_v2i16, uint16_t, 3, multiplexed(a, b, c, 0x8000, call))
ALU_PARTS(alu_mux_v4i8, uint8_t, 3, multiplexed(a, b, c, 0x80, call))
