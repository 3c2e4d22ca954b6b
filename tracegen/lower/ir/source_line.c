/* Source lines and files, from the debug information of instructions. */
#include "tracegen/lower/ir/source_line.h"

#include <stdbool.h>
#include <stdio.h>

#include <llvm-c/DebugInfo.h>

LLVMMetadataRef source_file_of(LLVMValueRef function) {
  LLVMMetadataRef subprogram = LLVMGetSubprogram(function);
  return subprogram ? LLVMDIScopeGetFile(subprogram) : NULL;
}

unsigned source_line_of_function(LLVMValueRef function) {
  LLVMMetadataRef subprogram = LLVMGetSubprogram(function);
  return subprogram ? LLVMDISubprogramGetLine(subprogram) : 0;
}

unsigned source_line(const struct lowering *l, LLVMValueRef instruction) {
  LLVMMetadataRef own = LLVMInstructionGetDebugLoc(instruction);
  for (LLVMMetadataRef at = own; at; at = LLVMDILocationGetInlinedAt(at))
    if (LLVMDIScopeGetFile(LLVMDILocationGetScope(at)) == l->source_file)
      return LLVMDILocationGetLine(at);
  return own ? LLVMDILocationGetLine(own) : 0;
}

static bool is_chosen(LLVMValueRef value) {
  return LLVMIsAPHINode(value) || LLVMIsASelectInst(value);
}

/* Returns whether an address depends on the way that led to it at once, as that of loads of two branches which the
 * optimiser joined. */
static bool has_chosen_address(LLVMValueRef load) {
  LLVMValueRef address = LLVMGetOperand(load, 0);
  bool chosen = is_chosen(address);
  for (int i = 0; LLVMIsAGetElementPtrInst(address) && i < LLVMGetNumOperands(address); i++)
    for (LLVMValueRef at = LLVMGetOperand(address, (unsigned)i); at && !chosen;
         at = LLVMIsACastInst(at) ? LLVMGetOperand(at, 0) : NULL)
      chosen = is_chosen(at);
  return chosen;
}

unsigned source_line_or_use(const struct lowering *l, LLVMValueRef instruction) {
  unsigned line = source_line(l, instruction);
  if (line > 0 || LLVMGetInstructionOpcode(instruction) != LLVMLoad || has_chosen_address(instruction))
    return line;
  for (LLVMUseRef use = LLVMGetFirstUse(instruction); use; use = LLVMGetNextUse(use)) {
    const unsigned user = LLVMIsAInstruction(LLVMGetUser(use)) ? source_line(l, LLVMGetUser(use)) : 0;
    line = user > 0 && (line == 0 || user < line) ? user : line;
  }
  return line;
}

unsigned source_place(const struct lowering *l, LLVMValueRef instruction, char *file, size_t size) {
  LLVMMetadataRef own = LLVMInstructionGetDebugLoc(instruction);
  LLVMMetadataRef at = own ? LLVMDIScopeGetFile(LLVMDILocationGetScope(own)) : NULL;
  unsigned length = 0;
  const char *name = at && at != l->source_file ? LLVMDIFileGetFilename(at, &length) : "";
  if (length)
    snprintf(file, size, "%.*s", (int)length, name);
  else
    snprintf(file, size, "%s", l->program->source);
  return own ? LLVMDILocationGetLine(own) : 0;
}
