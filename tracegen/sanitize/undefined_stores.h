/* Undefined values that go to private memory, in a version of a kernel that follows them (undefined_values.c): calls
 * behind the stores tell the shadow of that memory (shadow.h), where loads that compute with them will find them. And
 * variables that have too many parts to be followed in registers are kept in memory, which has a shadow anyhow.
 * Private to tracegen's stages. */
#ifndef TRACEGEN_UNDEFINED_STORES_H
#define TRACEGEN_UNDEFINED_STORES_H

#include "tracegen/sanitize/shadow_values.h"

/* Stores to private memory. */
bool undefined_store_is_private(LLVMValueRef instruction);
/* Behind such a store: which of its bytes are undefined, with every bit, and from which variable. */
void undefined_store_tell(const struct companions *c, LLVMValueRef store);
/* At the builder's place: from here on the variable stays in memory. */
void undefined_store_keep(struct lowering *l, LLVMBuilderRef b, LLVMValueRef variable);
/* With functions inlined: loads from such variables stay what and where they are. */
void undefined_stores_pin(struct lowering *l);
/* Calls that the two made; the first of them only if some byte may be undefined. */
bool undefined_store_is_call(LLVMValueRef function);
bool undefined_store_may_matter(LLVMValueRef call);

/* Variables of more than MOST_PARTS parts that may be read unwritten (undefined_variables.c): marked before
 * optimisation. Behind it: whether some have left memory, at least in part; then the kernel is doubtful. */
void large_variable_mark(struct lowering *l, LLVMValueRef variable);
void large_variables_find(struct lowering *l);

#endif
