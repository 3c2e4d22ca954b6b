/* Sources of undefined values: private variables in a version of a kernel with shadow values (shadow_propagation.c).
 * Private to tracegen/sanitize.
 *
 * Where a variable comes into being, each of its parts (a number, a vector or a pointer) is set to the result of a
 * marker (SHADOW_SOURCE) that knows the number of the part. */
#ifndef TRACEGEN_SHADOW_SOURCES_H
#define TRACEGEN_SHADOW_SOURCES_H

#include "tracegen/sanitize/sanitize.h"

/* Returns whether values of the type can have shadows: numbers, pointers, and vectors of them. */
bool shadow_source_is_plain(LLVMTypeRef type);
/* Returns whether a variable has too many parts. It then stays in memory, which has a shadow (shadow.h). */
bool shadow_source_is_large(struct lowering *l, LLVMValueRef variable);
/* Builds the sources of the variables of the source's functions and, in a version for a dry run, adds their names to
 * program->undefined. */
int shadow_sources_make(struct lowering *l);
/* Returns 1 + the number of the part that starts with this value; 0: it is no source. */
uint32_t shadow_source_of(LLVMValueRef value);
/* Replaces the sources by arbitrary values, when the shadows are built. */
void shadow_sources_remove(struct lowering *l);

#endif
