/* Built-in functions on 16-bit floats, which PoCL's library lacks. Private to tracegen/lower/builtins. */
#ifndef TRACEGEN_HALF_FUNCTIONS_H
#define TRACEGEN_HALF_FUNCTIONS_H

#include "tracegen/lower/ir/lowering.h"

/* Defines a function that the module declares and that takes or returns halves: it extends them, calls the function
 * on floats, and rounds the result once. Other functions stay as they are, and so do those whose value on halves is
 * not that on floats (nextafter, nan) and those that take pointers. Errors: none. */
void half_functions_define(struct lowering *l, LLVMValueRef function);

#endif
