/* The optimised IR as text, one line for each operation (program->ir). Private to tracegen/lower/describe. */
#ifndef TRACEGEN_LISTING_H
#define TRACEGEN_LISTING_H

#include "tracegen/lower/ir/lowering.h"

/* Names the first `count` blocks of l->blocks after their ids. */
void listing_name_blocks(struct lowering *l, uint32_t count);
/* Fills program->ir; `instructions` is by operation. */
int listing_make(struct lowering *l, LLVMValueRef const *instructions);

#endif
