#include "tracegen/lower/describe/late_loads.h"

#include <string.h>

#include "tracegen/lower/ir/instructions.h"

bool late_loads_has(LLVMValueRef value) {
  return LLVMIsALoadInst(value) && !LLVMGetVolatile(value) && LLVMGetOrdering(value) == LLVMAtomicOrderingNotAtomic &&
         ir_space(LLVMGetOperand(value, 0)) == IR_LOCAL;
}

static bool has_attribute(LLVMValueRef function, const char *name) {
  const unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));
  return kind != 0 && LLVMGetEnumAttributeAtIndex(function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, kind);
}

/* Calls of unknown functions may write. */
static bool may_write(LLVMValueRef instruction) {
  switch (LLVMGetInstructionOpcode(instruction)) {
  case LLVMStore:
  case LLVMAtomicRMW:
  case LLVMAtomicCmpXchg:
  case LLVMFence:
    return true;
  case LLVMCall: {
    LLVMValueRef callee = ir_callee(instruction);
    return !callee || !(has_attribute(callee, "readnone") || has_attribute(callee, "readonly"));
  }
  default:
    return false;
  }
}

LLVMValueRef late_loads_end(LLVMValueRef load) {
  LLVMValueRef last = LLVMGetBasicBlockTerminator(LLVMGetInstructionParent(load));
  LLVMValueRef i = LLVMGetNextInstruction(load);
  while (i && i != last && !may_write(i))
    i = LLVMGetNextInstruction(i);
  return i ? i : last;
}
