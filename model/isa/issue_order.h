/* The order in which a compiler for GPUs issues the operations of a block: loads go ahead of what does not need them.
 *
 * A trace has the operations of a block in the order of the front end's code, where a load mostly stands just before
 * the first use of its value. A warp that goes on until that use would wait for each load in turn. Compilers for GPUs
 * issue loads early, as long as the values fit into registers. The order here is that of a list scheduler with a
 * budget. Before each operation that is next in the block's order, the loads behind it are tried in order, up to the
 * next store, atomic or barrier. A load goes ahead if
 *   - the values that were loaded and have uses to come take no more than the budget together with its own;
 *   - all that its address needs has been issued or can be issued with it, and no value of that is still on its way.
 *     Where an operation uses a value that is on its way, the warp waits, and all values are there whose loads were
 *     issued before;
 *   - where its value is used in the next iteration alone, that use of the value before has been issued or can be.
 * The first load that does not fit into the budget ends the attempt.
 *
 * Unrolling: several copies of a block that is a loop's body are ordered as one block. A value that an operation takes
 * from the iteration before comes from the copy before.
 *
 * Units: bytes of a work-item's registers. Ownership: issue_order_init allocates for the largest block,
 * issue_order_clear frees. Errors: memory. Cost: O(operations x loads ahead of them), of which at most 16 are tried.
 * Threads: one at a time. Source: Goodman, Hsu, "Code Scheduling and Register Allocation in Large Basic Blocks", ICS
 * 1988. */
#ifndef MODEL_ISSUE_ORDER_H
#define MODEL_ISSUE_ORDER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "trace/code.h"

#define ISSUE_MOST_TRIED 16 /* loads that are tried before an operation */
#define ISSUE_MOST_MOVED 32 /* operations that go ahead with a load at most */

/* An operation of one of the copies of a block. */
struct issued_op {
  uint32_t op; /* index into trace_code.ops */
  uint32_t copy;
};

struct issue_node;
struct issue_order {
  const struct trace_code *code; /* with operands */
  uint32_t budget;
  struct issue_node *nodes;
  struct issued_op *ops; /* the order that issue_order_of found last */
};

/* `most_copies`: of a block at most. */
int issue_order_init(struct issue_order *order, const struct trace_code *code, uint32_t budget, uint32_t most_copies,
                     struct error *error);
/* Orders `copies` copies of a block. Returns the number of operations in order->ops. */
uint32_t issue_order_of(struct issue_order *order, const struct trace_block *block, uint32_t copies);
void issue_order_clear(struct issue_order *order);

#endif
