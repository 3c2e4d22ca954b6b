/* Operands that are halves of a register. GPUs that compute on two halves in a lane read either half of an operand's
 * register, or one of them twice, without an operation (Mesa's ISA.xml: the swizzles h00, h10, h01 and h11 of
 * FMA.v2f16, FADD.v2f16, FMIN.v2f16 and FMAX.v2f16, the lane of F16_TO_F32), so an element of a vector of halves, or a
 * vector of one half repeated, costs nothing where such operations alone take it. Halves of two registers in one are
 * operations (MKVEC.v2i16). */
#include "graphics/tile/tile_code.h"

#include <stdlib.h>

static uint32_t first_operand(const struct trace_code *code, uint32_t i) {
  return i > 0 ? code->operand_end[i - 1] : 0;
}

static bool is_shuffle(const struct trace_op *op) {
  return op->op_class == OP_SHUFFLE && op->type == TYPE_F16;
}

/* Returns whether an operation makes a vector of one half: its only operand is a half, or such a vector. */
static bool repeats(const struct trace_code *code, uint32_t i, const bool *repeated) {
  const uint32_t first = first_operand(code, i);
  if (!is_shuffle(&code->ops[i]) || code->operand_end[i] != first + 1)
    return false;
  const uint32_t from = code->operands[first];
  return code->ops[from].width == 1 || repeated[from];
}

/* Finds elements of vectors, and vectors of one half. */
static void find_swizzles(const struct trace_code *code, bool *swizzles, bool *repeated) {
  for (uint32_t i = 0; i < code->op_count; i++) {
    repeated[i] = repeats(code, i, repeated);
    swizzles[i] = repeated[i] || (is_shuffle(&code->ops[i]) && code->ops[i].width == 1);
  }
}

static bool reads_halves(const struct trace_op *op) {
  switch (op->op_class) {
  case OP_FLOAT_ADD:
  case OP_FLOAT_MUL:
  case OP_FLOAT_FMA:
    return op->type == TYPE_F16;
  case OP_CONVERT:
    return op->type == TYPE_F32;
  default:
    return false;
  }
}

/* Keeps the swizzles that nothing but operands of arithmetic and other swizzles take. */
static void keep_operands(const struct trace_code *code, bool *swizzles) {
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t i = 0; i < code->op_count; i++)
      for (uint32_t k = first_operand(code, i);
           !reads_halves(&code->ops[i]) && !swizzles[i] && k < code->operand_end[i]; k++) {
        changed = changed || swizzles[code->operands[k]];
        swizzles[code->operands[k]] = false;
      }
  }
}

int half_swizzles_drop(const struct trace_code *code, struct trace_op *ops, struct error *error) {
  bool *swizzles = calloc(code->op_count + 1, sizeof *swizzles),
       *repeated = calloc(code->op_count + 1, sizeof *repeated);
  const bool has_memory = swizzles && repeated;
  if (has_memory && code->operand_end) {
    find_swizzles(code, swizzles, repeated);
    keep_operands(code, swizzles);
    for (uint32_t i = 0; i < code->op_count; i++)
      if (swizzles[i]) {
        ops[i].op_class = OP_MOVE;
        ops[i].type = TYPE_F32;
      }
  }
  free(swizzles);
  free(repeated);
  return has_memory ? 0 : error_no_memory(error);
}
