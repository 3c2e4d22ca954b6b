/* Where a pointer comes from. Private to tracegen/lower/describe. */
#ifndef TRACEGEN_POINTER_ROOT_H
#define TRACEGEN_POINTER_ROOT_H

#include "tracegen/lower/ir/lowering.h"

/* Finds the argument or variable that `pointer` points into; ROOT_UNKNOWN where there are several. An error, at `user`,
 * where the address space cannot be known. Cost: at most 64 steps back from `pointer`. */
int pointer_root_find(struct lowering *l, LLVMValueRef pointer, LLVMValueRef user, struct pointer_root *root);

#endif
