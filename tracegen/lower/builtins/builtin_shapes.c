/* Types of the built-in functions that the emulator implements itself. With another return type or other parameters
 * (through an asm label, or with -cl-no-stdinc) a call would become code that nothing checks. The types of other
 * functions are compared with those of PoCL's library (builtins.c). */
#include "tracegen/lower/builtins/builtin_shapes.h"

#include <string.h>

#include "tracegen/lower/ir/builtin_names.h"

/* The types of a function, a letter each: i an integer, p a pointer, V a vector, x any value, v no value. */
struct shape {
  const char *name;      /* '#' at the end stands for a number of elements */
  char result;           /* one letter */
  const char *shapes[2]; /* of the parameters; NULL: no second way */
};

static const struct shape shapes[] = {
    {"barrier", 'v', {"i"}},
    {"work_group_barrier", 'v', {"i", "ii"}},
    {"wait_group_events", 'v', {"ip"}},
    {"mem_fence", 'v', {"i"}},
    {"read_mem_fence", 'v', {"i"}},
    {"write_mem_fence", 'v', {"i"}},
    {"atomic_work_item_fence", 'v', {"iii"}},
    {"async_work_group_copy", 'x', {"ppix"}},
    {"async_work_group_strided_copy", 'x', {"ppiix"}},
    {"vload#", 'V', {"ip"}},
    {"vstore#", 'v', {"Vip"}},
};

static bool fits(char letter, LLVMTypeRef type) {
  const LLVMTypeKind kind = LLVMGetTypeKind(type);
  switch (letter) {
  case 'v':
    return kind == LLVMVoidTypeKind;
  case 'i':
    return kind == LLVMIntegerTypeKind;
  case 'p':
    return kind == LLVMPointerTypeKind;
  case 'V':
    return kind == LLVMVectorTypeKind;
  default:
    return kind != LLVMVoidTypeKind;
  }
}

static bool takes(LLVMTypeRef function, const char *letters) {
  const unsigned count = LLVMCountParamTypes(function);
  LLVMTypeRef types[8];
  if (!letters || LLVMIsFunctionVarArg(function) || count != strlen(letters) || count > 8)
    return false;
  LLVMGetParamTypes(function, types);
  for (unsigned i = 0; i < count; i++)
    if (!fits(letters[i], types[i]))
      return false;
  return true;
}

static bool is_named(const char *name, const char *pattern) {
  const size_t stem = strcspn(pattern, "#");
  if (!pattern[stem])
    return strcmp(name, pattern) == 0;
  const char *number = name + stem;
  return strncmp(name, pattern, stem) == 0 && *number && strspn(number, "0123456789") == strlen(number);
}

static bool has_shape(LLVMTypeRef function, char result, const char *const letters[2]) {
  return fits(result, LLVMGetReturnType(function)) && (takes(function, letters[0]) || takes(function, letters[1]));
}

static bool is_as_declared(LLVMValueRef function, const char *name) {
  static const char *const of_query[2] = {"i", ""};
  LLVMTypeRef type = LLVMGlobalGetValueType(function);
  if (builtin_query(function) >= 0)
    return has_shape(type, 'i', of_query);
  if (builtin_is_printf(function))
    return fits('i', LLVMGetReturnType(type)) && LLVMIsFunctionVarArg(type) && LLVMCountParamTypes(type) == 1;
  for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
    if (is_named(name, shapes[i].name))
      return has_shape(type, shapes[i].result, shapes[i].shapes);
  return true;
}

int builtin_shape_refuse(struct lowering *l, LLVMValueRef call, const char *name) {
  return lower_error(l, call, "%s is declared with other types than OpenCL's", name);
}

static int check_calls(struct lowering *l, LLVMValueRef function, const char *name) {
  const bool good = is_as_declared(function, name);
  for (LLVMUseRef use = LLVMGetFirstUse(function); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef call = LLVMGetUser(use);
    if (!LLVMIsACallInst(call) || LLVMGetCalledValue(call) != function)
      return lower_error(l, call, "the address of %s is not supported", name);
    if (!good || LLVMGetCalledFunctionType(call) != LLVMGlobalGetValueType(function))
      return builtin_shape_refuse(l, call, name);
  }
  return 0;
}

int builtin_shapes_check(struct lowering *l) {
  char name[64];
  for (LLVMValueRef f = LLVMGetFirstFunction(l->module); f; f = LLVMGetNextFunction(f))
    if (LLVMIsDeclaration(f) && !LLVMGetIntrinsicID(f) && check_calls(l, f, builtin_name(f, name, sizeof name)))
      return -1;
  return 0;
}
