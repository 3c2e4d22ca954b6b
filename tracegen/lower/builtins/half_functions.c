/* A function on halves is one operation of the trace, as on floats: it is opaque, and has the type of its result.
 *
 * The value is that of the function on floats, rounded once, but for dot and rsqrt. For +, -, *, / and sqrt this is the
 * correctly rounded one, because a float has more than twice the digits of a half (S. Figueroa, "When is double
 * rounding innocuous?", 1995). fma is computed in doubles: the product of two halves is exact there, and a sum that a
 * double cannot hold has its last bits so far below those of a half that the second rounding is the right one.
 * Functions that move bits (select, shuffle) are those on short integers. */
#include "tracegen/lower/builtins/half_functions.h"

#include <stdio.h>
#include <string.h>

#include "tracegen/lower/builtins/half_bits.h"
#include "tracegen/lower/ir/builtin_names.h"
#include "tracegen/lower/ir/instructions.h"

#define MOST_PARAMETERS 4
#define BELOW_ONE       0x1.ffcp-1 /* the largest half below 1 */

/* A function on halves while its body is made. */
struct half_function {
  struct lowering *l;
  LLVMBuilderRef b;
  LLVMValueRef function;
  const char *name;
  LLVMTypeRef result;
};

/* The type whose function is called in place of that on halves, and its letter in mangled names. */
struct stand_in {
  LLVMTypeRef element;
  char letter;
};

static bool is_half(LLVMTypeRef type) {
  uint32_t elements;
  return LLVMGetTypeKind(ir_element(type, &elements)) == LLVMHalfTypeKind;
}

static LLVMTypeRef element_type(LLVMTypeRef type) {
  return ir_is_vector(type) ? LLVMGetElementType(type) : type;
}

static bool is_pointer(LLVMTypeRef type) {
  return LLVMGetTypeKind(type) == LLVMPointerTypeKind;
}

static bool is_one_of(const char *name, const char *const *names, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (strcmp(name, names[i]) == 0)
      return true;
  return false;
}

/* Returns whether a function only moves bits of its operands. */
static bool moves_bits(const char *name) {
  static const char *const names[] = {"select", "bitselect", "shuffle", "shuffle2"};
  return is_one_of(name, names, sizeof names / sizeof *names);
}

/* Integers of 16 bits, with the sign that the mask has not: so types of the same shape have different names. */
static struct stand_in integers(const struct half_function *f) {
  const char *full_name = ir_name(f->function);
  const bool mask_is_unsigned = full_name[strlen(full_name) - 1] == 't';
  return (struct stand_in){LLVMInt16TypeInContext(f->l->context), mask_is_unsigned ? 's' : 't'};
}

static struct stand_in floats(const struct half_function *f) {
  return (struct stand_in){LLVMFloatTypeInContext(f->l->context), 'f'};
}

static bool takes_or_returns_halves(LLVMValueRef function, const char *name) {
  bool halves = is_half(LLVMGetReturnType(LLVMGlobalGetValueType(function)));
  for (LLVMValueRef p = LLVMGetFirstParam(function); p; p = LLVMGetNextParam(p)) {
    if (is_pointer(LLVMTypeOf(p)) && !builtin_stores_result(name))
      return false;
    halves = halves || is_half(LLVMTypeOf(p));
  }
  return halves && LLVMCountParams(function) > 0 && LLVMCountParams(function) <= MOST_PARAMETERS;
}

/* Returns whether the function is provided elsewhere. */
static bool is_provided(const char *name) {
  return builtin_is_image_function(name) || strncmp(name, "sub_group", 9) == 0 || strncmp(name, "work_group", 10) == 0;
}

/* Returns the number of characters that a pointer to a space has in a mangled name ("PU3AS1"), and 0 elsewhere. */
static size_t spaced_pointer(const char *at) {
  return strncmp(at, "PU3AS", 5) == 0 && at[5] ? 6 : 0;
}

/* Writes the mangled name of the function that stands in, with pointers to private memory: "_Z4sqrtDv4_Dh" to
 * "_Z4sqrtDv4_f", "convert_half4" to "convert_float4", "_Z5fractDhPU3AS1Dh" to "_Z5fractfPf". */
static void name_of_stand_in(const struct half_function *f, char letter, char *out, size_t size) {
  const char *found = strstr(ir_name(f->function), f->name);
  const char *types = found ? found + strlen(f->name) : "";
  const bool converts = strncmp(f->name, "convert_half", 12) == 0;
  char other[80];
  snprintf(other, sizeof other, converts ? "convert_float%s" : "%s", converts ? f->name + 12 : f->name);
  size_t length = (size_t)snprintf(out, size, "_Z%zu%s", strlen(other), other);
  for (const char *c = types; *c && length + 1 < size; c++) {
    const bool half = c[0] == 'D' && c[1] == 'h';
    const size_t spaced = spaced_pointer(c);
    out[length++] = half ? letter : *c;
    c += half ? 1 : spaced ? spaced - 1 : 0;
  }
  out[length] = '\0';
}

static LLVMTypeRef replaced(LLVMTypeRef type, struct stand_in s) {
  return is_half(type) ? half_shaped(type, s.element) : type;
}

/* Relations on vectors give a short for each half and an int for each float. */
static LLVMTypeRef result_of(const struct half_function *f, struct stand_in s) {
  uint32_t elements;
  const bool relation = ir_is_vector(f->result) && strncmp(f->name, "is", 2) == 0;
  return (relation || (ir_is_vector(f->result) && strcmp(f->name, "signbit") == 0)) &&
                 LLVMGetTypeKind(ir_element(f->result, &elements)) == LLVMIntegerTypeKind
             ? half_shaped(f->result, LLVMInt32TypeInContext(f->l->context))
             : replaced(f->result, s);
}

static LLVMValueRef widened(const struct half_function *f, LLVMValueRef value, struct stand_in s) {
  if (!is_half(LLVMTypeOf(value)))
    return value;
  LLVMTypeRef type = half_shaped(LLVMTypeOf(value), s.element);
  return s.letter == 'f' ? LLVMBuildFPExt(f->b, value, type, "") : LLVMBuildBitCast(f->b, value, type, "");
}

/* Returns the value with the type of the function's result, or of what it stores. */
static LLVMValueRef narrowed(const struct half_function *f, LLVMValueRef value, LLVMTypeRef type, struct stand_in s) {
  if (LLVMTypeOf(value) == type)
    return value;
  if (is_half(type))
    return s.letter == 'f' ? half_round(f->b, value, type, "") : LLVMBuildBitCast(f->b, value, type, "");
  return LLVMBuildTrunc(f->b, value, type, "");
}

/* Stores what the function that stands in has left in `room` where the function's last argument points to. */
static void store_second(const struct half_function *f, LLVMValueRef room, struct stand_in s) {
  LLVMTypeRef own = builtin_second_result(f->l, f->name, f->result);
  LLVMValueRef value = LLVMBuildLoad2(f->b, replaced(own, s), room, "");
  LLVMBuildStore(f->b, narrowed(f, value, own, s), LLVMGetLastParam(f->function));
}

static LLVMValueRef call_stand_in(const struct half_function *f, struct stand_in s) {
  LLVMTypeRef types[MOST_PARAMETERS];
  LLVMValueRef values[MOST_PARAMETERS], room = NULL;
  const unsigned count = LLVMCountParams(f->function);
  char other[160];
  for (unsigned i = 0; i < count; i++) {
    values[i] = widened(f, LLVMGetParam(f->function, i), s);
    if (is_pointer(LLVMTypeOf(values[i])))
      values[i] = room = LLVMBuildAlloca(f->b, replaced(builtin_second_result(f->l, f->name, f->result), s), "");
    types[i] = LLVMTypeOf(values[i]);
  }
  name_of_stand_in(f, s.letter, other, sizeof other);
  LLVMTypeRef type = LLVMFunctionType(result_of(f, s), types, count, false);
  LLVMValueRef callee = ir_declare(f->l, other, type);
  LLVMSetFunctionCallConv(callee, LLVMGetFunctionCallConv(f->function));
  LLVMValueRef call = LLVMBuildCall2(f->b, type, callee, values, count, "");
  LLVMSetInstructionCallConv(call, LLVMGetFunctionCallConv(f->function));
  if (room)
    store_second(f, room, s);
  return call;
}

static LLVMValueRef in_doubles(const struct half_function *f, unsigned i) {
  LLVMValueRef p = LLVMGetParam(f->function, i);
  return LLVMBuildFPExt(f->b, p, half_shaped(LLVMTypeOf(p), LLVMDoubleTypeInContext(f->l->context)), "");
}

static LLVMValueRef fused(const struct half_function *f) {
  LLVMValueRef product = LLVMBuildFMul(f->b, in_doubles(f, 0), in_doubles(f, 1), "");
  return half_round(f->b, LLVMBuildFAdd(f->b, product, in_doubles(f, 2), ""), f->result, "");
}

/* Each product and each sum is rounded, as in the code of a GPU for halves. */
static LLVMValueRef dot_product(const struct half_function *f) {
  LLVMValueRef products = LLVMBuildFMul(f->b, LLVMGetParam(f->function, 0), LLVMGetParam(f->function, 1), "");
  LLVMValueRef sum = products;
  for (uint32_t k = 0; ir_is_vector(LLVMTypeOf(products)) && k < ir_elements(products); k++) {
    LLVMValueRef index = LLVMConstInt(LLVMInt32TypeInContext(f->l->context), k, false);
    LLVMValueRef product = LLVMBuildExtractElement(f->b, products, index, "");
    sum = k == 0 ? product : LLVMBuildFAdd(f->b, sum, product, "");
  }
  return sum;
}

/* The reciprocal of a root that is rounded, as lavapipe computes it: chains of halves then agree with its pictures. */
static LLVMValueRef reciprocal_root(const struct half_function *f) {
  struct half_function root = *f;
  root.name = "sqrt";
  LLVMValueRef rounded = half_round(f->b, call_stand_in(&root, floats(f)), f->result, "");
  return LLVMBuildFDiv(f->b, half_filled(f->result, 1), rounded, "");
}

/* x - floor(x), which stays below 1 where rounding would give 1. */
static LLVMValueRef fraction(const struct half_function *f) {
  LLVMValueRef value = half_round(f->b, call_stand_in(f, floats(f)), f->result, "");
  LLVMValueRef most = half_filled(f->result, BELOW_ONE);
  return LLVMBuildSelect(f->b, LLVMBuildFCmp(f->b, LLVMRealOGT, value, most, ""), most, value, "");
}

/* Returns the value of a conversion to halves, or between floating-point types; NULL: the function is none. */
static LLVMValueRef converted(const struct half_function *f) {
  uint32_t elements;
  if (strncmp(f->name, "convert_", 8) != 0 || LLVMCountParams(f->function) != 1 || strstr(f->name, "_sat"))
    return NULL;
  LLVMValueRef p = LLVMGetParam(f->function, 0);
  if (LLVMTypeOf(p) != half_shaped(f->result, element_type(LLVMTypeOf(p))))
    return NULL;
  const LLVMTypeKind to = LLVMGetTypeKind(ir_element(f->result, &elements)),
                     from = LLVMGetTypeKind(ir_element(LLVMTypeOf(p), &elements));
  if (to == from)
    return p;
  if (to == LLVMHalfTypeKind) {
    LLVMValueRef value = from == LLVMIntegerTypeKind ? call_stand_in(f, floats(f)) : p;
    return half_round(f->b, value, f->result, f->name);
  }
  return to == LLVMFloatTypeKind || to == LLVMDoubleTypeKind ? LLVMBuildFPExt(f->b, p, f->result, "") : NULL;
}

/* Returns the number of parameters if all that are no pointers have one type, that of the result or vectors of it; 0:
 * the source declares a function of other types than OpenCL's, or some have other types. */
static unsigned numbers_alike(const struct half_function *f) {
  const unsigned count = LLVMCountParams(f->function);
  LLVMTypeRef first = LLVMTypeOf(LLVMGetParam(f->function, 0));
  for (unsigned i = 1; i < count; i++)
    if (LLVMTypeOf(LLVMGetParam(f->function, i)) != first && !is_pointer(LLVMTypeOf(LLVMGetParam(f->function, i))))
      return 0;
  return first == f->result || element_type(first) == f->result ? count : 0;
}

/* Returns the value of a function that is not the rounded one on floats, and NULL for others. */
static LLVMValueRef value_of_its_own(const struct half_function *f) {
  const unsigned count = numbers_alike(f);
  LLVMValueRef first = LLVMGetParam(f->function, 0);
  if (strcmp(f->name, "fma") == 0 && count == 3 && LLVMTypeOf(first) == f->result)
    return fused(f);
  if (strcmp(f->name, "rsqrt") == 0 && count == 1)
    return reciprocal_root(f);
  if (strcmp(f->name, "dot") == 0 && count == 2)
    return dot_product(f);
  if (strcmp(f->name, "fract") == 0 && count == 2)
    return fraction(f);
  if (strcmp(f->name, "nextafter") == 0 && count == 2)
    return half_next_after(f->b, first, LLVMGetParam(f->function, 1));
  if (strcmp(f->name, "nan") == 0 && LLVMTypeOf(first) == half_shaped(f->result, integers(f).element))
    return half_not_a_number(f->b, first, f->result);
  return converted(f);
}

static LLVMValueRef value_of(const struct half_function *f) {
  const struct stand_in s = moves_bits(f->name) ? integers(f) : floats(f);
  LLVMValueRef value = value_of_its_own(f);
  return value ? value : narrowed(f, call_stand_in(f, s), f->result, s);
}

void half_functions_define(struct lowering *l, LLVMValueRef function) {
  char name[64];
  builtin_name(function, name, sizeof name);
  if (!LLVMIsDeclaration(function) || LLVMGetIntrinsicID(function) || strncmp(ir_name(function), "_Z", 2) != 0 ||
      !takes_or_returns_halves(function, name) || is_provided(name))
    return;
  struct half_function f = {l, LLVMCreateBuilderInContext(l->context), function, name,
                            LLVMGetReturnType(LLVMGlobalGetValueType(function))};
  LLVMPositionBuilderAtEnd(f.b, LLVMAppendBasicBlockInContext(l->context, function, ""));
  LLVMBuildRet(f.b, value_of(&f));
  LLVMDisposeBuilder(f.b);
  LLVMSetLinkage(function, LLVMLinkOnceODRLinkage); /* as the library's: the optimiser may not change its type */
  LLVMGlobalClearMetadata(function);
}
