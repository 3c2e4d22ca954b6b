/* Integer divisions. A divisor of zero ends the run with a message. The one quotient that does not fit, the least
 * number divided by -1, wraps around as on GPUs instead of raising an exception of the host. */
#include "tracegen/lower/instrument/instrumenter.h"

#include "tracegen/lower/ir/source_line.h"

#define MOST_ELEMENTS 1024 /* of vectors that can be loaded */

static bool is_signed(LLVMValueRef i) {
  return LLVMGetInstructionOpcode(i) == LLVMSDiv || LLVMGetInstructionOpcode(i) == LLVMSRem;
}

static LLVMValueRef constant(LLVMTypeRef type, uint64_t value) {
  uint32_t elements;
  LLVMTypeRef element = ir_element(type, &elements);
  LLVMValueRef one = LLVMConstInt(element, value, true), all[MOST_ELEMENTS];
  if (LLVMGetTypeKind(type) != LLVMVectorTypeKind)
    return one;
  for (uint32_t i = 0; i < elements; i++)
    all[i] = one;
  return LLVMConstVector(all, elements);
}

static void let_overflow_wrap(struct instrumenter *n, LLVMValueRef i) {
  LLVMValueRef dividend = LLVMGetOperand(i, 0), divisor = LLVMGetOperand(i, 1);
  LLVMTypeRef type = LLVMTypeOf(i);
  uint32_t elements;
  const unsigned width = LLVMGetIntTypeWidth(ir_element(type, &elements));
  if (width > 64 || elements > MOST_ELEMENTS)
    return;
  LLVMValueRef least = LLVMBuildICmp(n->b, LLVMIntEQ, dividend, constant(type, UINT64_C(1) << (width - 1)), "");
  LLVMValueRef minus_one = LLVMBuildICmp(n->b, LLVMIntEQ, divisor, constant(type, UINT64_MAX), "");
  LLVMValueRef both = LLVMBuildAnd(n->b, least, minus_one, "");
  LLVMSetOperand(i, 1, LLVMBuildSelect(n->b, both, constant(type, 1), divisor, ""));
}

static void check_division(struct instrumenter *n, LLVMValueRef i) {
  LLVMValueRef divisor = LLVMGetOperand(i, 1);
  LLVMPositionBuilderBefore(n->b, i);
  LLVMValueRef zeros = LLVMBuildICmp(n->b, LLVMIntEQ, divisor, LLVMConstNull(LLVMTypeOf(divisor)), "");
  LLVMValueRef zero = ir_any(n->l, n->b, zeros);
  if (is_signed(i))
    let_overflow_wrap(n, i);
  ir_branch_when(n->l, n->b, zero, i);
  instrument_call(n, (void (*)(void))emulation_divided_by_zero, source_line(n->l, i), NULL);
  LLVMBuildUnreachable(n->b);
}

/* The last division comes first: the block that is split off in front of it holds the others. */
void instrument_divisions(struct instrumenter *n, uint32_t block) {
  LLVMValueRef previous;
  for (LLVMValueRef i = LLVMGetLastInstruction(n->l->blocks[block]); i; i = previous) {
    previous = LLVMGetPreviousInstruction(i);
    if (ir_is_division(i) && !LLVMIsAConstant(LLVMGetOperand(i, 1)))
      check_division(n, i);
  }
}
