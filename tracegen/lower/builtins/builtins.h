/* The pass that gives a kernel OpenCL's built-in functions. Private to tracegen/lower. */
#ifndef TRACEGEN_BUILTINS_H
#define TRACEGEN_BUILTINS_H

#include "tracegen/lower/ir/lowering.h"

/* Links what the kernel uses of PoCL's library and marks each function as inlined or opaque. Cost: 0.4 ms where the
 * functions are in the cache (builtin_cache.h), 35 ms where the library is read. */
int builtins_link(struct lowering *l);

/* Returns whether the library must not define a function: work-item functions, barriers, printf, image functions,
 * markers. */
bool builtin_stays_declared(LLVMValueRef function);

#endif
