/* Operands: for each operation of the code table, the operations whose values it uses (trace_code.operands). An
 * instruction that is no operation, such as a marker, passes its own operands on.
 *
 * Ownership: the program's code owns what is allocated. Errors: memory, in l->error. Cost: O(operands). Threads: one
 * at a time. */
#ifndef TRACEGEN_OPERANDS_H
#define TRACEGEN_OPERANDS_H

#include "tracegen/lower/ir/lowering.h"

/* `op_of`: an instruction -> its first operation; `instructions`: by operation. */
int operands_find(struct lowering *l, const struct value_map *op_of, const LLVMValueRef *instructions);

#endif
