/* Loads that a compiler for GPUs places late: just before the first use of their value.
 *
 * A load of local memory takes some tens of cycles, so a compiler that is short of registers need not start it long
 * before its value is used, as LLVM's order does where all loads of a step of a loop go before all of its arithmetic.
 * A load of global memory stays where it is: its latency is worth a register. A load does not pass an instruction that
 * may write to memory; a barrier ends its block.
 *
 * Ownership: nothing is kept. Errors: none. Cost: linear in the instructions between the load and its end.
 * Source: Goodman, Hsu, "Code Scheduling and Register Allocation in Large Basic Blocks", ICS 1988: scheduling for few
 * registers, where a value is loaded when it is needed, against scheduling for latency; that the space decides between
 * the two is assumed. */
#ifndef TRACEGEN_LATE_LOADS_H
#define TRACEGEN_LATE_LOADS_H

#include "tracegen/lower/ir/lowering.h"

/* Returns whether the value is a load that may be placed later in its block. */
bool late_loads_has(LLVMValueRef value);
/* Returns the instruction that such a load may not pass: the first one behind it that may write to memory, else the end
 * of its block. */
LLVMValueRef late_loads_end(LLVMValueRef load);

#endif
