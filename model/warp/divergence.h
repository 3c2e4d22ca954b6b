/* Divergence policies, which choose the items of a warp that run next when their paths differ.
 *
 * Items of a warp that run the same path (a cohort) move together: they are one *strand*. A policy repeatedly picks a
 * block and the set of strands that execute it in lockstep; all others wait. Sets are bit masks. The policies are the
 * list DIVERGENCE_POLICIES (model/params/choices.h); each is a file divergence_<name>.c. Ownership: the caller's
 * memory. Errors: none. Cost: O(strands) for each block. Threads: one for each warp. */
#ifndef MODEL_DIVERGENCE_H
#define MODEL_DIVERGENCE_H

#include <stdint.h>

#include "model/params/choices.h"
#include "trace/code.h"

struct reconvergence {
  uint64_t strands;
  uint32_t at;   /* block where these strands wait for the entry below; TRACE_NO_BLOCK: the end */
  uint32_t last; /* block that they ran last */
};

struct lockstep {
  uint32_t strand_count; /* at most 64 */
  uint32_t stack_count;
  uint32_t *next;              /* [strand_count]: next block of each strand, TRACE_NO_BLOCK: the strand has ended */
  struct reconvergence *stack; /* [divergence_stack(strand_count)] */
};

/* Returns the number of entries that the stack of ipdom needs: each push splits a set (divergence_ipdom.c). */
static inline uint32_t divergence_stack(uint32_t strands) {
  return 2 * strands + 2;
}

struct divergence_policy_ops {
  /* Starts with all strands at their first block. */
  void (*start)(struct lockstep *state);
  /* Returns the strands that run next, or 0 when all have ended, and sets *block to the block that they run. The caller
   * then moves `next` of exactly these strands. */
  uint64_t (*select)(struct lockstep *state, const struct trace_code *code, uint32_t *block);
};

#define X(constant, name, meaning) extern const struct divergence_policy_ops divergence_##name;
DIVERGENCE_POLICIES(X)
#undef X

/* The policies, by enum divergence_policy. */
extern const struct divergence_policy_ops *const divergence_policies[CHOICE_COUNT(DIVERGENCE_POLICIES)];

#endif
