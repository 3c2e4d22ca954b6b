/* min_pc: the strands at the lowest code address run; there is no stack. Source: Collange, "Stack-less SIMT
 * reconvergence at low cost", 2011. */
#include "model/warp/strands.h"

static void start(struct lockstep *state) {
  state->stack_count = 0;
}

static uint64_t select(struct lockstep *state, const struct trace_code *code, uint32_t *block) {
  uint64_t all = strands_all(state);
  uint64_t running = all & ~strands_at(state, all, TRACE_NO_BLOCK);
  if (!running)
    return 0;
  *block = strands_extreme_block(state, code, running, false);
  return strands_at(state, running, *block);
}

const struct divergence_policy_ops divergence_min_pc = {start, select};
