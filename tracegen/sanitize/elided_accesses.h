/* Accesses outside of private variables that the optimiser sees first: in registers there is no outside, and it makes
 * anything of them, as of elements that a vector does not have and of null pointers to private memory. Variables are
 * numbered before optimisation. In a copy of the module (undefined_values.c), and in the version of a kernel that is
 * rehearsed, traps stand in front of such accesses; where they cannot be shown to be good, and the variable has left
 * memory in the traced version, the kernel is doubtful. What stays in memory has ordinary checks. Private to tracegen's
 * stages. */
#ifndef TRACEGEN_ELIDED_ACCESSES_H
#define TRACEGEN_ELIDED_ACCESSES_H

#include "tracegen/lower/lower.h"

/* Before anything is inlined. */
int lost_accesses_number(struct lowering *l);
/* Whether there is anything that could be lost. */
bool lost_accesses_may_be(const struct lowering *l);
/* With functions inlined and plain variables in registers. */
int lost_accesses_trap(struct lowering *l);
/* In an optimised copy `from` of l->module: which traps are left. */
void lost_accesses_suspect(struct lowering *l, LLVMModuleRef from);
/* Behind optimisation. */
void lost_accesses_find(struct lowering *l);
/* The variable's name in the source, which optimisation may take away; "": not known. */
const char *lost_access_name(struct lowering *l, LLVMValueRef variable);
bool lost_access_is_trap(LLVMValueRef function);

#endif
