/* Several work-items in one call of a kernel's native code. Private to tracegen/lower/instrument. */
#ifndef TRACEGEN_ITEM_LOOP_H
#define TRACEGEN_ITEM_LOOP_H

#include "tracegen/lower/instrument/instrumenter.h"

/* Creates n->behind_item, where returns of the kernel go. Runs before blocks are instrumented. */
void item_loop_open(struct instrumenter *n);
/* Builds the end of the loop, behind all blocks: the next of item_context.items_left work-items starts in block
 * `first`, unless much has been recorded. */
void item_loop_close(struct instrumenter *n, LLVMBasicBlockRef first);

#endif
