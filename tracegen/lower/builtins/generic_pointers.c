#include "tracegen/lower/builtins/generic_pointers.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "tracegen/lower/ir/instructions.h"

#define MOST_PARAMETERS 8 /* no built-in function has more */

static bool is_pointer(LLVMTypeRef type) {
  return LLVMGetTypeKind(type) == LLVMPointerTypeKind;
}

/* Returns the length of what a mangled name says of a pointer's space at this place: "PU3AS1", or "P" where the rest
 * of a pointer to private memory follows; 0: this is no pointer with a space. */
static size_t spaced_pointer(const char *at) {
  return strncmp(at, "PU3AS", 5) == 0 && strchr("134", at[5]) && at[5] ? 6 : 0;
}

/* Returns whether the function has a pointer that the library's definition has not. */
static bool differs(const char *name) {
  return strstr(name, "PU3AS4") || strstr(name, "atomic_compare_exchange");
}

/* Writes the name of the definition that the library has: the first pointer is global where it is generic, all others
 * are private. Returns whether that is another name. */
static bool library_name(const char *name, char *out, size_t size) {
  size_t length = 0, step;
  unsigned pointers = 0;
  for (const char *at = name; *at; at += step) {
    const char *written = at;
    size_t count = step = 1;
    if (spaced_pointer(at)) {
      const bool generic = at[5] == '4';
      step = 6;
      written = pointers > 0 ? "P" : generic ? "PU3AS1" : at;
      count = pointers > 0 ? 1 : 6;
      pointers++;
    }
    if (length + count >= size)
      return false;
    memcpy(out + length, written, count);
    length += count;
  }
  out[length] = '\0';
  return strcmp(name, out) != 0;
}

/* Returns the type of the definition: the same spaces as in its name. */
static LLVMTypeRef library_type(struct lowering *l, LLVMTypeRef declared) {
  LLVMTypeRef types[MOST_PARAMETERS];
  const unsigned count = LLVMCountParamTypes(declared);
  unsigned pointers = 0;
  LLVMGetParamTypes(declared, types);
  for (unsigned i = 0; i < count; i++)
    if (is_pointer(types[i])) {
      const unsigned space = LLVMGetPointerAddressSpace(types[i]);
      types[i] = LLVMPointerTypeInContext(l->context, pointers > 0          ? IR_PRIVATE
                                                      : space == IR_GENERIC ? IR_GLOBAL
                                                                            : space);
      pointers++;
    }
  return LLVMFunctionType(LLVMGetReturnType(declared), types, count, false);
}

static void replace_call(LLVMBuilderRef b, LLVMValueRef call, LLVMValueRef function, LLVMTypeRef type) {
  LLVMValueRef arguments[MOST_PARAMETERS];
  LLVMTypeRef types[MOST_PARAMETERS];
  const unsigned count = LLVMCountParamTypes(type);
  LLVMGetParamTypes(type, types);
  LLVMPositionBuilderBefore(b, call);
  for (unsigned i = 0; i < count; i++) {
    arguments[i] = LLVMGetOperand(call, i);
    if (LLVMTypeOf(arguments[i]) != types[i])
      arguments[i] = LLVMBuildAddrSpaceCast(b, arguments[i], types[i], "");
  }
  LLVMValueRef made = LLVMBuildCall2(b, type, function, arguments, count, "");
  LLVMSetInstructionCallConv(made, LLVMGetInstructionCallConv(call));
  LLVMReplaceAllUsesWith(call, made);
  LLVMInstructionEraseFromParent(call);
}

void generic_pointers_replace(struct lowering *l, LLVMValueRef declaration) {
  char name[256];
  LLVMTypeRef declared = LLVMGlobalGetValueType(declaration);
  if (!LLVMIsDeclaration(declaration) || LLVMCountParamTypes(declared) > MOST_PARAMETERS ||
      !differs(ir_name(declaration)) || !library_name(ir_name(declaration), name, sizeof name))
    return;
  LLVMTypeRef type = library_type(l, declared);
  LLVMValueRef function = LLVMGetNamedFunction(l->module, name);
  if (!function) {
    function = LLVMAddFunction(l->module, name, type);
    LLVMSetFunctionCallConv(function, LLVMGetFunctionCallConv(declaration));
  }
  if (LLVMGlobalGetValueType(function) != type)
    return; /* the source declares it otherwise: it is refused where it is called */
  LLVMBuilderRef b = LLVMCreateBuilderInContext(l->context);
  for (LLVMUseRef use; (use = LLVMGetFirstUse(declaration));)
    replace_call(b, LLVMGetUser(use), function, type);
  LLVMDisposeBuilder(b);
}
