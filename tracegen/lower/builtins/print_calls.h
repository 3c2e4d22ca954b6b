/* Calls of printf in a kernel. Private to tracegen.
 *
 * The format must be a literal: it is taken apart when the kernel is built, so that a mistake has a line and a running
 * work-item only stores its values. The call itself stays one operation. */
#ifndef TRACEGEN_PRINT_CALLS_H
#define TRACEGEN_PRINT_CALLS_H

#include "tracegen/lower/instrument/instrument.h"

bool print_is_call(LLVMValueRef instruction);
/* All calls of the optimised kernel -> program->prints; a call's format becomes its index there. */
int print_calls_read(struct lowering *l);
/* At the builder's place, in front of the call: stores its values and hands them to emulation_print. */
void print_call_lower(struct instrumenter *n, LLVMValueRef call);

#endif
