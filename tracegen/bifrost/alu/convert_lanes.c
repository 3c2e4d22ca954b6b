/* Conversions between numbers of different kinds. */
#include <math.h>

#include "tracegen/bifrost/alu/clamp.h"
#include "tracegen/bifrost/alu/each_lane.h"

/* Returns a float as a whole number between `least` and `most`; NaN is 0. */
static int64_t whole(float value, double least, double most, const struct alu_call *call) {
  double rounded = (double)rounded_whole(value, call->modifier[T_ROUND]);
  if (isnan(rounded))
    return 0;
  return (int64_t)(rounded < least ? least : rounded > most ? most : rounded);
}

ALU_WORDS(alu_f32_to_s32, 1, whole(float_of(a), INT32_MIN, INT32_MAX, call))
ALU_WORDS(alu_f32_to_u32, 1, whole(float_of(a), 0, UINT32_MAX, call))
ALU_PARTS(alu_v2f16_to_v2s16, uint16_t, 1, whole(half_value(a), INT16_MIN, INT16_MAX, call))
ALU_PARTS(alu_v2f16_to_v2u16, uint16_t, 1, whole(half_value(a), 0, UINT16_MAX, call))

ALU_WORDS(alu_s32_to_f32, 1, bits_of(rounded_float((double)(int32_t)a, call->modifier[T_ROUND])))
ALU_WORDS(alu_u32_to_f32, 1, bits_of(rounded_float((double)a, call->modifier[T_ROUND])))
ALU_PARTS(alu_v2s16_to_v2f16, int16_t, 1, half_of((double)a, call->modifier[T_ROUND]))
ALU_PARTS(alu_v2u16_to_v2f16, uint16_t, 1, half_of((double)a, call->modifier[T_ROUND]))

static uint16_t narrowed(uint32_t bits, const struct alu_call *call) {
  uint16_t half = half_of(clamped((double)float_of(bits), call), call->modifier[T_ROUND]);
  return call->flushes && !(half & 0x7c00) ? half & 0x8000 : half;
}

ALU_WORDS(alu_v2f32_to_v2f16, 2, narrowed(a, call) | (uint32_t)narrowed(b, call) << 16)

ALU_WORDS(alu_fround_f32, 1, bits_of(rounded_whole(float_of(a), call->modifier[T_ROUND])))
ALU_HALVES(alu_fround_v2f16, 1, V_NONE, (double)rounded_whole((float)a, call->modifier[T_ROUND]))
