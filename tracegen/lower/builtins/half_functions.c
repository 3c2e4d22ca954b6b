/* A function on halves is one operation of the trace, as on floats: it is opaque, and has the type of its result.
 *
 * The value is that of the function on floats, rounded once, but for dot and rsqrt. For +, -, *, / and sqrt this is the
 * correctly rounded one, because a float has more than twice the digits of a half (S. Figueroa, "When is double
 * rounding innocuous?", 1995). fma is computed in doubles: the product of two halves is exact there, and a sum that a
 * double cannot hold has its last bits so far below those of a half that the second rounding is the right one. */
#include "tracegen/lower/builtins/half_functions.h"

#include <stdio.h>
#include <string.h>

#include "tracegen/lower/ir/builtin_names.h"
#include "tracegen/lower/ir/instructions.h"

#define MOST_PARAMETERS 4

static bool is_half(LLVMTypeRef type) {
  uint32_t elements;
  return LLVMGetTypeKind(ir_element(type, &elements)) == LLVMHalfTypeKind;
}

/* Returns the type with `element` for its elements. */
static LLVMTypeRef shaped(LLVMTypeRef type, LLVMTypeRef element) {
  return ir_is_vector(type) ? LLVMVectorType(element, LLVMGetVectorSize(type)) : element;
}

static LLVMTypeRef widened(struct lowering *l, LLVMTypeRef type) {
  return is_half(type) ? shaped(type, LLVMFloatTypeInContext(l->context)) : type;
}

/* Relations on vectors give a short for each half and an int for each float. */
static LLVMTypeRef widened_result(struct lowering *l, LLVMTypeRef type, const char *name) {
  uint32_t elements;
  const bool relation = ir_is_vector(type) && strncmp(name, "is", 2) == 0;
  return relation && LLVMGetTypeKind(ir_element(type, &elements)) == LLVMIntegerTypeKind
             ? shaped(type, LLVMInt32TypeInContext(l->context))
             : widened(l, type);
}

static bool takes_or_returns_halves(LLVMValueRef function) {
  bool halves = is_half(LLVMGetReturnType(LLVMGlobalGetValueType(function)));
  for (LLVMValueRef p = LLVMGetFirstParam(function); p; p = LLVMGetNextParam(p)) {
    if (LLVMGetTypeKind(LLVMTypeOf(p)) == LLVMPointerTypeKind)
      return false;
    halves = halves || is_half(LLVMTypeOf(p));
  }
  return halves && LLVMCountParams(function) <= MOST_PARAMETERS;
}

/* Returns whether the function on halves is that on floats, but for a rounding. */
static bool follows_floats(const char *name) {
  static const char *const others[] = {"nextafter", "nan",      "select", "bitselect",
                                       "shuffle",   "shuffle2", "ilogb",  "logb"};
  for (size_t i = 0; i < sizeof others / sizeof *others; i++)
    if (strcmp(name, others[i]) == 0)
      return false;
  return !builtin_is_image_function(name) && strncmp(name, "sub_group", 9) != 0 && strncmp(name, "work_group", 10) != 0;
}

/* Writes the mangled name of the function `name` on floats, with the parameters of `function`: "_Z4sqrtDv4_Dh" to
 * "_Z4sqrtDv4_f", "convert_half4" to "convert_float4". */
static void name_on_floats(LLVMValueRef function, const char *name, char *out, size_t size) {
  char own[64];
  const char *found = strstr(ir_name(function), builtin_name(function, own, sizeof own));
  const char *types = found ? found + strlen(own) : "";
  const bool converts = strncmp(name, "convert_half", 12) == 0;
  char other[80];
  snprintf(other, sizeof other, converts ? "convert_float%s" : "%s", converts ? name + 12 : name);
  size_t length = (size_t)snprintf(out, size, "_Z%zu%s", strlen(other), other);
  for (const char *c = types; *c && length + 1 < size; c++) {
    const bool half = c[0] == 'D' && c[1] == 'h';
    out[length++] = half ? 'f' : *c;
    c += half;
  }
  out[length] = '\0';
}

static LLVMValueRef call_on_floats(struct lowering *l, LLVMBuilderRef b, LLVMValueRef function, const char *name) {
  LLVMTypeRef types[MOST_PARAMETERS], own = LLVMGlobalGetValueType(function);
  LLVMValueRef values[MOST_PARAMETERS];
  const unsigned count = LLVMCountParams(function);
  char other[160];
  for (unsigned i = 0; i < count; i++) {
    LLVMValueRef p = LLVMGetParam(function, i);
    types[i] = widened(l, LLVMTypeOf(p));
    values[i] = is_half(LLVMTypeOf(p)) ? LLVMBuildFPExt(b, p, types[i], "") : p;
  }
  name_on_floats(function, name, other, sizeof other);
  LLVMTypeRef type = LLVMFunctionType(widened_result(l, LLVMGetReturnType(own), name), types, count, false);
  LLVMValueRef callee = ir_declare(l, other, type);
  LLVMSetFunctionCallConv(callee, LLVMGetFunctionCallConv(function));
  LLVMValueRef call = LLVMBuildCall2(b, type, callee, values, count, "");
  LLVMSetInstructionCallConv(call, LLVMGetFunctionCallConv(function));
  return call;
}

static LLVMValueRef in_doubles(struct lowering *l, LLVMBuilderRef b, LLVMValueRef function, unsigned i) {
  LLVMValueRef p = LLVMGetParam(function, i);
  return LLVMBuildFPExt(b, p, shaped(LLVMTypeOf(p), LLVMDoubleTypeInContext(l->context)), "");
}

static LLVMValueRef fused(struct lowering *l, LLVMBuilderRef b, LLVMValueRef f) {
  LLVMValueRef product = LLVMBuildFMul(b, in_doubles(l, b, f, 0), in_doubles(l, b, f, 1), "");
  return LLVMBuildFAdd(b, product, in_doubles(l, b, f, 2), "");
}

/* Each product and each sum is rounded, as in the code of a GPU for halves. */
static LLVMValueRef dot_product(struct lowering *l, LLVMBuilderRef b, LLVMValueRef f) {
  LLVMValueRef products = LLVMBuildFMul(b, LLVMGetParam(f, 0), LLVMGetParam(f, 1), ""), sum = products;
  for (uint32_t k = 0; ir_is_vector(LLVMTypeOf(products)) && k < ir_elements(products); k++) {
    LLVMValueRef index = LLVMConstInt(LLVMInt32TypeInContext(l->context), k, false);
    LLVMValueRef product = LLVMBuildExtractElement(b, products, index, "");
    sum = k == 0 ? product : LLVMBuildFAdd(b, sum, product, "");
  }
  return sum;
}

/* The reciprocal of a root that is rounded, as lavapipe computes it: chains of halves then agree with its pictures. */
static LLVMValueRef reciprocal_root(struct lowering *l, LLVMBuilderRef b, LLVMValueRef f) {
  LLVMTypeRef type = LLVMTypeOf(LLVMGetParam(f, 0));
  LLVMValueRef root = LLVMBuildFPTrunc(b, call_on_floats(l, b, f, "sqrt"), type, ""),
               one = LLVMConstReal(LLVMHalfTypeInContext(l->context), 1);
  LLVMValueRef ones[16];
  for (uint32_t k = 0; k < 16; k++)
    ones[k] = one;
  return LLVMBuildFDiv(b, ir_is_vector(type) ? LLVMConstVector(ones, LLVMGetVectorSize(type)) : one, root, "");
}

/* Returns the value with the type of the function's result. */
static LLVMValueRef narrowed(LLVMBuilderRef b, LLVMValueRef value, LLVMTypeRef type) {
  if (is_half(type))
    return LLVMTypeOf(value) == type ? value : LLVMBuildFPTrunc(b, value, type, "");
  return LLVMTypeOf(value) == type ? value : LLVMBuildTrunc(b, value, type, "");
}

/* Returns whether a conversion is between floats of 16, 32 and 64 bits, which LLVM has instructions for. */
static LLVMValueRef converted(LLVMBuilderRef b, LLVMValueRef function, const char *name) {
  LLVMTypeRef result = LLVMGetReturnType(LLVMGlobalGetValueType(function));
  uint32_t elements;
  if (strncmp(name, "convert_", 8) != 0 || LLVMCountParams(function) != 1 || strstr(name, "_rt") ||
      strstr(name, "_sat"))
    return NULL;
  LLVMValueRef p = LLVMGetParam(function, 0);
  const LLVMTypeKind to = LLVMGetTypeKind(ir_element(result, &elements)),
                     from = LLVMGetTypeKind(ir_element(LLVMTypeOf(p), &elements));
  if (to == from)
    return p;
  if (to == LLVMHalfTypeKind && (from == LLVMFloatTypeKind || from == LLVMDoubleTypeKind))
    return LLVMBuildFPTrunc(b, p, result, "");
  return from == LLVMHalfTypeKind && (to == LLVMFloatTypeKind || to == LLVMDoubleTypeKind)
             ? LLVMBuildFPExt(b, p, result, "")
             : NULL;
}

void half_functions_define(struct lowering *l, LLVMValueRef function) {
  char name[64];
  builtin_name(function, name, sizeof name);
  if (!LLVMIsDeclaration(function) || LLVMGetIntrinsicID(function) || strncmp(ir_name(function), "_Z", 2) != 0 ||
      !takes_or_returns_halves(function) || !follows_floats(name))
    return;
  LLVMTypeRef result = LLVMGetReturnType(LLVMGlobalGetValueType(function));
  LLVMBuilderRef b = LLVMCreateBuilderInContext(l->context);
  LLVMPositionBuilderAtEnd(b, LLVMAppendBasicBlockInContext(l->context, function, ""));
  LLVMValueRef value = converted(b, function, name);
  if (!value && strcmp(name, "fma") == 0 && LLVMCountParams(function) == 3)
    value = fused(l, b, function);
  if (!value && strcmp(name, "rsqrt") == 0 && LLVMCountParams(function) == 1)
    value = reciprocal_root(l, b, function);
  if (!value && strcmp(name, "dot") == 0 && LLVMCountParams(function) == 2)
    value = dot_product(l, b, function);
  if (!value)
    value = call_on_floats(l, b, function, name);
  LLVMBuildRet(b, narrowed(b, value, result));
  LLVMDisposeBuilder(b);
  LLVMSetLinkage(function, LLVMInternalLinkage);
  LLVMGlobalClearMetadata(function);
}
