#include "tracegen/bifrost/exec/take_operand.h"

#include "tracegen/bifrost/alu/rounding.h"

static uint32_t selected(uint32_t value, const uint8_t *select) {
  uint32_t result = 0;
  for (unsigned i = 0; i < 4; i++) {
    uint32_t byte = 0;
    if (select[i] < SELECT_ZERO)
      byte = value >> (8 * select[i]) & 255;
    else if (select[i] >= SELECT_SIGN)
      byte = value >> (8 * (select[i] - SELECT_SIGN) + 7) & 1 ? 255 : 0;
    result |= byte << (8 * i);
  }
  return result;
}

/* The most frequent parts: a byte, a half, or all bits. */
static void take_bits(struct lanes *out, const struct lanes *value, const struct shader_operand *operand) {
  for (int i = 0; i < WARP_LANES; i++)
    out->at[i] = ((value->at[i] >> operand->shift) & operand->keep) ^ operand->flip;
}

void operand_take(struct lanes *out, const struct lanes *value, const struct shader_operand *operand) {
  if (operand->is_part) {
    take_bits(out, value, operand);
    return;
  }
  for (int i = 0; i < WARP_LANES; i++) {
    uint32_t bits = operand->selects ? selected(value->at[i], operand->select) : value->at[i];
    if (operand->flushes)
      bits = operand->type == SOURCE_H2 || operand->widens ? flushed_halves(bits) : flushed_float(bits);
    if (operand->widens)
      bits = bits_of(half_value((uint16_t)bits));
    out->at[i] = (bits & operand->keep) ^ operand->flip;
  }
}
