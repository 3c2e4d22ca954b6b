/* The first operation that needs what a load or atomic operation gives. Private to tracegen/lower. */
#ifndef TRACEGEN_LOWER_DESCRIBE_FIRST_USES_H
#define TRACEGEN_LOWER_DESCRIBE_FIRST_USES_H

#include "tracegen/lower/ir/lowering.h"

/* Fills first_use of the operations of the code table. `op_of`: instruction -> operation; `instructions`: by
 * operation. Returns -1 without memory. */
int first_uses_find(struct lowering *l, const struct value_map *op_of, const LLVMValueRef *instructions);

#endif
