/* Repair of a defect of PoCL's library. Private to tracegen/lower/builtins. */
#ifndef TRACEGEN_WIDE_ARGUMENTS_H
#define TRACEGEN_WIDE_ARGUMENTS_H

#include "tracegen/lower/ir/lowering.h"

/* Makes a function of the library pass its vectors of more than 16 bytes on (wide_arguments.c). */
void wide_arguments_repair(struct lowering *l, LLVMValueRef wrapper);

#endif
