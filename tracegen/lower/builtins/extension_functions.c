#include "tracegen/lower/builtins/extension_functions.h"

#include <string.h>

#include "tracegen/lower/ir/builtin_names.h"
#include "tracegen/lower/ir/instructions.h"

#define MOST_PARAMETERS 4

/* A function while its body is made. */
struct extension_function {
  struct lowering *l;
  LLVMBuilderRef b;
  LLVMValueRef function;
  const char *name, *types; /* without mangling; the mangled types of the parameters */
  LLVMTypeRef result;
  unsigned count;
  LLVMValueRef p[MOST_PARAMETERS];
};

static bool starts(const char *text, const char *prefix) {
  return strncmp(text, prefix, strlen(prefix)) == 0;
}

static bool is_integer(LLVMTypeRef type) {
  uint32_t elements;
  return LLVMGetTypeKind(ir_element(type, &elements)) == LLVMIntegerTypeKind;
}

static bool is_word(LLVMTypeRef type) {
  return LLVMGetTypeKind(type) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(type) == 32;
}

static LLVMTypeRef element_type(LLVMTypeRef type) {
  return ir_is_vector(type) ? LLVMGetElementType(type) : type;
}

static LLVMValueRef call_intrinsic(const struct extension_function *f, const char *name, LLVMValueRef *values,
                                   unsigned count) {
  LLVMTypeRef type = LLVMTypeOf(values[0]);
  const unsigned id = LLVMLookupIntrinsicID(name, strlen(name));
  LLVMValueRef callee = LLVMGetIntrinsicDeclaration(f->l->module, id, &type, 1);
  return LLVMBuildCall2(f->b, LLVMIntrinsicGetType(f->l->context, id, &type, 1), callee, values, count, "");
}

/* ---- bits ---- */

/* Returns integers of the result's type, all equal to a number that is known when the kernel runs. */
static LLVMValueRef spread(const struct extension_function *f, LLVMValueRef number) {
  LLVMValueRef element = LLVMBuildIntCast2(f->b, number, element_type(f->result), false, "");
  if (!ir_is_vector(f->result))
    return element;
  LLVMValueRef vector = LLVMConstNull(f->result);
  for (unsigned k = 0; k < LLVMGetVectorSize(f->result); k++) {
    LLVMValueRef index = LLVMConstInt(LLVMInt32TypeInContext(f->l->context), k, false);
    vector = LLVMBuildInsertElement(f->b, vector, element, index, "");
  }
  return vector;
}

/* Returns a distance for shifts, always one that they allow: `number` modulo the bits of an element. */
static LLVMValueRef distance(const struct extension_function *f, LLVMValueRef number) {
  LLVMTypeRef type = LLVMTypeOf(number);
  const unsigned width = LLVMGetIntTypeWidth(element_type(f->result));
  return spread(f, LLVMBuildAnd(f->b, number, LLVMConstInt(type, width - 1, false), ""));
}

static LLVMValueRef bits_without(const struct extension_function *f, LLVMValueRef first, LLVMValueRef second) {
  LLVMTypeRef type = LLVMTypeOf(first);
  LLVMValueRef width = LLVMConstInt(type, LLVMGetIntTypeWidth(element_type(f->result)), false);
  LLVMValueRef rest = LLVMBuildSub(f->b, width, first, "");
  return second ? LLVMBuildSub(f->b, rest, second, "") : rest;
}

static LLVMValueRef or_zero(const struct extension_function *f, LLVMValueRef count, LLVMValueRef value) {
  LLVMValueRef none = LLVMBuildICmp(f->b, LLVMIntEQ, count, LLVMConstNull(LLVMTypeOf(count)), "");
  return LLVMBuildSelect(f->b, none, LLVMConstNull(f->result), value, "");
}

/* (base, insert, offset, count): bits [offset, offset + count) come from the low bits of `insert`. */
static LLVMValueRef bitfield_insert(const struct extension_function *f) {
  LLVMValueRef ones = LLVMBuildLShr(f->b, LLVMConstAllOnes(f->result), distance(f, bits_without(f, f->p[3], NULL)), "");
  LLVMValueRef offset = distance(f, f->p[2]);
  LLVMValueRef mask = LLVMBuildShl(f->b, or_zero(f, f->p[3], ones), offset, "");
  LLVMValueRef kept = LLVMBuildAnd(f->b, f->p[0], LLVMBuildNot(f->b, mask, ""), "");
  LLVMValueRef moved = LLVMBuildShl(f->b, f->p[1], offset, "");
  return LLVMBuildOr(f->b, kept, LLVMBuildAnd(f->b, moved, mask, ""), "");
}

/* (base, offset, count) */
static LLVMValueRef bitfield_extract(const struct extension_function *f) {
  LLVMValueRef high = LLVMBuildShl(f->b, f->p[0], distance(f, bits_without(f, f->p[1], f->p[2])), "");
  LLVMValueRef back = distance(f, bits_without(f, f->p[2], NULL));
  const bool is_signed = strcmp(f->name, "bitfield_extract_signed") == 0;
  LLVMValueRef value = is_signed ? LLVMBuildAShr(f->b, high, back, "") : LLVMBuildLShr(f->b, high, back, "");
  return or_zero(f, f->p[2], value);
}

static LLVMValueRef bit_operation(const struct extension_function *f) {
  LLVMValueRef first = f->p[0];
  const bool fits = is_integer(f->result) && LLVMTypeOf(first) == f->result;
  if (fits && strcmp(f->name, "bit_reverse") == 0 && f->count == 1)
    return call_intrinsic(f, "llvm.bitreverse", &first, 1);
  if (fits && strcmp(f->name, "bitfield_insert") == 0 && f->count == 4 && LLVMTypeOf(f->p[1]) == f->result &&
      is_word(LLVMTypeOf(f->p[2])) && is_word(LLVMTypeOf(f->p[3])))
    return bitfield_insert(f);
  if (fits && starts(f->name, "bitfield_extract_") && f->count == 3 && is_word(LLVMTypeOf(f->p[1])) &&
      is_word(LLVMTypeOf(f->p[2])))
    return bitfield_extract(f);
  return NULL;
}

/* ---- dot products ---- */

/* Returns whether an operand has a sign: by the letters behind "4x8packed_", else by the mangled types, in which a type
 * that is there again is "S_" or a digit between both. */
static bool is_signed(const struct extension_function *f, unsigned operand) {
  const char *packed = strstr(f->name, "4x8packed_");
  if (packed)
    return packed[10 + operand] == 's';
  const char *first = strpbrk(f->types, "chst"), *second = first ? strpbrk(first + 1, "chst") : NULL;
  const char *letter = operand == 1 && second ? second : first;
  return letter && (*letter == 'c' || *letter == 's');
}

/* Returns the operand as a vector of small integers; NULL: it is none. */
static LLVMValueRef small_integers(const struct extension_function *f, unsigned operand) {
  LLVMTypeRef type = LLVMTypeOf(f->p[operand]);
  if (strstr(f->name, "4x8packed") && is_word(type))
    return LLVMBuildBitCast(f->b, f->p[operand], LLVMVectorType(LLVMInt8TypeInContext(f->l->context), 4), "");
  return ir_is_vector(type) && is_integer(type) && LLVMGetIntTypeWidth(LLVMGetElementType(type)) <= 16 &&
                 LLVMGetVectorSize(type) <= 4
             ? f->p[operand]
             : NULL;
}

static LLVMValueRef widened(const struct extension_function *f, LLVMValueRef vector, bool with_sign) {
  LLVMTypeRef wide = LLVMVectorType(LLVMInt32TypeInContext(f->l->context), ir_elements(vector));
  return with_sign ? LLVMBuildSExt(f->b, vector, wide, "") : LLVMBuildZExt(f->b, vector, wide, "");
}

static LLVMValueRef sum_of_products(const struct extension_function *f, LLVMValueRef a, LLVMValueRef c) {
  LLVMValueRef products = LLVMBuildMul(f->b, widened(f, a, is_signed(f, 0)), widened(f, c, is_signed(f, 1)), "");
  LLVMValueRef sum = LLVMConstNull(LLVMInt32TypeInContext(f->l->context));
  for (uint32_t k = 0; k < ir_elements(products); k++) {
    LLVMValueRef index = LLVMConstInt(LLVMInt32TypeInContext(f->l->context), k, false);
    sum = LLVMBuildAdd(f->b, sum, LLVMBuildExtractElement(f->b, products, index, ""), "");
  }
  return sum;
}

static LLVMValueRef dot_product(const struct extension_function *f) {
  const bool saturates = starts(f->name, "dot_acc_sat") || starts(f->name, "arm_dot_acc_sat"),
             accumulates = saturates || starts(f->name, "arm_dot_acc");
  if (f->count != (accumulates ? 3u : 2u) || !is_word(f->result) || (accumulates && !is_word(LLVMTypeOf(f->p[2]))))
    return NULL;
  LLVMValueRef a = small_integers(f, 0), c = small_integers(f, 1);
  if (!a || !c || LLVMTypeOf(a) != LLVMTypeOf(c))
    return NULL;
  LLVMValueRef sum = sum_of_products(f, a, c), both[2] = {sum, accumulates ? f->p[2] : NULL};
  const bool with_sign = is_signed(f, 0) || is_signed(f, 1);
  if (saturates)
    return call_intrinsic(f, with_sign ? "llvm.sadd.sat" : "llvm.uadd.sat", both, 2);
  return accumulates ? LLVMBuildAdd(f->b, sum, both[1], "") : sum;
}

static bool is_dot_product(const char *name) {
  return starts(name, "dot") || starts(name, "arm_dot");
}

/* ---- atomic functions ---- */

static const struct {
  const char *name;
  LLVMAtomicRMWBinOp operation;
} fetches[] = {{"atomic_fetch_add", LLVMAtomicRMWBinOpFAdd},
               {"atomic_fetch_sub", LLVMAtomicRMWBinOpFSub},
               {"atomic_fetch_min", LLVMAtomicRMWBinOpFMin},
               {"atomic_fetch_max", LLVMAtomicRMWBinOpFMax}};

static bool names_fetch(const char *name, const char *fetch) {
  const char *rest = starts(name, fetch) ? name + strlen(fetch) : NULL;
  return rest && (!*rest || strcmp(rest, "_explicit") == 0);
}

/* The order and scope, if any, are stronger here. */
static LLVMValueRef float_atomic(const struct extension_function *f) {
  const LLVMTypeKind kind = LLVMGetTypeKind(f->result);
  if (f->count < 2 || LLVMGetTypeKind(LLVMTypeOf(f->p[0])) != LLVMPointerTypeKind || LLVMTypeOf(f->p[1]) != f->result ||
      (kind != LLVMFloatTypeKind && kind != LLVMDoubleTypeKind) || ir_space(f->p[0]) == IR_GENERIC)
    return NULL;
  for (size_t i = 0; i < sizeof fetches / sizeof *fetches; i++)
    if (names_fetch(f->name, fetches[i].name))
      return LLVMBuildAtomicRMW(f->b, fetches[i].operation, f->p[0], f->p[1], LLVMAtomicOrderingSequentiallyConsistent,
                                false);
  return NULL;
}

static bool is_of_extension(const char *name) {
  return starts(name, "bitfield_") || strcmp(name, "bit_reverse") == 0 || is_dot_product(name) ||
         starts(name, "atomic_fetch_");
}

static LLVMValueRef value_of(const struct extension_function *f) {
  return is_dot_product(f->name)            ? dot_product(f)
         : starts(f->name, "atomic_fetch_") ? float_atomic(f)
                                            : bit_operation(f);
}

void extension_functions_define(struct lowering *l, LLVMValueRef function) {
  char name[64];
  builtin_name(function, name, sizeof name);
  const unsigned count = LLVMCountParams(function);
  const char *types = strstr(ir_name(function), name);
  if (!LLVMIsDeclaration(function) || strncmp(ir_name(function), "_Z", 2) != 0 || !is_of_extension(name) || !types ||
      count < 1 || count > MOST_PARAMETERS)
    return;
  struct extension_function f = {l,
                                 LLVMCreateBuilderInContext(l->context),
                                 function,
                                 name,
                                 types + strlen(name),
                                 LLVMGetReturnType(LLVMGlobalGetValueType(function)),
                                 count,
                                 {NULL}};
  LLVMGetParams(function, f.p);
  LLVMBasicBlockRef body = LLVMAppendBasicBlockInContext(l->context, function, "");
  LLVMPositionBuilderAtEnd(f.b, body);
  LLVMValueRef value = value_of(&f);
  if (value) {
    LLVMBuildRet(f.b, value);
    LLVMSetLinkage(function, LLVMLinkOnceODRLinkage); /* as the library's: the optimiser may not change its type */
    LLVMGlobalClearMetadata(function);
  } else
    LLVMDeleteBasicBlock(body);
  LLVMDisposeBuilder(f.b);
}
