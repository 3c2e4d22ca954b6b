/* Private variables in a version of a kernel that follows undefined values (shadow_propagation.c): each starts, wherever
 * it comes into being, as the results of calls that know its name, one call for each number, vector or pointer of it.
 * Private to shadow_propagation.c. */
#ifndef TRACEGEN_SHADOW_SOURCES_H
#define TRACEGEN_SHADOW_SOURCES_H

#include "tracegen/sanitize/sanitize.h"

/* Numbers, pointers, and vectors of them that can have shadow_builder. */
bool shadow_source_is_plain(LLVMTypeRef type);
/* Variables of so many parts that they are not given starts, but kept in memory, which has a shadow (shadow.h). */
bool shadow_source_is_large(struct lowering *l, LLVMValueRef variable);
/* Gives the variables of the source's functions their starts, and adds their names to l->program->undefined where the
 * program is one that follows. */
int shadow_sources_make(struct lowering *l);
/* 1 + the number of the variable that starts with this value; 0: none does. */
uint32_t shadow_source_of(LLVMValueRef value);
/* From here on any value will do. */
void shadow_sources_remove(struct lowering *l);

#endif
