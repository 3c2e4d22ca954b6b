/* Markers by name: which one a function is, and calls of them. */
#include "tracegen/lower/ir/markers.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"

enum { MOST_ARGUMENTS = 4 };

static const char *const names[] = {
#define X(id, name) MARKER_PREFIX name,
    MARKERS(X)
#undef X
};

const char *marker_name(enum marker marker) {
  return names[marker];
}

static bool is_named(const char *name, const char *marker) {
  const size_t length = strlen(marker);
  return marker[length - 1] == '.' ? strncmp(name, marker, length) == 0 : strcmp(name, marker) == 0;
}

enum marker marker_of(LLVMValueRef function) {
  const char *name = ir_name(function);
  unsigned marker = 0;
  if (strncmp(name, MARKER_PREFIX, strlen(MARKER_PREFIX)) != 0)
    return MARKER_NONE;
  while (marker < MARKER_NONE && !is_named(name, names[marker]))
    marker++;
  return (enum marker)marker;
}

enum marker marker_called(LLVMValueRef instruction) {
  LLVMValueRef callee = ir_callee(instruction);
  return callee ? marker_of(callee) : MARKER_NONE;
}

LLVMValueRef marker_function(struct lowering *l, enum marker marker) {
  return LLVMGetNamedFunction(l->module, names[marker]);
}

/* The name of the function ends in the type of its result. */
LLVMValueRef marker_value(struct lowering *l, LLVMBuilderRef b, enum marker marker, LLVMTypeRef type,
                          const uint64_t *arguments, unsigned count) {
  LLVMTypeRef number = LLVMInt32TypeInContext(l->context), types[MOST_ARGUMENTS];
  LLVMValueRef values[MOST_ARGUMENTS];
  for (unsigned i = 0; i < count; i++) {
    types[i] = number;
    values[i] = LLVMConstInt(number, arguments[i], false);
  }
  char *text = LLVMPrintTypeToString(type), *name = text ? text_format("%s%s", names[marker], text) : NULL;
  LLVMDisposeMessage(text);
  LLVMTypeRef function_type = LLVMFunctionType(type, types, count, false);
  LLVMValueRef function = name ? ir_declare_pure(l, name, function_type) : NULL;
  free(name);
  return function ? LLVMBuildCall2(b, function_type, function, values, count, "") : NULL;
}

LLVMValueRef marker_argument_part(struct lowering *l, LLVMBuilderRef b, uint32_t parameter, LLVMTypeRef type,
                                  uint64_t offset) {
  return marker_value(l, b, MARKER_ARGUMENT_PART, type, (uint64_t[]){parameter, offset}, 2);
}

void marker_trap(struct lowering *l, LLVMBuilderRef b, enum marker marker, LLVMValueRef *arguments, unsigned count) {
  LLVMTypeRef types[MOST_ARGUMENTS];
  for (unsigned i = 0; i < count; i++)
    types[i] = LLVMTypeOf(arguments[i]);
  LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(l->context), types, count, false);
  LLVMBuildCall2(b, type, ir_declare_trap(l, names[marker], type), arguments, count, "");
}

bool marker_store_matters(LLVMValueRef call) {
  LLVMValueRef bytes = LLVMGetOperand(call, 1);
  return marker_called(call) == MARKER_SHADOW_STORE && (!LLVMIsAConstant(bytes) || !LLVMIsNull(bytes));
}
