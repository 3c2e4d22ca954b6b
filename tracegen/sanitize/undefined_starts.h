/* Private variables in a version of a kernel that follows undefined values (undefined_values.c): each starts, wherever
 * it comes into being, as the results of calls that know its name, one call for each number, vector or pointer of it.
 * Private to undefined_values.c. */
#ifndef TRACEGEN_UNDEFINED_STARTS_H
#define TRACEGEN_UNDEFINED_STARTS_H

#include "tracegen/lower/lower.h"

/* Numbers, pointers, and vectors of them that can have companions. */
bool undefined_start_is_plain(LLVMTypeRef type);
/* Variables of so many parts that they are not given starts, but kept in memory, which has a shadow (shadow.h). */
bool undefined_start_is_large(struct lowering *l, LLVMValueRef variable);
/* Gives the variables of the source's functions their starts, and adds their names to l->program->undefined where the
 * program is one that follows. */
int undefined_starts_make(struct lowering *l);
/* 1 + the number of the variable that starts with this value; 0: none does. */
uint32_t undefined_start_of(LLVMValueRef value);
/* From here on any value will do. */
void undefined_starts_forget(struct lowering *l);

#endif
