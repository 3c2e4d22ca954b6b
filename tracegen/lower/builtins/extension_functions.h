/* Built-in functions of extensions that PoCL's library lacks: bit operations (cl_khr_extended_bit_ops), dot products of
 * integers (cl_khr_integer_dot_product, cl_arm_integer_dot_product_*) and atomic functions on floating-point numbers
 * (cl_ext_float_atomics). Private to tracegen/lower/builtins. */
#ifndef TRACEGEN_EXTENSION_FUNCTIONS_H
#define TRACEGEN_EXTENSION_FUNCTIONS_H

#include "tracegen/lower/ir/lowering.h"

/* Defines a function that the module declares and that is one of these, with the types that its extension gives it.
 * Others stay as they are. Errors: none. */
void extension_functions_define(struct lowering *l, LLVMValueRef function);

#endif
