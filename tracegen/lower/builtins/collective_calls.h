/* Functions by which work-items exchange values (abi/collective.h), and those that say which work-items form a
 * sub-group. Private to tracegen/lower. */
#ifndef TRACEGEN_LOWER_BUILTINS_COLLECTIVE_CALLS_H
#define TRACEGEN_LOWER_BUILTINS_COLLECTIVE_CALLS_H

#include "tracegen/lower/ir/lowering.h"

/* Notes in l->program that the kernel uses such a declared function, and keeps the optimiser from merging its
 * calls or moving them to other paths: which work-items take part depends on where a call stands. */
void collective_calls_mark(struct lowering *l, LLVMValueRef function);
/* Returns whether the arguments and the result fit into the memory that carries them. */
bool collective_call_fits(struct lowering *l, LLVMValueRef call);

#endif
