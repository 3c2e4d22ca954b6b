/* Built-in functions with a second result behind a pointer (sincos, fract, modf, frexp, remquo, lgamma_r), in the
 * version of a kernel for a dry run: a call becomes two calls of functions without pointers, one for each result,
 * and a store. So an undefined argument makes both results undefined as in any other operation. */
#include "tracegen/sanitize/second_results.h"

#include <stdlib.h>
#include <string.h>

#include <llvm-c/DebugInfo.h>

#include "base/text.h"
#include "tracegen/lower/ir/builtin_names.h"
#include "tracegen/lower/ir/instructions.h"

enum which { FIRST, SECOND };

static void define_part(struct lowering *l, LLVMValueRef part, LLVMValueRef function, LLVMTypeRef second,
                        enum which which) {
  LLVMTypeRef type = LLVMGlobalGetValueType(function);
  const unsigned count = LLVMCountParams(function);
  LLVMValueRef arguments[KERNEL_MAX_PARAMETERS];
  LLVMBuilderRef b = LLVMCreateBuilderInContext(l->context);
  LLVMPositionBuilderAtEnd(b, LLVMAppendBasicBlockInContext(l->context, part, ""));
  LLVMValueRef room = LLVMBuildAlloca(b, second, "");
  for (unsigned i = 0; i + 1 < count; i++)
    arguments[i] = LLVMGetParam(part, i);
  arguments[count - 1] = LLVMBuildAddrSpaceCast(b, room, LLVMTypeOf(LLVMGetParam(function, count - 1)), "");
  LLVMValueRef call = LLVMBuildCall2(b, type, function, arguments, count, "");
  LLVMSetInstructionCallConv(call, LLVMGetFunctionCallConv(function));
  LLVMBuildRet(b, which == FIRST ? call : LLVMBuildLoad2(b, second, room, ""));
  LLVMDisposeBuilder(b);
}

/* Returns the function of one result, "_Z13sincos_secondfPf" for "_Z6sincosfPf". NULL: out of memory. */
static LLVMValueRef part_of(struct lowering *l, LLVMValueRef function, const char *name, LLVMTypeRef second,
                            enum which which) {
  static const char *const endings[] = {[FIRST] = "_first", [SECOND] = "_second"};
  LLVMTypeRef type = LLVMGlobalGetValueType(function), parameters[KERNEL_MAX_PARAMETERS];
  const unsigned count = LLVMCountParams(function);
  const char *types = strstr(ir_name(function), name) + strlen(name);
  char *full = text_format("_Z%zu%s%s%s", strlen(name) + strlen(endings[which]), name, endings[which], types);
  if (!full)
    return NULL;
  LLVMValueRef part = LLVMGetNamedFunction(l->module, full);
  LLVMGetParamTypes(type, parameters);
  if (!part) {
    part = ir_declare_pure(
        l, full, LLVMFunctionType(which == FIRST ? LLVMGetReturnType(type) : second, parameters, count - 1, false));
    ir_make_opaque(l, part);
    define_part(l, part, function, second, which);
    LLVMSetLinkage(part, LLVMInternalLinkage);
  }
  free(full);
  return part;
}

static int split_call(struct lowering *l, LLVMValueRef function, LLVMValueRef call, const char *name) {
  const unsigned count = LLVMCountParams(function);
  LLVMValueRef results[2], arguments[KERNEL_MAX_PARAMETERS];
  LLVMTypeRef second = builtin_second_result(l, name, LLVMTypeOf(call));
  LLVMBuilderRef b = LLVMCreateBuilderInContext(l->context);
  ir_build_before(b, call);
  for (unsigned i = 0; i < count; i++)
    arguments[i] = LLVMGetOperand(call, i);
  int status = 0;
  for (int which = FIRST; which <= SECOND && !status; which++) {
    LLVMValueRef part = part_of(l, function, name, second, (enum which)which);
    if (!part)
      status = lower_no_memory(l);
    else
      results[which] = LLVMBuildCall2(b, LLVMGlobalGetValueType(part), part, arguments, count - 1, "");
  }
  if (!status) {
    LLVMBuildStore(b, results[SECOND], arguments[count - 1]);
    LLVMReplaceAllUsesWith(call, results[FIRST]);
    LLVMInstructionEraseFromParent(call);
  }
  LLVMDisposeBuilder(b);
  return status;
}

static bool has_second_result(LLVMValueRef function, char *name, size_t size) {
  const unsigned count = LLVMCountParams(function);
  return !LLVMIsDeclaration(function) && !ir_is_from_source(function) && count > 1 && count <= KERNEL_MAX_PARAMETERS &&
         builtin_stores_result(builtin_name(function, name, size)) &&
         LLVMGetTypeKind(LLVMTypeOf(LLVMGetParam(function, count - 1))) == LLVMPointerTypeKind &&
         LLVMGetTypeKind(LLVMGetReturnType(LLVMGlobalGetValueType(function))) != LLVMVoidTypeKind;
}

int second_results_split(struct lowering *l) {
  char name[64];
  for (LLVMValueRef f = LLVMGetFirstFunction(l->module); f; f = LLVMGetNextFunction(f)) {
    if (!has_second_result(f, name, sizeof name))
      continue;
    for (LLVMUseRef use = LLVMGetFirstUse(f), next; use; use = next) {
      next = LLVMGetNextUse(use);
      LLVMValueRef call = LLVMGetUser(use);
      if (ir_callee(call) == f && ir_is_from_source(LLVMGetBasicBlockParent(LLVMGetInstructionParent(call))) &&
          split_call(l, f, call, name))
        return -1;
    }
  }
  return 0;
}
