/* Static local arrays become places in the local memory of the thread that runs the work-group. In LLVM they are
 * global variables with constant addresses, so constant expressions with such an address become instructions. */
#include "tracegen/lower/instrument/instrumenter.h"

#include "tracegen/lower/ir/variables.h"

static bool is_local_array(const struct lowering *l, LLVMValueRef value, uint32_t *index) {
  struct placed_variable place;
  if (!LLVMIsAGlobalVariable(value) || !variable_find(&l->variables, value, &place) || place.kind != ROOT_LOCAL)
    return false;
  *index = place.index;
  return true;
}

static bool mentions_one(const struct instrumenter *n, LLVMValueRef value) {
  uint32_t index;
  if (!LLVMIsAConstant(value) || LLVMIsAFunction(value))
    return false;
  if (LLVMIsAGlobalVariable(value))
    return is_local_array(n->l, value, &index);
  for (int i = 0; i < LLVMGetNumOperands(value); i++)
    if (mentions_one(n, LLVMGetOperand(value, (unsigned)i)))
      return true;
  return false;
}

static LLVMValueRef compute(struct instrumenter *n, LLVMValueRef constant);

static LLVMValueRef operand(struct instrumenter *n, LLVMValueRef expression, unsigned i) {
  return compute(n, LLVMGetOperand(expression, i));
}

static LLVMValueRef compute_vector(struct instrumenter *n, LLVMValueRef constant) {
  LLVMValueRef vector = LLVMGetUndef(LLVMTypeOf(constant));
  for (unsigned i = 0; vector && i < (unsigned)LLVMGetNumOperands(constant); i++) {
    LLVMValueRef element = operand(n, constant, i);
    vector = element ? LLVMBuildInsertElement(n->b, vector, element, LLVMConstInt(n->i32, i, false), "") : NULL;
  }
  return vector;
}

static LLVMValueRef compute_place(struct instrumenter *n, LLVMValueRef expression) {
  LLVMValueRef place = operand(n, expression, 0);
  LLVMTypeRef type = LLVMGetGEPSourceElementType(expression);
  const unsigned count = (unsigned)LLVMGetNumOperands(expression) - 1;
  LLVMValueRef indices[16];
  if (count > sizeof indices / sizeof *indices)
    return NULL;
  for (unsigned i = 0; i < count; i++)
    if (!(indices[i] = operand(n, expression, i + 1)))
      return NULL;
  return place ? LLVMBuildGEP2(n->b, type, place, indices, count, "") : NULL;
}

static bool is_one_of(LLVMOpcode opcode, const LLVMOpcode *list, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (list[i] == opcode)
      return true;
  return false;
}

/* Builds an expression of one to three operands. NULL: the expression is not supported for addresses. */
static LLVMValueRef compute_expression(struct instrumenter *n, LLVMValueRef expression) {
  static const LLVMOpcode casts[] = {LLVMBitCast, LLVMAddrSpaceCast, LLVMPtrToInt, LLVMIntToPtr,
                                     LLVMTrunc,   LLVMZExt,          LLVMSExt};
  static const LLVMOpcode binary[] = {LLVMAdd, LLVMSub, LLVMMul, LLVMAnd, LLVMOr, LLVMXor, LLVMShl, LLVMLShr, LLVMAShr};
  const LLVMOpcode opcode = LLVMGetConstOpcode(expression);
  const int count = LLVMGetNumOperands(expression);
  LLVMValueRef parts[3];
  for (int i = 0; i < count; i++)
    if (i == 3 || !(parts[i] = operand(n, expression, (unsigned)i)))
      return NULL;
  if (is_one_of(opcode, casts, sizeof casts / sizeof *casts))
    return LLVMBuildCast(n->b, opcode, parts[0], LLVMTypeOf(expression), "");
  if (is_one_of(opcode, binary, sizeof binary / sizeof *binary))
    return LLVMBuildBinOp(n->b, opcode, parts[0], parts[1], "");
  if (opcode == LLVMICmp)
    return LLVMBuildICmp(n->b, LLVMGetICmpPredicate(expression), parts[0], parts[1], "");
  return opcode == LLVMSelect ? LLVMBuildSelect(n->b, parts[0], parts[1], parts[2], "") : NULL;
}

/* Builds the value of a constant at the builder's place. NULL: the expression is not supported for addresses. */
static LLVMValueRef compute(struct instrumenter *n, LLVMValueRef constant) {
  uint32_t index;
  if (!mentions_one(n, constant))
    return constant;
  if (is_local_array(n->l, constant, &index))
    return n->local_base[index];
  if (LLVMIsAConstantVector(constant))
    return compute_vector(n, constant);
  if (!LLVMIsAConstantExpr(constant))
    return NULL;
  return LLVMGetConstOpcode(constant) == LLVMGetElementPtr ? compute_place(n, constant)
                                                           : compute_expression(n, constant);
}

/* Replaces an operand that mentions a local array, in front of the instruction; of a phi, at the end of the block
 * that the operand comes from. */
static int place_operand(struct instrumenter *n, LLVMValueRef instruction, unsigned i) {
  LLVMValueRef constant = LLVMGetOperand(instruction, i);
  if (!mentions_one(n, constant))
    return 0;
  LLVMPositionBuilderBefore(n->b, LLVMIsAPHINode(instruction)
                                      ? LLVMGetBasicBlockTerminator(LLVMGetIncomingBlock(instruction, i))
                                      : instruction);
  LLVMValueRef value = compute(n, constant);
  if (!value)
    return error_set(n->l->error, ERROR_WORK,
                     "kernel %s: what is computed with the address of a local array is not supported",
                     n->l->program->name);
  LLVMSetOperand(instruction, i, value);
  return 0;
}

int local_arrays_place(struct instrumenter *n) {
  for (LLVMValueRef i = ir_first(n->function); n->l->program->locals.count > 0 && i; i = ir_next(i))
    for (int k = 0; k < LLVMGetNumOperands(i); k++)
      if (place_operand(n, i, (unsigned)k))
        return -1;
  return 0;
}

void local_arrays_delete(struct lowering *l) {
  uint32_t index;
  for (LLVMValueRef g = LLVMGetFirstGlobal(l->module), next; g; g = next) {
    next = LLVMGetNextGlobal(g);
    if (!is_local_array(l, g, &index))
      continue;
    LLVMReplaceAllUsesWith(g, LLVMGetUndef(LLVMTypeOf(g))); /* for expressions without a use */
    LLVMDeleteGlobal(g);
  }
}
