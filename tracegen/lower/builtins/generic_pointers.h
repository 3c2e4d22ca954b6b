/* Built-in functions of OpenCL C 2.0 and 3.0 that take generic pointers. Private to tracegen/lower.
 *
 * PoCL's library defines fract, vload_half, atomic_fetch_add and their like for pointers with an address space only. A
 * call with a generic pointer becomes a call of the definition for global pointers: to the emulator, pointers of all
 * spaces are addresses of one memory, and which space an access is to is found from its root (pointer_root.h), not from
 * the type of the pointer. The second pointer of atomic_compare_exchange_* is always private in the library. Source:
 * OpenCL C 3.0, sections 6.7.5 and 6.15. */
#ifndef TRACEGEN_GENERIC_POINTERS_H
#define TRACEGEN_GENERIC_POINTERS_H

#include "tracegen/lower/ir/lowering.h"

/* Replaces the calls of a function that is declared with generic pointers; any other function stays as it is. Runs
 * before the library is linked. */
void generic_pointers_replace(struct lowering *l, LLVMValueRef declaration);

#endif
