/* Alignment of accesses. Private to tracegen/lower/describe. */
#ifndef TRACEGEN_ALIGNMENT_H
#define TRACEGEN_ALIGNMENT_H

#include "tracegen/lower/ir/lowering.h"

/* The power of two that the address of an access has to be a multiple of, and that the run has to compare it with; 1
 * where the address is certain to be aligned. `type` is what is accessed. Cost: at most 64 steps back from
 * `pointer`. */
uint8_t alignment_to_check(struct lowering *l, LLVMValueRef access, LLVMValueRef pointer, LLVMTypeRef type);

#endif
