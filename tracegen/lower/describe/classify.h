/* Classes of the code table: what LLVM's instructions, intrinsics and calls of built-in functions count as. Private
 * to tracegen/lower/describe.
 *
 * OP_CLASS_COUNT stands for an instruction that is no operation. Errors: -1 for what has no class; the caller
 * reports it by name. Cost: a search of a table. */
#ifndef TRACEGEN_CLASSIFY_H
#define TRACEGEN_CLASSIFY_H

#include "tracegen/lower/ir/lowering.h"

int opcode_class(LLVMOpcode opcode, enum trace_op_class *out);
/* *name becomes the intrinsic's name without "llvm." and types ("sqrt"). */
int intrinsic_class(const char *full_name, enum trace_op_class *out, const char **name);
/* The class of a call of a built-in function that is not inlined. */
enum trace_op_class builtin_class(const char *name, LLVMTypeRef result);

#endif
