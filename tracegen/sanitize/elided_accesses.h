/* Accesses outside of private variables that the optimiser removes: it keeps variables in registers, where nothing
 * lies outside, and gives any value to an element that a vector does not have or to a null pointer's target. Private
 * to tracegen/sanitize.
 *
 * Variables with parts get numbers before optimisation. In a copy of the module (shadow_propagation.c), and in the
 * version for the dry run, traps stand in front of such accesses. Where a trap remains in the copy, and the variable
 * is in memory no more in the traced version, the kernel needs checking. A variable in memory has ordinary checks. */
#ifndef TRACEGEN_ELIDED_ACCESSES_H
#define TRACEGEN_ELIDED_ACCESSES_H

#include "tracegen/sanitize/sanitize.h"

/* Marks the indices of vload and vstore, before functions are inlined. */
void elided_accesses_mark(struct lowering *l);
/* Takes the marks away, and puts traps in front of accesses, with functions inlined and plain variables in
 * registers. */
int elided_accesses_trap(struct lowering *l);
/* Notes in l->suspects which traps are left in an optimised copy `from` of l->module. */
void elided_accesses_suspect(struct lowering *l, LLVMModuleRef from);

#endif
