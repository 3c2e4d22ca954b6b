/* Memory for the stacks of work-items that wait at barriers: ITEM_STACK_BYTES for each, below which lies a page that
 * faults.
 *
 * Ownership: item_stacks_take maps; item_stacks_give_back keeps the memory for the next run of the process, because
 * first touches of its pages and the guards cost more than a short launch, or unmaps it. Stacks hold what an earlier
 * work-item left. Threads: any number. */
#ifndef TRACEGEN_RUN_GROUP_ITEM_STACKS_H
#define TRACEGEN_RUN_GROUP_ITEM_STACKS_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "tracegen/abi/arena.h"
#include "tracegen/abi/kernel_abi.h"

#define ITEM_STACK_STRIDE (ITEM_STACK_BYTES + ARENA_PAGE) /* from one stack to the next */

/* Returns memory for `count` stacks, or NULL on an error. */
char *item_stacks_take(uint32_t count, struct error *error);
void item_stacks_give_back(char *memory, uint32_t count);

/* Returns the lowest byte of a work-item's stack. */
static inline char *item_stack(char *memory, uint32_t item) {
  return memory + item * ITEM_STACK_STRIDE + ARENA_PAGE;
}

#endif
