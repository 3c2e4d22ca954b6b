/* LLVM's instructions and intrinsics -> classes of the code table. OP_CLASS_COUNT: no operation at all.
 * All return -1 for what is unknown: the caller must refuse it by name. */
#ifndef TRACEGEN_CLASSIFY_H
#define TRACEGEN_CLASSIFY_H

#include "tracegen/lower/lower.h"

int opcode_class(LLVMOpcode opcode, enum trace_op_class *out);
/* *name: the intrinsic without "llvm." and types ("sqrt"). */
int intrinsic_class(const char *full_name, enum trace_op_class *out, const char **name);

#endif
