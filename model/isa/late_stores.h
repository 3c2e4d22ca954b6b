/* Late stores: stores to local memory that a compiler places behind the loads of global memory that follow them.
 *
 * A kernel that copies a tile into local memory loads and stores value by value. A store waits for its load, so in that
 * order a warp waits for one load after the other. Local and global memory are apart, so a compiler may start the next
 * loads before the store, as long as registers hold the values: it schedules loads early.
 * Such a store is done just before the first operation behind it that is a barrier, a branch or another access than a
 * load of global or constant memory, or with the store to local memory whose value would be the first without a
 * register; else at the end of its block. Stores keep their order.
 *
 * Ownership: the caller's memory. Errors: -1, no memory. Cost: O(operations). Threads: any. Source: Gibbons, Muchnick,
 * "Efficient Instruction Scheduling for a Pipelined Architecture", SIGPLAN 1986 (loads go before what does not depend
 * on them); Goodman, Hsu, "Code Scheduling and Register Allocation in Large Basic Blocks", ICS 1988 (registers limit
 * it). */
#ifndef MODEL_LATE_STORES_H
#define MODEL_LATE_STORES_H

#include "trace/code.h"

/* Writes the operations of a code table, block after block, in the order in which they are done. `most_registers`: of 4
 * bytes, for values that wait for their store. */
int late_stores_order(const struct trace_code *code, uint32_t most_registers, uint32_t *order);

#endif
