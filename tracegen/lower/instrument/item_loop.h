/* Work-items one behind the other in one call of a kernel's native code. Private to tracegen. */
#ifndef TRACEGEN_ITEM_LOOP_H
#define TRACEGEN_ITEM_LOOP_H

#include "tracegen/lower/instrument/instrumenter.h"

/* Before blocks are instrumented: n->behind_item is where their returns go. */
void item_loop_open(struct instrumenter *n);
/* Behind them: the next of item_context.items_left items starts in block `first`, unless much has been recorded. */
void item_loop_close(struct instrumenter *n, LLVMBasicBlockRef first);

#endif
