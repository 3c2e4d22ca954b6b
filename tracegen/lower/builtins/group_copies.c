/* Puts a marker in front of each copy that a work-group makes together. */
#include "tracegen/lower/builtins/group_copies.h"

#include <stdio.h>
#include <string.h>

#include "tracegen/abi/group_call.h"
#include "tracegen/lower/ir/builtin_names.h"
#include "tracegen/lower/ir/markers.h"

/* The function that an instruction calls; GROUP_CALL_KINDS: none of them. */
static enum group_call kind_of(LLVMValueRef i) {
  char name[64];
  LLVMValueRef callee = ir_callee(i);
  unsigned kind = 0;
  if (!callee || !LLVMIsDeclaration(callee))
    return GROUP_CALL_KINDS;
  builtin_name(callee, name, sizeof name);
  while (kind < GROUP_CALL_KINDS && strcmp(name, group_call_names[kind].function) != 0)
    kind++;
  return (enum group_call)kind;
}

/* Puts a marker in front of a call, with the arguments that have to agree: all but the event. */
static void mark(struct lowering *l, LLVMBuilderRef b, LLVMValueRef call, enum group_call kind) {
  LLVMValueRef values[1 + GROUP_CALL_ARGUMENTS] = {LLVMConstInt(LLVMInt32TypeInContext(l->context), kind, false)};
  LLVMTypeRef types[1 + GROUP_CALL_ARGUMENTS] = {LLVMTypeOf(values[0])};
  const unsigned count = group_call_names[kind].argument_count;
  char name[64];
  if (LLVMGetNumArgOperands(call) < count)
    return;
  for (unsigned i = 0; i < count; i++) {
    values[1 + i] = LLVMGetOperand(call, i);
    types[1 + i] = LLVMTypeOf(values[1 + i]);
  }
  const bool out = kind != GROUP_WAIT && LLVMGetPointerAddressSpace(types[1]) != IR_LOCAL;
  snprintf(name, sizeof name, "%s%u%s", marker_name(MARKER_GROUP_CALL), kind, out ? ".out" : "");
  LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(l->context), types, 1 + count, false);
  LLVMValueRef tell = LLVMGetNamedFunction(l->module, name);
  if (!tell) {
    tell = LLVMAddFunction(l->module, name, type);
    ir_touch_hidden_memory(l, tell); /* so that each keeps its line */
  }
  ir_build_before(b, call);
  LLVMBuildCall2(b, type, tell, values, 1 + count, "");
  l->program->has_barrier = true; /* all work-items of the group have to be there at the same time */
}

void group_copies_mark(struct lowering *l) {
  LLVMBuilderRef b = LLVMCreateBuilderInContext(l->context);
  for (LLVMValueRef f = LLVMGetFirstFunction(l->module); f; f = LLVMGetNextFunction(f))
    for (LLVMValueRef i = ir_first(f); i; i = ir_next(i))
      if (kind_of(i) != GROUP_CALL_KINDS)
        mark(l, b, i, kind_of(i));
  LLVMDisposeBuilder(b);
}
