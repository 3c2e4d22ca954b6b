#include "tracegen/lower/ir/event_types.h"

#if REASSEMBLE_LLVM_MAJOR < 16

int event_types_to_pointers(LLVMContextRef context, LLVMModuleRef *module, struct error *error) {
  (void)context, (void)module, (void)error;
  return 0;
}

#else

#include <stdbool.h>
#include <string.h>

#include <llvm-c/IRReader.h>

#include "tracegen/lower/ir/instructions.h"

#define EVENT "target(\"spirv.Event\")"

/* Built-in functions are the only ones whose names say that they take an event. */
static bool has_events(LLVMModuleRef module) {
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
    if (strstr(ir_name(f), "ocl_event"))
      return true;
  return false;
}

/* In place, the text only becomes shorter. Quotes within strings are escaped, so that only types match. */
static size_t shorten(char *text) {
  char *to = text, *from = text;
  for (char *found; (found = strstr(from, EVENT)); from = found + strlen(EVENT)) {
    memmove(to, from, (size_t)(found - from));
    to += found - from;
    memcpy(to, "ptr", 3);
    to += 3;
  }
  const size_t rest = strlen(from);
  memmove(to, from, rest + 1);
  return (size_t)(to - text) + rest;
}

/* The types of values cannot be changed through LLVM's C interface; those of a text can. */
int event_types_to_pointers(LLVMContextRef context, LLVMModuleRef *module, struct error *error) {
  if (!has_events(*module))
    return 0;
  LLVMModuleRef changed;
  char *message = NULL, *text = LLVMPrintModuleToString(*module);
  LLVMMemoryBufferRef buffer = LLVMCreateMemoryBufferWithMemoryRangeCopy(text, shorten(text), "kernel");
  LLVMDisposeMessage(text);
  if (LLVMParseIRInContext(context, buffer, &changed, &message)) { /* the buffer is LLVM's now */
    error_set(error, ERROR_WORK, "event_t cannot be made a pointer: %s", message);
    LLVMDisposeMessage(message);
    return -1;
  }
  LLVMDisposeModule(*module);
  *module = changed;
  return 0;
}

#endif
