/* 16-bit floats by their bits: values that are not those of a function on floats, rounded once. Private to
 * tracegen/lower/builtins. Types are half or vectors of halves; code is generated at the builder's place. */
#ifndef TRACEGEN_HALF_BITS_H
#define TRACEGEN_HALF_BITS_H

#include "tracegen/lower/ir/lowering.h"

/* Returns a type of the same shape as `type`, with `element` for its elements. */
LLVMTypeRef half_shaped(LLVMTypeRef type, LLVMTypeRef element);
/* Returns a value of this floating-point type whose elements are all `value`. */
LLVMValueRef half_filled(LLVMTypeRef type, double value);

/* Returns the floats or doubles of `value` as the type `result`, rounded as the name of a conversion says: "_rtz"
 * towards zero, "_rtp" up, "_rtn" down, else to nearest even. */
LLVMValueRef half_round(LLVMBuilderRef b, LLVMValueRef value, LLVMTypeRef result, const char *conversion);
/* Returns the neighbour of x in the direction of y (OpenCL C 1.2, section 6.12.2). */
LLVMValueRef half_next_after(LLVMBuilderRef b, LLVMValueRef x, LLVMValueRef y);
/* Returns a quiet NaN of the type `result` with the low bits of `code`, integers of 16 bits. */
LLVMValueRef half_not_a_number(LLVMBuilderRef b, LLVMValueRef code, LLVMTypeRef result);

#endif
