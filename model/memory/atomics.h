/* Atomics: which of them are one, and how they conflict. A slice of L2 executes a limited number of operations of
 * work-items in a cycle, and operations of one warp on one address execute one after another.
 *
 * A *round* executes one operation on each address of a piece of a line (atomic_round_bytes; the whole line by
 * default), so a piece needs as many rounds as lanes of the warp use the same address of it, and a line those of its
 * pieces. Rounds cost latency (atomic_cycles each, summed over the lines). Operations occupy the slice
 * (l2_atomics_per_cycle), and so do rounds (l2_atomic_rounds_per_cycle), whichever takes longer: those of a line
 * begin when the earlier ones are done, and the last of n begins n - 1 operation times, or the last round r - 1
 * round times, after the first. So warps that use one address wait for each other like the lanes of one warp.
 * Coalescing determines how many lanes a line has; without it each lane is a transaction and a round of its own.
 *
 * With merge_atomics, an operation that the code table calls "uniform" (tracegen/lower/describe/atomic_roles.h) is
 * that of one lane, if all lanes that take part use one address: the compiler adds their values up first. What it
 * takes to add them up is not counted. With scratchpad_counts, lanes that increment the same word of a scratchpad
 * ("increment") share it, as loads of one word do. Traces of machine code have no such names, and nothing merges.
 *
 * Units: ticks. Ownership: merged_atomics_choose allocates, merged_atomics_clear frees; else the caller's memory.
 * Errors: false when out of memory. Cost: O(lanes) for each atomic access. Threads: any, once the operations that
 * merge are chosen. Sources: throughput by conflicts, Gómez-Luna et al., "Performance modeling of atomic additions
 * on GPU scratchpad memory", IEEE TPDS 2013; atomic units at L2, Aamodt et al., "General-purpose graphics processor
 * architectures", 2018, section 4.3; what merges: NVIDIA's compiler, ptxas 13.0 for sm_75 to sm_90, and an H200,
 * docs/accuracy-h200.md. */
#ifndef MODEL_ATOMICS_H
#define MODEL_ATOMICS_H

#include <stdbool.h>

#include "model/params/gpu.h"
#include "model/warp/coalesce.h"
#include "trace/code.h"

/* Counts the operations of one warp access in each of its lines, then the rounds of each (`in_line` [2 *
 * transactions]); an operation belongs to the line where its bytes begin, and pieces have the size `piece`. Returns the
 * rounds of all lines. `lanes` are in the order that coalescing leaves (addresses ascend), or in the order of `lines`
 * without it. */
uint32_t atomics_count(const struct line_size *size, const struct line_size *piece, const struct lane_addresses *lanes,
                       bool coalesced, const uint32_t *lines, uint32_t transactions, uint32_t *in_line);

enum atomic_role { ATOMIC_ALONE, ATOMIC_UNIFORM, ATOMIC_INCREMENT };

struct merged_atomics {
  uint8_t *of_op; /* enum atomic_role by operation of the code; NULL: all are ATOMIC_ALONE */
};

/* Finds out which operations of a launch merge on this GPU. Returns false when out of memory. */
bool merged_atomics_choose(struct merged_atomics *merged, const struct gpu_spec *spec, const struct trace_code *code);
void merged_atomics_clear(struct merged_atomics *merged);

static inline enum atomic_role merged_atomics_role(const struct merged_atomics *merged, uint32_t op) {
  return merged->of_op ? (enum atomic_role)merged->of_op[op] : ATOMIC_ALONE;
}

/* Makes the lanes of a uniform operation one lane, if they have one address. */
void merged_atomics_merge(enum atomic_role role, struct lane_addresses *lanes);

#endif
