/* Shifts, which also combine the shifted source 0 with source 1. Source 2 is the distance; its bits above those of the
 * largest distance do not count. */
#include "tracegen/bifrost/alu/each_lane.h"

static uint32_t inverted_if(uint32_t result, const struct alu_call *call) {
  return call->modifier[T_NOT_RESULT] == V_NOT ? ~result : result;
}

#define SHIFTS(suffix, type, most)                                                                                     \
  ALU_PARTS(alu_lshift_and_##suffix, type, 3, inverted_if((uint32_t)a << (c & most) & b, call))                        \
  ALU_PARTS(alu_lshift_or_##suffix, type, 3, inverted_if((uint32_t)a << (c & most) | b, call))                         \
  ALU_PARTS(alu_lshift_xor_##suffix, type, 3, inverted_if((uint32_t)a << (c & most) ^ b, call))                        \
  ALU_PARTS(alu_rshift_and_##suffix, type, 3, inverted_if((uint32_t)a >> (c & most) & b, call))                        \
  ALU_PARTS(alu_rshift_or_##suffix, type, 3, inverted_if((uint32_t)a >> (c & most) | b, call))                         \
  ALU_PARTS(alu_rshift_xor_##suffix, type, 3, inverted_if((uint32_t)a >> (c & most) ^ b, call))

SHIFTS(i32, uint32_t, 31)
SHIFTS(v2i16, uint16_t, 15)
SHIFTS(v4i8, uint8_t, 7)

ALU_PARTS(alu_arshift_i32, int32_t, 3, a >> (c & 31))
ALU_PARTS(alu_arshift_v2i16, int16_t, 3, a >> (c & 15))
ALU_PARTS(alu_arshift_v4i8, int8_t, 3, a >> (c & 7))
