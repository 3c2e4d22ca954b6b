/* Undefined values that go to private memory, in a version of a kernel that follows them (shadow_propagation.c): calls
 * behind the stores tell the shadow of that memory (shadow.h), where loads that compute with them will find them. And
 * variables that have too many parts to be shadowed_value in registers are kept in memory, which has a shadow anyhow.
 * Private to tracegen's stages. */
#ifndef TRACEGEN_SHADOW_STORES_H
#define TRACEGEN_SHADOW_STORES_H

#include "tracegen/sanitize/shadow_values.h"

/* Stores to private memory. */
bool shadow_store_is_private(LLVMValueRef instruction);
/* Behind such a store: which of its bytes are undefined, with every bit, and from which variable. */
void shadow_store_record(const struct shadow_builder *c, LLVMValueRef store);
/* At the builder's place: from here on the variable stays in memory. */
void shadow_store_keep_variable(struct lowering *l, LLVMBuilderRef b, LLVMValueRef variable);
/* With functions inlined: loads from such variables stay what and where they are. */
void shadow_stores_pin_loads(struct lowering *l);
/* Variables of more than MOST_PARTS parts that may be read unwritten (uninitialised_variables.c): marked before
 * optimisation. Behind it: whether some have left memory, at least in part; then the kernel is doubtful. */
void large_variable_mark(struct lowering *l, LLVMValueRef variable);

#endif
