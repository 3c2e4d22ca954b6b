/* Calls of printf in a kernel. Private to tracegen/lower.
 *
 * The format has to be a literal. It is parsed when the kernel is built, so that an error has a line and a running
 * work-item only stores its values. The call stays one operation. Source: OpenCL C 1.2, section 6.12.13. */
#ifndef TRACEGEN_PRINT_CALLS_H
#define TRACEGEN_PRINT_CALLS_H

#include "tracegen/lower/ir/lowering.h"

#define PRINT_VALUE_ALIGNMENT 8 /* bytes: of each value that a call stores */

/* Fills program->prints for all calls of the optimised kernel; the format in a call becomes 1 + its index there. */
int print_calls_read(struct lowering *l);
bool print_call_is(LLVMValueRef instruction);

#endif
