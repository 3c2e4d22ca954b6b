/* Shadows of values that are stored to private memory, in a version of a kernel with shadow values
 * (shadow_propagation.c). Private to tracegen/sanitize.
 *
 * Behind such a store a marker (SHADOW_STORE) tells the shadow of the memory (shadow.h), which loads that compute
 * with the value examine. A variable with too many parts for registers stays in memory. */
#ifndef TRACEGEN_SHADOW_STORES_H
#define TRACEGEN_SHADOW_STORES_H

#include "tracegen/sanitize/shadow_values.h"

/* Returns whether an instruction stores to private memory. */
bool shadow_store_is_private(LLVMValueRef instruction);
/* Builds the markers behind such a store: which of its bytes are undefined as a whole, and the part of a variable
 * that they come from. */
void shadow_store_record(const struct shadow_builder *c, LLVMValueRef store);
/* Keeps a variable in memory, from the builder's place on. */
void shadow_store_keep_variable(struct lowering *l, LLVMBuilderRef b, LLVMValueRef variable);
/* Makes loads from such variables stay as they are, with functions inlined. */
void shadow_stores_pin_loads(struct lowering *l);
/* Marks a variable of too many parts that may be read unwritten, before optimisation. When the optimiser takes such
 * a variable out of memory, also in part, the kernel needs checking (large_variables_find). */
void large_variable_mark(struct lowering *l, LLVMValueRef variable);

#endif
