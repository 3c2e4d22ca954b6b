/* A repair of PoCL's library for vectors of more than 16 bytes.
 *
 * Compiled for x86-64 without AVX, a function takes such a vector in memory ("byval"). The wrappers of PoCL 3.1 that
 * give a function its OpenCL name pass memory to which the vector was never stored, and leave out the attribute:
 * sin(double4) of kernel-*-sse2.bc returns a function of undefined memory. This pass adds the store and the
 * attribute. */
#include "tracegen/lower/builtins/wide_arguments.h"

#include "tracegen/lower/ir/instructions.h"

/* Returns whether `value` is memory that nothing has written: the call is its only user. */
static bool is_empty_room(LLVMValueRef value, LLVMValueRef call) {
  if (!LLVMIsAAllocaInst(value))
    return false;
  LLVMUseRef use = LLVMGetFirstUse(value);
  return use && LLVMGetUser(use) == call && !LLVMGetNextUse(use);
}

static void pass_vector(LLVMBuilderRef builder, LLVMValueRef call, unsigned i, LLVMValueRef vector,
                        LLVMAttributeRef by_value) {
  LLVMValueRef room = LLVMGetOperand(call, i);
  LLVMAttributeRef alignment = ir_parameter_attribute(LLVMGetCalledValue(call), i, "align");
  LLVMPositionBuilderBefore(builder, call);
  LLVMBuildStore(builder, vector, room);
  LLVMAddCallSiteAttribute(call, i + 1, by_value);
  if (alignment)
    LLVMAddCallSiteAttribute(call, i + 1, alignment);
  LLVMSetTailCall(call, false); /* the memory belongs to the caller */
}

static void repair_call(LLVMBuilderRef builder, LLVMValueRef wrapper, LLVMValueRef call) {
  LLVMValueRef callee = LLVMGetCalledValue(call);
  const unsigned count = LLVMGetNumArgOperands(call);
  if (!LLVMIsAFunction(callee) || LLVMCountParams(callee) != count || LLVMCountParams(wrapper) != count)
    return;
  for (unsigned i = 0; i < count; i++) {
    LLVMValueRef vector = LLVMGetParam(wrapper, i);
    LLVMAttributeRef by_value = ir_parameter_attribute(callee, i, "byval");
    if (by_value && LLVMGetTypeAttributeValue(by_value) == LLVMTypeOf(vector) &&
        is_empty_room(LLVMGetOperand(call, i), call))
      pass_vector(builder, call, i, vector, by_value);
  }
}

void wide_arguments_repair(struct lowering *l, LLVMValueRef wrapper) {
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(l->context);
  for (LLVMValueRef i = ir_first(wrapper); i; i = ir_next(i))
    if (LLVMIsACallInst(i))
      repair_call(builder, wrapper, i);
  LLVMDisposeBuilder(builder);
}
