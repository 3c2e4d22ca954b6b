/* A repair of PoCL's library: vectors of more than 16 bytes.
 *
 * Compiled for x86-64 without AVX, a function takes such a vector in memory ("byval"). PoCL 3.1's wrappers, which give
 * the function its OpenCL name, pass room for the vector without ever storing it and do not say byval: sin(double4) of
 * kernel-*-sse2.bc returns whatever lay there. The store and the attribute are put back. */
#include "tracegen/lower/builtins/wide_arguments.h"

#include <string.h>

#include "tracegen/lower/ir/instructions.h"

static unsigned attribute_kind(const char *name) {
  return LLVMGetEnumAttributeKindForName(name, strlen(name));
}

/* Room that nobody has written to: the call is its only user. */
static bool is_empty_room(LLVMValueRef value, LLVMValueRef call) {
  if (!LLVMIsAAllocaInst(value))
    return false;
  LLVMUseRef use = LLVMGetFirstUse(value);
  return use && LLVMGetUser(use) == call && !LLVMGetNextUse(use);
}

static void pass_vector(LLVMBuilderRef builder, LLVMValueRef call, unsigned i, LLVMValueRef vector,
                        LLVMAttributeRef by_value) {
  LLVMValueRef room = LLVMGetOperand(call, i);
  LLVMAttributeRef alignment = LLVMGetEnumAttributeAtIndex(LLVMGetCalledValue(call), i + 1, attribute_kind("align"));
  LLVMPositionBuilderBefore(builder, call);
  LLVMBuildStore(builder, vector, room);
  LLVMAddCallSiteAttribute(call, i + 1, by_value);
  if (alignment)
    LLVMAddCallSiteAttribute(call, i + 1, alignment);
  LLVMSetTailCall(call, false); /* the room belongs to the caller */
}

static void repair_call(LLVMBuilderRef builder, LLVMValueRef wrapper, LLVMValueRef call) {
  LLVMValueRef callee = LLVMGetCalledValue(call);
  const unsigned count = LLVMGetNumArgOperands(call);
  if (!LLVMIsAFunction(callee) || LLVMCountParams(callee) != count || LLVMCountParams(wrapper) != count)
    return;
  for (unsigned i = 0; i < count; i++) {
    LLVMValueRef vector = LLVMGetParam(wrapper, i);
    LLVMAttributeRef by_value = LLVMGetEnumAttributeAtIndex(callee, i + 1, attribute_kind("byval"));
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
