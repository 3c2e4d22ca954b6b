/* Taking the parts of an operand that its instruction asks for. Private to exec/. */
#ifndef TRACEGEN_BIFROST_TAKE_OPERAND_H
#define TRACEGEN_BIFROST_TAKE_OPERAND_H

#include "tracegen/bifrost/exec/shader.h"

/* Subnormal numbers as zeros of their sign. */
static inline uint32_t flushed_float(uint32_t bits) {
  return bits & 0x7f800000 ? bits : bits & 0x80000000;
}

static inline uint32_t flushed_halves(uint32_t bits) {
  uint32_t low = bits & 0x7c00 ? 0xffff : 0x8000, high = bits & 0x7c000000 ? 0xffff0000 : 0x80000000;
  return bits & (low | high);
}

/* Sets *out to the parts of *value. *out may be *value. */
void operand_take(struct lanes *out, const struct lanes *value, const struct shader_operand *operand);

#endif
