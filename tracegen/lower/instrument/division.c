/* Integer divisions: a divisor of zero ends the run with a message; the one quotient that does not fit (the least
 * number by -1) wraps around, as on GPUs, instead of raising the host's exception. */
#include "tracegen/lower/instrument/instrument.h"

#include "tracegen/lower/describe/source_line.h"

#define MOST_ELEMENTS 1024 /* of vectors that can be loaded */

static bool is_division(LLVMValueRef i) {
  const LLVMOpcode opcode = LLVMGetInstructionOpcode(i);
  return opcode == LLVMUDiv || opcode == LLVMSDiv || opcode == LLVMURem || opcode == LLVMSRem;
}

static bool is_signed(LLVMValueRef i) {
  return LLVMGetInstructionOpcode(i) == LLVMSDiv || LLVMGetInstructionOpcode(i) == LLVMSRem;
}

static LLVMValueRef constant(LLVMTypeRef type, uint64_t value) {
  uint32_t elements;
  LLVMTypeRef element = lower_element(type, &elements);
  LLVMValueRef one = LLVMConstInt(element, value, true), all[MOST_ELEMENTS];
  if (LLVMGetTypeKind(type) != LLVMVectorTypeKind)
    return one;
  for (uint32_t i = 0; i < elements; i++)
    all[i] = one;
  return LLVMConstVector(all, elements);
}

/* True (one bit) when some element of `condition` is. */
static LLVMValueRef any(struct instrumenter *n, LLVMValueRef condition) {
  uint32_t elements;
  if (LLVMGetTypeKind(LLVMTypeOf(condition)) != LLVMVectorTypeKind)
    return condition;
  lower_element(LLVMTypeOf(condition), &elements);
  LLVMTypeRef bits = LLVMIntTypeInContext(n->l->context, elements);
  return LLVMBuildICmp(n->b, LLVMIntNE, LLVMBuildBitCast(n->b, condition, bits, ""), LLVMConstInt(bits, 0, false), "");
}

static void let_overflow_wrap(struct instrumenter *n, LLVMValueRef i) {
  LLVMValueRef dividend = LLVMGetOperand(i, 0), divisor = LLVMGetOperand(i, 1);
  LLVMTypeRef type = LLVMTypeOf(i);
  uint32_t elements;
  const unsigned width = LLVMGetIntTypeWidth(lower_element(type, &elements));
  if (width > 64 || elements > MOST_ELEMENTS)
    return;
  LLVMValueRef least = LLVMBuildICmp(n->b, LLVMIntEQ, dividend, constant(type, UINT64_C(1) << (width - 1)), "");
  LLVMValueRef minus_one = LLVMBuildICmp(n->b, LLVMIntEQ, divisor, constant(type, UINT64_MAX), "");
  LLVMValueRef both = LLVMBuildAnd(n->b, least, minus_one, "");
  LLVMSetOperand(i, 1, LLVMBuildSelect(n->b, both, constant(type, 1), divisor, ""));
}

static void check_division(struct instrumenter *n, LLVMValueRef i) {
  LLVMValueRef divisor = LLVMGetOperand(i, 1);
  const unsigned line = source_line(n->l, i);
  LLVMPositionBuilderBefore(n->b, i);
  LLVMValueRef zero = any(n, LLVMBuildICmp(n->b, LLVMIntEQ, divisor, LLVMConstNull(LLVMTypeOf(divisor)), ""));
  if (!LLVMIsAInstruction(zero)) /* a constant that LLVM kept: the block is cut behind an instruction all the same */
    zero = LLVMBuildFreeze(n->b, zero, "");
  if (is_signed(i))
    let_overflow_wrap(n, i);
  LLVMBasicBlockRef front = split_block_behind(n->l, zero), rest = LLVMGetInstructionParent(i);
  LLVMBasicBlockRef bad = LLVMAppendBasicBlockInContext(n->l->context, n->function, "");
  LLVMPositionBuilderAtEnd(n->b, front);
  LLVMBuildCondBr(n->b, zero, bad, rest);
  LLVMPositionBuilderAtEnd(n->b, bad);
  instrument_call(n, (void (*)(void))emulation_divided_by_zero, line, NULL);
  LLVMBuildUnreachable(n->b);
}

/* The last first: what is cut off in front of it holds the others. */
void instrument_divisions(struct instrumenter *n, uint32_t block) {
  LLVMValueRef previous;
  for (LLVMValueRef i = LLVMGetLastInstruction(n->l->blocks[block]); i; i = previous) {
    previous = LLVMGetPreviousInstruction(i);
    if (is_division(i) && !LLVMIsAConstant(LLVMGetOperand(i, 1)))
      check_division(n, i);
  }
}
