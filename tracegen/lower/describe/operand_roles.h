/* Describes the operands of an operation, where a target's price depends on them. Private to
 * tracegen/lower/describe. */
#ifndef TRACEGEN_OPERAND_ROLES_H
#define TRACEGEN_OPERAND_ROLES_H

#include "tracegen/lower/ir/lowering.h"
#include "trace/code.h"

/* Returns the name that the operation of this class gets in the code table, NULL where it gets none:
 *   "offset"    address arithmetic that adds constants only, for accesses and further such arithmetic only
 *   "index"     an extension whose result only address arithmetic uses, as an index
 *   "product"   an integer addition or subtraction of a product that nothing else uses, of 32 bits at most
 *   "constant"  an integer division or remainder by a constant
 *   "negation"  the change of a float's sign
 * Cost: the uses of the instruction and, for address arithmetic, of what is derived from it. */
const char *operand_role(LLVMValueRef instruction, enum trace_op_class op_class);

/* Returns the address space that address arithmetic points to. */
enum trace_space address_space_of(LLVMValueRef pointer);

#endif
