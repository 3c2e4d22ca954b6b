/* Whole numbers of 32, 16 and 8 bits. */
#include "tracegen/bifrost/alu/each_lane.h"

static int64_t saturated(int64_t value, int64_t least, int64_t most, const struct alu_call *call) {
  if (call->modifier[T_SATURATE] != V_SAT)
    return value;
  return value < least ? least : value > most ? most : value;
}

#define SUM(a, b)        ((int64_t)(a) + (int64_t)(b))
#define DIFFERENCE(a, b) ((int64_t)(a) - (int64_t)(b))

ALU_PARTS(alu_iadd_s32, int32_t, 2, saturated(SUM(a, b), INT32_MIN, INT32_MAX, call))
ALU_PARTS(alu_iadd_u32, uint32_t, 2, saturated(SUM(a, b), 0, UINT32_MAX, call))
ALU_PARTS(alu_iadd_v2s16, int16_t, 2, saturated(SUM(a, b), INT16_MIN, INT16_MAX, call))
ALU_PARTS(alu_iadd_v2u16, uint16_t, 2, saturated(SUM(a, b), 0, UINT16_MAX, call))
ALU_PARTS(alu_iadd_v4s8, int8_t, 2, saturated(SUM(a, b), INT8_MIN, INT8_MAX, call))
ALU_PARTS(alu_iadd_v4u8, uint8_t, 2, saturated(SUM(a, b), 0, UINT8_MAX, call))
ALU_PARTS(alu_isub_s32, int32_t, 2, saturated(DIFFERENCE(a, b), INT32_MIN, INT32_MAX, call))
ALU_PARTS(alu_isub_u32, uint32_t, 2, saturated(DIFFERENCE(a, b), 0, UINT32_MAX, call))
ALU_PARTS(alu_isub_v2s16, int16_t, 2, saturated(DIFFERENCE(a, b), INT16_MIN, INT16_MAX, call))
ALU_PARTS(alu_isub_v2u16, uint16_t, 2, saturated(DIFFERENCE(a, b), 0, UINT16_MAX, call))
ALU_PARTS(alu_isub_v4s8, int8_t, 2, saturated(DIFFERENCE(a, b), INT8_MIN, INT8_MAX, call))
ALU_PARTS(alu_isub_v4u8, uint8_t, 2, saturated(DIFFERENCE(a, b), 0, UINT8_MAX, call))

/* Half of a sum, rounded down, or up where the instruction says so. */
static int64_t half_sum(int64_t a, int64_t b, const struct alu_call *call) {
  return (a + b + (call->modifier[T_ROUND] == V_RTP)) >> 1;
}

ALU_PARTS(alu_hadd_s32, int32_t, 2, half_sum(a, b, call))
ALU_PARTS(alu_hadd_u32, uint32_t, 2, half_sum(a, b, call))
ALU_PARTS(alu_hadd_v2s16, int16_t, 2, half_sum(a, b, call))
ALU_PARTS(alu_hadd_v2u16, uint16_t, 2, half_sum(a, b, call))
ALU_PARTS(alu_hadd_v4s8, int8_t, 2, half_sum(a, b, call))
ALU_PARTS(alu_hadd_v4u8, uint8_t, 2, half_sum(a, b, call))

ALU_PARTS(alu_iabs_s32, int32_t, 1, a < 0 ? -(int64_t)a : a)
ALU_PARTS(alu_iabs_v2s16, int16_t, 1, a < 0 ? -a : a)
ALU_PARTS(alu_iabs_v4s8, int8_t, 1, a < 0 ? -a : a)

ALU_PARTS(alu_imul_i32, uint32_t, 2, a *b)
ALU_PARTS(alu_imul_v2i16, uint16_t, 2, (uint32_t)a *b)
ALU_PARTS(alu_imul_v4i8, uint8_t, 2, (uint32_t)a *b)

/* The sum of the products of four bytes; each source is signed or not. */
static uint32_t dot_product(uint32_t a, uint32_t b, const struct alu_call *call) {
  uint32_t sum = 0;
  for (unsigned at = 0; at < 32; at += 8) {
    uint8_t left = (uint8_t)(a >> at), right = (uint8_t)(b >> at);
    int first = call->modifier[T_SIGN0] == V_SEXT ? (int8_t)left : left;
    int second = call->modifier[T_SIGN1] == V_SEXT ? (int8_t)right : right;
    sum += (uint32_t)(first * second);
  }
  return sum;
}

ALU_WORDS(alu_idp_v4i8, 2, dot_product(a, b, call))

static uint32_t reversed(uint32_t word) {
  uint32_t result = 0;
  for (unsigned i = 0; i < 32; i++)
    result |= (word >> i & 1) << (31 - i);
  return result;
}

static uint32_t leading_zeros(uint32_t part, uint32_t bits) {
  return part ? (uint32_t)__builtin_clz(part) - (32 - bits) : bits;
}

ALU_WORDS(alu_bitrev_i32, 1, reversed(a))
ALU_WORDS(alu_popcount_i32, 1, __builtin_popcount(a))
ALU_WORDS(alu_clz_u32, 1, leading_zeros(a, 32))
ALU_PARTS(alu_clz_v2u16, uint16_t, 1, leading_zeros(a, 16))
ALU_PARTS(alu_clz_v4u8, uint8_t, 1, leading_zeros(a, 8))
