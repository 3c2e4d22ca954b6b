/* Bitcode that clang wrote -> a module of LLVM. Private to tracegen/lower. */
#ifndef TRACEGEN_READ_BITCODE_H
#define TRACEGEN_READ_BITCODE_H

#include "tracegen/lower/ir/lowering.h"

/* Reads bitcode in l->context into l->module, which the caller disposes of, also after an error. */
int lower_read(struct lowering *l, const char *bitcode, size_t length);

#endif
