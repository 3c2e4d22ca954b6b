/* Replaces the SPIR-V type of event_t in the module's text. */
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

/* Returns whether some function takes an event; names of built-in functions tell. */
static bool has_events(LLVMModuleRef module) {
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
    if (strstr(ir_name(f), "ocl_event"))
      return true;
  return false;
}

/* Replaces the types in place, as the text becomes shorter. Quotes within strings are escaped, so that only types
 * match. Returns the length. */
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

/* LLVM's C interface cannot change the types of values, so the module is printed, changed and parsed. */
int event_types_to_pointers(LLVMContextRef context, LLVMModuleRef *module, struct error *error) {
  if (!has_events(*module))
    return 0;
  LLVMModuleRef changed;
  char *message = NULL, *text = LLVMPrintModuleToString(*module);
  LLVMMemoryBufferRef buffer = text ? LLVMCreateMemoryBufferWithMemoryRangeCopy(text, shorten(text), "kernel") : NULL;
  LLVMDisposeMessage(text);
  if (!buffer)
    return error_no_memory(error);
  if (LLVMParseIRInContext(context, buffer, &changed, &message)) { /* LLVM owns the buffer */
    error_set(error, ERROR_WORK, "event_t cannot be made a pointer: %s", message);
    LLVMDisposeMessage(message);
    return -1;
  }
  LLVMDisposeModule(*module);
  *module = changed;
  return 0;
}

#endif
