#include "tracegen/source_line.h"

#include <llvm-c/DebugInfo.h>

LLVMMetadataRef source_file_of(LLVMValueRef function) {
  LLVMMetadataRef subprogram = LLVMGetSubprogram(function);
  return subprogram ? LLVMDIScopeGetFile(subprogram) : NULL;
}

unsigned source_line(const struct lowering *l, LLVMValueRef instruction) {
  LLVMMetadataRef own = LLVMInstructionGetDebugLoc(instruction);
  for (LLVMMetadataRef at = own; at; at = LLVMDILocationGetInlinedAt(at))
    if (LLVMDIScopeGetFile(LLVMDILocationGetScope(at)) == l->source_file)
      return LLVMDILocationGetLine(at);
  return own ? LLVMDILocationGetLine(own) : 0;
}
