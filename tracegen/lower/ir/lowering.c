/* Errors, dumps and pipelines of LLVM's passes, for all passes of the table in passes.c. */
#include "tracegen/lower/ir/lowering.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tracegen/lower/ir/source_line.h"

int lower_error(struct lowering *l, LLVMValueRef instruction, const char *format, ...) {
  char text[1024], file[512];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  if (instruction && LLVMIsAInstruction(instruction)) {
    const unsigned line = source_place(l, instruction, file, sizeof file);
    return error_at(l->error, ERROR_INPUT, file, line, 0, NULL, "kernel %s: %s", l->program->name, text);
  }
  return error_at(l->error, ERROR_INPUT, l->program->source, l->kernel ? source_line_of_function(l->kernel) : 0, 0,
                  NULL, "kernel %s: %s", l->program->name, text);
}

int lower_no_memory(struct lowering *l) {
  return error_no_memory(l->error);
}

/* The names of passes do not depend on kernels: LLVM knows all of them, unless it has no memory for a name. */
int lower_llvm_error(struct lowering *l, LLVMErrorRef failure, const char *what) {
  char *message = LLVMGetErrorMessage(failure);
  const char *reason = strstr(message, "unknown pass name") ? "out of memory in LLVM: " : "";
  error_set(l->error, ERROR_WORK, "kernel %s: LLVM cannot %s: %s%s", l->program->name, what, reason, message);
  LLVMDisposeErrorMessage(message);
  return -1;
}

int lower_run_passes(struct lowering *l, const char *passes, LLVMPassBuilderOptionsRef options, const char *what) {
  LLVMPassBuilderOptionsRef plain = options ? NULL : LLVMCreatePassBuilderOptions();
  LLVMErrorRef failure = LLVMRunPasses(l->module, passes, NULL, options ? options : plain);
  if (plain)
    LLVMDisposePassBuilderOptions(plain);
  return failure ? lower_llvm_error(l, failure, what) : 0;
}

void lower_dump(LLVMValueRef what, const char *stage) {
  const char *wanted = getenv("REASSEMBLE_DUMP_IR");
  if (!wanted || strcmp(wanted, stage) != 0)
    return;
  char *text = LLVMPrintValueToString(what);
  fprintf(stderr, "%s\n", text);
  LLVMDisposeMessage(text);
}
