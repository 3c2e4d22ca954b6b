/* Atomics wait for each other: a slice of L2 executes so many operations of work-items a cycle, and those of one warp
 * on one address come one after another.
 *
 * A *round* of a line executes one operation on each of its addresses, so a line needs as many rounds as lanes of the
 * warp hit the same address of it. Rounds cost latency (atomic_cycles each, summed over the lines), operations take the
 * slice's time (l2_atomics_per_cycle): a line's begin when those before it are done, and the last of n is executed n -
 * 1 operation times after the first. Coalescing keeps how many lanes there are to a line; without it each lane is a
 * transaction and a round of its own. Times are ticks. Cost: O(lanes) an atomic access.
 * Source: throughput by conflicts, Gómez-Luna et al., "Performance modeling of atomic additions on GPU scratchpad
 * memory", IEEE TPDS 2013; atomic units at L2, Aamodt et al., "General-purpose graphics processor architectures", 2018,
 * section 4.3. */
#ifndef MODEL_ATOMICS_H
#define MODEL_ATOMICS_H

#include <stdbool.h>

#include "model/warp/coalesce.h"

/* Of one warp access. `in_line` [transactions]: the operations of each, which is where a lane's bytes begin. Returns
 * the rounds. `lanes` as coalescing has left them (addresses ascend), or in order of `lines` when it is off. */
uint32_t atomics_count(const struct line_size *size, const struct lane_addresses *lanes, bool coalesced,
                       const uint32_t *lines, uint32_t transactions, uint32_t *in_line);

#endif
