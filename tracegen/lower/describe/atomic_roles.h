/* Describes atomic operations, where a compiler or a GPU can carry out those of several work-items as one. Private to
 * tracegen/lower/describe. */
#ifndef TRACEGEN_ATOMIC_ROLES_H
#define TRACEGEN_ATOMIC_ROLES_H

#include "tracegen/lower/ir/instructions.h"
#include "tracegen/lower/ir/value_map.h"

/* Returns the name that an atomic operation gets in the code table, NULL where it gets none:
 *   "uniform"    its address is the same in all work-items of a work-group that are here at the same time, as the code
 *                shows, and their values can be put together first: an addition or a subtraction (of 64 bits: of
 *                constants only), or a minimum, maximum, and, or, exclusive or of 32 bits whose result nothing uses
 *   "increment"  at other addresses: adds one to a number of 32 bits, and nothing uses the result
 * These are the operations that NVIDIA's compiler (ptxas 13.0, for sm_75 to sm_90) merges, and those of local memory
 * that it makes counting instructions of (sm_86, sm_90). `block_ids` numbers the kernel's blocks in weak topological
 * order. Cost: the operations that the address is computed from, at most some hundreds. */
const char *atomic_role(LLVMValueRef instruction, const struct value_map *block_ids);

#endif
