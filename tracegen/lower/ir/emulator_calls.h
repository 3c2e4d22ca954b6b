/* Functions of the emulator that generated code calls, by name: code that is kept on disk is loaded by processes that
 * have them at other addresses. Private to tracegen/lower. */
#ifndef TRACEGEN_LOWER_EMULATOR_CALLS_H
#define TRACEGEN_LOWER_EMULATOR_CALLS_H

#include <stddef.h>

#include "tracegen/lower/ir/lowering.h"

struct emulator_call {
  const char *name; /* of the symbol: no name of OpenCL C, or one that LLVM calls by itself */
  void (*function)(void);
};

/* All of them; the last has no name. */
extern const struct emulator_call emulator_calls[];

/* Returns the declaration of the function in l->module. */
LLVMValueRef emulator_call_declare(struct lowering *l, void (*function)(void), LLVMTypeRef type);

#endif
