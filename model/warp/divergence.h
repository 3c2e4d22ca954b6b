/* Divergence: which of a warp's items run next when their paths differ.
 *
 * Items of a warp that run the same path (a cohort) move together: they are one *strand*. A policy picks, again and
 * again, a block and the set of strands that execute it in lockstep; everybody else waits. Sets are bit masks.
 * Policies stand in a registry (divergence_policies), by enum divergence_policy. Memory: the caller's; no allocation.
 * Source: ipdom: Fung, Sham, Yuan, Aamodt, "Dynamic warp formation", MICRO 2007 (stack reconverging at the immediate
 * post-dominator); min_pc: Collange, "Stack-less SIMT reconvergence at low cost", 2011. */
#ifndef MODEL_DIVERGENCE_H
#define MODEL_DIVERGENCE_H

#include <stdint.h>

#include "model/params/gpu.h"
#include "trace/code.h"

struct reconvergence {
  uint64_t strands;
  uint32_t at;   /* block where these strands wait for the entry below, TRACE_NO_BLOCK: the end */
  uint32_t last; /* block they ran last */
};

struct lockstep {
  uint32_t strand_count;       /* 64 at most */
  uint32_t *next;              /* [strand_count]: next block of each strand, TRACE_NO_BLOCK: it has ended */
  struct reconvergence *stack; /* [divergence_stack(strand_count)] */
  uint32_t stack_count;
};

/* Each push splits a set; see divergence.c. */
static inline uint32_t divergence_stack(uint32_t strands) {
  return 2 * strands + 2;
}

struct divergence_policy_ops {
  const char *name, *help;
  /* All strands stand at their first block. */
  void (*start)(struct lockstep *state);
  /* The strands that run next, 0 when all have ended; *block is what they run. The caller then moves `next` of exactly
   * these strands. */
  uint64_t (*select)(struct lockstep *state, const struct trace_code *code, uint32_t *block);
};

/* Index: enum divergence_policy. */
extern const struct divergence_policy_ops *const divergence_policies[];
extern const unsigned divergence_policy_count;

#endif
