/* PoCL's library of built-in functions. Private to tracegen/lower/builtins. */
#ifndef TRACEGEN_BUILTIN_LIBRARY_H
#define TRACEGEN_BUILTIN_LIBRARY_H

#include "tracegen/lower/ir/lowering.h"

/* Defines the functions that the module declares and the library has; other declarations stay. */
int builtin_library_link(struct lowering *l);

#endif
