/* Built-in functions on 16-bit floats, which PoCL's library lacks. Private to tracegen/lower/builtins. */
#ifndef TRACEGEN_HALF_FUNCTIONS_H
#define TRACEGEN_HALF_FUNCTIONS_H

#include "tracegen/lower/ir/lowering.h"

/* Defines a function that the module declares and that takes or returns halves: mostly it extends them, calls the
 * function on floats, and rounds the result once. A second result (fract, frexp) is stored where the last argument
 * points to, in any address space. Other functions stay as they are. Errors: none; a function that the source declares
 * with other types than OpenCL's stays without a definition or calls one that is not there, which is refused later. */
void half_functions_define(struct lowering *l, LLVMValueRef function);

#endif
