#include "tracegen/lower/builtins/half_bits.h"

#include <string.h>

#include "tracegen/lower/ir/instructions.h"

#define MOST_ELEMENTS 16
#define SIGN          0x8000
#define QUIET_NAN     0x7e00

LLVMTypeRef half_shaped(LLVMTypeRef type, LLVMTypeRef element) {
  return ir_is_vector(type) ? LLVMVectorType(element, LLVMGetVectorSize(type)) : element;
}

static LLVMValueRef spread(LLVMTypeRef type, LLVMValueRef element) {
  LLVMValueRef elements[MOST_ELEMENTS];
  for (unsigned k = 0; k < MOST_ELEMENTS; k++)
    elements[k] = element;
  return ir_is_vector(type) ? LLVMConstVector(elements, LLVMGetVectorSize(type)) : element;
}

static LLVMTypeRef element_of(LLVMTypeRef type) {
  return ir_is_vector(type) ? LLVMGetElementType(type) : type;
}

LLVMValueRef half_filled(LLVMTypeRef type, double value) {
  return spread(type, LLVMConstReal(element_of(type), value));
}

/* Returns integers of a type, all of this value. */
static LLVMValueRef numbers(LLVMTypeRef type, uint64_t value) {
  return spread(type, LLVMConstInt(element_of(type), value, false));
}

static LLVMTypeRef bits_of(LLVMTypeRef type) {
  return half_shaped(type, LLVMInt16TypeInContext(LLVMGetTypeContext(type)));
}

static LLVMValueRef is_negative(LLVMBuilderRef b, LLVMValueRef bits) {
  return LLVMBuildICmp(b, LLVMIntSLT, bits, numbers(LLVMTypeOf(bits), 0), "");
}

/* Returns the bits of the neighbour that is further from zero, or nearer to it. */
static LLVMValueRef stepped(LLVMBuilderRef b, LLVMValueRef bits, LLVMValueRef away_from_zero) {
  LLVMValueRef one = numbers(LLVMTypeOf(bits), 1);
  return LLVMBuildSelect(b, away_from_zero, LLVMBuildAdd(b, bits, one, ""), LLVMBuildSub(b, bits, one, ""), "");
}

LLVMValueRef half_round(LLVMBuilderRef b, LLVMValueRef value, LLVMTypeRef result, const char *conversion) {
  LLVMValueRef nearest = LLVMBuildFPTrunc(b, value, result, ""),
               back = LLVMBuildFPExt(b, nearest, LLVMTypeOf(value), "");
  LLVMValueRef below = LLVMBuildFCmp(b, LLVMRealOLT, back, value, ""),
               above = LLVMBuildFCmp(b, LLVMRealOGT, back, value, "");
  LLVMValueRef bits = LLVMBuildBitCast(b, nearest, bits_of(result), ""), negative = is_negative(b, bits);
  LLVMValueRef wrong, away_from_zero;
  if (strstr(conversion, "_rtz")) {
    wrong = LLVMBuildSelect(b, negative, below, above, "");
    away_from_zero = LLVMConstNull(LLVMTypeOf(wrong));
  } else if (strstr(conversion, "_rtp")) {
    wrong = below;
    away_from_zero = LLVMBuildNot(b, negative, "");
  } else if (strstr(conversion, "_rtn")) {
    wrong = above;
    away_from_zero = negative;
  } else
    return nearest;
  return LLVMBuildBitCast(b, LLVMBuildSelect(b, wrong, stepped(b, bits, away_from_zero), bits, ""), result, "");
}

LLVMValueRef half_next_after(LLVMBuilderRef b, LLVMValueRef x, LLVMValueRef y) {
  LLVMTypeRef type = LLVMTypeOf(x), bits_type = bits_of(type);
  LLVMValueRef bits = LLVMBuildBitCast(b, x, bits_type, ""), other = LLVMBuildBitCast(b, y, bits_type, "");
  LLVMValueRef less = LLVMBuildFCmp(b, LLVMRealOLT, x, y, ""), equal = LLVMBuildFCmp(b, LLVMRealOEQ, x, y, "");
  LLVMValueRef moved = stepped(b, bits, LLVMBuildXor(b, less, is_negative(b, bits), ""));
  LLVMValueRef smallest =
      LLVMBuildOr(b, LLVMBuildAnd(b, other, numbers(bits_type, SIGN), ""), numbers(bits_type, 1), "");
  LLVMValueRef is_zero = LLVMBuildFCmp(b, LLVMRealOEQ, x, half_filled(type, 0), "");
  LLVMValueRef next = LLVMBuildBitCast(b, LLVMBuildSelect(b, is_zero, smallest, moved, ""), type, "");
  LLVMValueRef unordered = LLVMBuildFCmp(b, LLVMRealUNO, x, y, "");
  next = LLVMBuildSelect(b, equal, y, next, "");
  return LLVMBuildSelect(b, unordered, LLVMBuildFAdd(b, x, y, ""), next, "");
}

LLVMValueRef half_not_a_number(LLVMBuilderRef b, LLVMValueRef code, LLVMTypeRef result) {
  LLVMTypeRef type = LLVMTypeOf(code);
  LLVMValueRef low = LLVMBuildAnd(b, code, numbers(type, QUIET_NAN ^ 0x7fff), "");
  return LLVMBuildBitCast(b, LLVMBuildOr(b, low, numbers(type, QUIET_NAN), ""), result, "");
}
