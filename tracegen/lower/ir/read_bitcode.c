/* Reads bitcode, with errors of LLVM caught. */
#include "tracegen/lower/ir/read_bitcode.h"

#include <llvm-c/BitReader.h>

#include "tracegen/lower/ir/event_types.h"
#include "tracegen/lower/ir/llvm_failure.h"

/* LLVM reports what it reads to a handler; the text serves no purpose beside the error. */
static void ignore_diagnostic(LLVMDiagnosticInfoRef info, void *context) {
  (void)info;
  (void)context;
}

struct reading {
  struct lowering *l;
  const char *bitcode;
  size_t length;
  bool failed;
};

static int parse(void *user) {
  struct reading *r = user;
  LLVMMemoryBufferRef buffer = LLVMCreateMemoryBufferWithMemoryRangeCopy(r->bitcode, r->length, "kernel");
  if (!buffer)
    return lower_no_memory(r->l);
  r->failed = LLVMParseBitcodeInContext2(r->l->context, buffer, &r->l->module);
  LLVMDisposeMemoryBuffer(buffer);
  return 0;
}

/* LLVM verifies the module while it reads it. */
int lower_read(struct lowering *l, const char *bitcode, size_t length) {
  struct reading r = {.l = l, .bitcode = bitcode, .length = length};
  LLVMContextSetDiagnosticHandler(l->context, ignore_diagnostic, NULL);
  if (llvm_failure_catch(parse, &r, true, NULL))
    return error_set(l->error, ERROR_INPUT,
                     "LLVM refuses the program: does an asm label declare one of LLVM's own functions (llvm.*), or "
                     "with other types?");
  if (r.failed)
    return error_set(l->error, ERROR_WORK,
                     "LLVM " REASSEMBLE_LLVM_VERSION " cannot read what %s wrote; are the two of the same version?",
                     REASSEMBLE_CLANG);
  return event_types_to_pointers(l->context, &l->module, l->error);
}
