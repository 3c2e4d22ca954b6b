#include "tracegen/lower/describe/operand_roles.h"

#include "tracegen/lower/ir/instructions.h"

#define MOST_NESTED 16 /* steps of address arithmetic from one another: assumed */

static bool has_constant_indices(LLVMValueRef gep) {
  for (unsigned i = 1; i < (unsigned)LLVMGetNumOperands(gep); i++)
    if (!LLVMIsAConstantInt(LLVMGetOperand(gep, i)))
      return false;
  return true;
}

/* Returns whether the instruction accesses memory at the pointer, and does not store the pointer itself. */
static bool accesses(LLVMValueRef instruction, LLVMValueRef pointer) {
  if (LLVMIsALoadInst(instruction) || LLVMIsAAtomicRMWInst(instruction))
    return LLVMGetOperand(instruction, 0) == pointer;
  return LLVMIsAStoreInst(instruction) && LLVMGetOperand(instruction, 1) == pointer &&
         LLVMGetOperand(instruction, 0) != pointer;
}

static bool is_offset(LLVMValueRef gep, unsigned nested) {
  if (!has_constant_indices(gep) || nested == MOST_NESTED)
    return false;
  for (LLVMUseRef use = LLVMGetFirstUse(gep); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    if (!accesses(user, gep) && !(LLVMIsAGetElementPtrInst(user) && is_offset(user, nested + 1)))
      return false;
  }
  return true;
}

static bool is_index(LLVMValueRef extension) {
  if (!LLVMIsASExtInst(extension) && !LLVMIsAZExtInst(extension))
    return false;
  for (LLVMUseRef use = LLVMGetFirstUse(extension); use; use = LLVMGetNextUse(use))
    if (!LLVMIsAGetElementPtrInst(LLVMGetUser(use)))
      return false;
  return true;
}

static bool is_used_once(LLVMValueRef value) {
  LLVMUseRef first = LLVMGetFirstUse(value);
  return first && !LLVMGetNextUse(first);
}

/* Returns whether the value is a product of 32 bits at most in the same block, which nothing else uses. */
static bool is_own_product(LLVMValueRef value, LLVMValueRef user) {
  uint32_t elements;
  return LLVMIsABinaryOperator(value) && LLVMGetInstructionOpcode(value) == LLVMMul && is_used_once(value) &&
         LLVMGetInstructionParent(value) == LLVMGetInstructionParent(user) &&
         LLVMGetIntTypeWidth(ir_element(LLVMTypeOf(value), &elements)) <= 32;
}

static bool adds_product(LLVMValueRef addition) {
  return LLVMIsABinaryOperator(addition) && (is_own_product(LLVMGetOperand(addition, 0), addition) ||
                                             is_own_product(LLVMGetOperand(addition, 1), addition));
}

const char *operand_role(LLVMValueRef instruction, enum trace_op_class op_class) {
  if (op_class == OP_ADDRESS)
    return is_offset(instruction, 0) ? "offset" : NULL;
  if (op_class == OP_EXTEND)
    return is_index(instruction) ? "index" : NULL;
  if (op_class == OP_INT_ADD)
    return adds_product(instruction) ? "product" : NULL;
  if (op_class == OP_INT_DIV)
    return LLVMIsConstant(LLVMGetOperand(instruction, 1)) ? "constant" : NULL;
  if (op_class == OP_FLOAT_ADD)
    return LLVMGetInstructionOpcode(instruction) == LLVMFNeg ? "negation" : NULL;
  return NULL;
}

enum trace_space address_space_of(LLVMValueRef pointer) {
  static const enum trace_space spaces[] = {[IR_PRIVATE] = SPACE_PRIVATE,
                                            [IR_GLOBAL] = SPACE_GLOBAL,
                                            [IR_CONSTANT] = SPACE_CONSTANT,
                                            [IR_LOCAL] = SPACE_LOCAL};
  LLVMTypeRef type = LLVMTypeOf(pointer);
  const unsigned space = LLVMGetTypeKind(type) == LLVMPointerTypeKind ? LLVMGetPointerAddressSpace(type) : IR_GLOBAL;
  return space < sizeof spaces / sizeof *spaces ? spaces[space] : SPACE_GLOBAL;
}
