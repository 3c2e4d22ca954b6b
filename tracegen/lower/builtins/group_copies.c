#include "tracegen/lower/builtins/group_copies.h"

#include <stdio.h>
#include <string.h>

#include <llvm-c/DebugInfo.h>

#include "tracegen/lower/describe/source_line.h"

#define TELL "reassemble.together"

bool group_copy_is_call(LLVMValueRef function) {
  size_t length;
  return strncmp(LLVMGetValueName2(function, &length), TELL, strlen(TELL)) == 0;
}

/* What the call starts, or waits for; GROUP_CALL_KINDS: neither. */
static enum group_call kind_of(LLVMValueRef i) {
  char name[64];
  LLVMValueRef callee = LLVMIsACallInst(i) ? LLVMGetCalledValue(i) : NULL;
  if (!callee || !LLVMIsAFunction(callee) || !LLVMIsDeclaration(callee))
    return GROUP_CALL_KINDS;
  builtin_name(callee, name, sizeof name);
  unsigned kind = 0;
  while (kind < GROUP_CALL_KINDS && strcmp(name, group_call_names[kind].function) != 0)
    kind++;
  return (enum group_call)kind;
}

/* It touches only what the kernel cannot, so that what surrounds it is optimised as ever; it is not merged with others,
 * for its line. */
static void add_attributes(struct lowering *l, LLVMValueRef function) {
#if REASSEMBLE_LLVM_MAJOR < 16
  static const char *const names[] = {"inaccessiblememonly", "nounwind", "willreturn", "nomerge"};
  const uint64_t touched = 0;
#else /* llvm/Support/ModRef.h: two bits for each of: arguments, inaccessible, the rest */
  static const char *const names[] = {"memory", "nounwind", "willreturn", "nomerge"};
  const uint64_t touched = 3 << 2;
#endif
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    const unsigned kind = LLVMGetEnumAttributeKindForName(names[i], strlen(names[i]));
    LLVMAddAttributeAtIndex(function, LLVMAttributeFunctionIndex,
                            LLVMCreateEnumAttribute(l->context, kind, i == 0 ? touched : 0));
  }
}

/* With the arguments that have to agree: all but the event. */
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
  const bool out = kind != GROUP_WAIT && LLVMGetPointerAddressSpace(types[1]) != 3;
  snprintf(name, sizeof name, TELL ".%u%s", kind, out ? ".out" : "");
  LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(l->context), types, 1 + count, false);
  LLVMValueRef tell = LLVMGetNamedFunction(l->module, name);
  if (!tell) {
    tell = LLVMAddFunction(l->module, name, type);
    add_attributes(l, tell);
  }
  LLVMPositionBuilderBefore(b, call);
  LLVMSetCurrentDebugLocation2(b, LLVMInstructionGetDebugLoc(call));
  LLVMBuildCall2(b, type, tell, values, 1 + count, "");
  l->program->has_barrier = true; /* all work-items are there at the same time */
}

void group_copies_mark(struct lowering *l) {
  LLVMBuilderRef b = LLVMCreateBuilderInContext(l->context);
  for (LLVMValueRef f = LLVMGetFirstFunction(l->module); f; f = LLVMGetNextFunction(f))
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(f); block; block = LLVMGetNextBasicBlock(block))
      for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i))
        if (kind_of(i) != GROUP_CALL_KINDS)
          mark(l, b, i, kind_of(i));
  LLVMDisposeBuilder(b);
}

void group_copy_lower(struct instrumenter *n, LLVMValueRef call) {
  const uint64_t kind = LLVMConstIntGetZExtValue(LLVMGetOperand(call, 0));
  LLVMValueRef room = instrument_room(n, GROUP_CALL_ARGUMENTS * sizeof(uint64_t));
  LLVMPositionBuilderBefore(n->b, call);
  for (unsigned i = 0; i < group_call_names[kind].argument_count; i++) {
    LLVMValueRef value = LLVMGetOperand(call, 1 + i);
    value = LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMPointerTypeKind
                ? LLVMBuildPtrToInt(n->b, value, n->i64, "")
                : LLVMBuildIntCast2(n->b, value, n->i64, false, "");
    LLVMBuildStore(n->b, value, instrument_at(n, room, i * sizeof(uint64_t)));
  }
  instrument_call(n, (void (*)(void))emulation_group_call, kind << 32 | source_line(n->l, call),
                  LLVMBuildPtrToInt(n->b, room, n->i64, ""));
}
