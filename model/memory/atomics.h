/* Conflicts of atomics: a slice of L2 executes a limited number of operations of work-items in a cycle, and operations
 * of one warp on one address execute one after another.
 *
 * A *round* of a line executes one operation on each of its addresses, so a line needs as many rounds as lanes of the
 * warp use the same address of it. Rounds cost latency (atomic_cycles each, summed over the lines). Operations occupy
 * the slice (l2_atomics_per_cycle), and so do rounds (l2_atomic_rounds_per_cycle), whichever takes longer: those of a
 * line begin when the earlier ones are done, and the last of n begins n - 1 operation times, or the last round r - 1
 * round times, after the first. So warps that use one address wait for each other like the lanes of one warp.
 * Coalescing determines how many lanes a line has; without it each lane is a transaction and a round of its own. Units:
 * ticks. Ownership: the caller's memory. Errors: none. Cost: O(lanes) for each atomic access. Threads: any.
 * Source: throughput by conflicts, Gómez-Luna et al., "Performance modeling of atomic additions on GPU scratchpad
 * memory", IEEE TPDS 2013; atomic units at L2, Aamodt et al., "General-purpose graphics processor architectures", 2018,
 * section 4.3. */
#ifndef MODEL_ATOMICS_H
#define MODEL_ATOMICS_H

#include <stdbool.h>

#include "model/warp/coalesce.h"

/* Counts the operations of one warp access in each of its lines, then the rounds of each (`in_line` [2 *
 * transactions]); an operation belongs to the line where its bytes begin. Returns the rounds of all lines. `lanes` are
 * in the order that coalescing leaves (addresses ascend), or in the order of `lines` without it. */
uint32_t atomics_count(const struct line_size *size, const struct lane_addresses *lanes, bool coalesced,
                       const uint32_t *lines, uint32_t transactions, uint32_t *in_line);

#endif
