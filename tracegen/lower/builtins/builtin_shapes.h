/* Types with which a kernel declares built-in functions. Private to tracegen/lower/builtins. */
#ifndef TRACEGEN_BUILTIN_SHAPES_H
#define TRACEGEN_BUILTIN_SHAPES_H

#include "tracegen/lower/ir/lowering.h"

/* An error where a function that the emulator implements is declared or called with other types than OpenCL's. Runs
 * before anything is linked. */
int builtin_shapes_check(struct lowering *l);
/* Sets that error for `call` of function `name`. Returns -1. */
int builtin_shape_refuse(struct lowering *l, LLVMValueRef call, const char *name);

#endif
