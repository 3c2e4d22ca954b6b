/* Source lines and files, from the debug information of instructions. */
#include "tracegen/lower/ir/source_line.h"

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
