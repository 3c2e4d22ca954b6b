/* Traps that are put into a kernel before it is optimised: calls of functions of ours that end the run. */
#include "tracegen/lower/lower.h"

#include <string.h>

LLVMValueRef lower_declare_trap(struct lowering *l, const char *name, LLVMTypeRef type) {
  static const char *const attributes[] = {"noreturn", "nounwind", "cold"};
  LLVMValueRef trap = LLVMGetNamedFunction(l->module, name);
  if (trap)
    return trap;
  trap = LLVMAddFunction(l->module, name, type);
  for (size_t i = 0; i < sizeof attributes / sizeof *attributes; i++)
    LLVMAddAttributeAtIndex(
        trap, LLVMAttributeFunctionIndex,
        LLVMCreateEnumAttribute(l->context, LLVMGetEnumAttributeKindForName(attributes[i], strlen(attributes[i])), 0));
  return trap;
}

void lower_trap_when(struct lowering *l, LLVMBuilderRef b, LLVMValueRef bad, LLVMValueRef instruction) {
  LLVMValueRef inside = LLVMGetBasicBlockParent(LLVMGetInstructionParent(instruction));
  if (!LLVMIsAInstruction(bad)) /* known: the block is cut behind an instruction all the same */
    bad = LLVMBuildFreeze(b, bad, "");
  LLVMBasicBlockRef front = split_block_behind(l, bad), rest = LLVMGetInstructionParent(instruction);
  LLVMBasicBlockRef trap = LLVMAppendBasicBlockInContext(l->context, inside, "");
  LLVMPositionBuilderAtEnd(b, front);
  LLVMBuildCondBr(b, bad, trap, rest);
  LLVMPositionBuilderAtEnd(b, trap);
}
