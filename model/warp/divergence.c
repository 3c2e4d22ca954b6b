#include "model/warp/divergence.h"

#include <assert.h>

static uint64_t all_strands(const struct lockstep *state) {
  return state->strand_count == 64 ? UINT64_MAX : (UINT64_C(1) << state->strand_count) - 1;
}

/* Strands of `set` whose next block is `block`. */
static uint64_t strands_at(const struct lockstep *state, uint64_t set, uint32_t block) {
  uint64_t at = 0;
  for (uint64_t left = set; left; left &= left - 1) {
    int strand = __builtin_ctzll(left);
    if (state->next[strand] == block)
      at |= UINT64_C(1) << strand;
  }
  return at;
}

/* The block with the highest (lowest) code address among the next ones of `set`; ties: the higher (lower) number. */
static uint32_t extreme_block(const struct lockstep *state, const struct trace_code *code, uint64_t set, bool highest) {
  uint32_t best = state->next[__builtin_ctzll(set)];
  for (uint64_t left = set; left; left &= left - 1) {
    uint32_t block = state->next[__builtin_ctzll(left)];
    uint32_t a = code->blocks[block].code_address, b = code->blocks[best].code_address;
    bool above = a > b || (a == b && block > best), below = a < b || (a == b && block < best);
    if (highest ? above : below)
      best = block;
  }
  return best;
}

static void ipdom_start(struct lockstep *state) {
  state->stack[0] = (struct reconvergence){all_strands(state), TRACE_NO_BLOCK, TRACE_NO_BLOCK};
  state->stack_count = 1;
}

/* One entry per next block except the reconvergence point itself, the lowest code address on top. Each new set is
 * smaller than the one it came from and the sets on the stack are disjoint or nested: at most 2 entries a strand. */
static void ipdom_split(struct lockstep *state, const struct trace_code *code, uint64_t running) {
  uint32_t last = state->stack[state->stack_count - 1].last;
  uint32_t at = last == TRACE_NO_BLOCK ? TRACE_NO_BLOCK : code->blocks[last].ipdom;
  running &= ~strands_at(state, running, at);
  while (running) {
    uint64_t group = strands_at(state, running, extreme_block(state, code, running, true));
    assert(state->stack_count < divergence_stack(state->strand_count));
    state->stack[state->stack_count++] = (struct reconvergence){group, at, last};
    running &= ~group;
  }
}

/* Those on top that have neither ended nor arrived where they wait. *block: that of the first; false: others stand
 * elsewhere. */
static bool ipdom_running(const struct lockstep *state, uint64_t *running, uint32_t *block) {
  const struct reconvergence *top = &state->stack[state->stack_count - 1];
  bool together = true;
  *running = 0;
  for (uint64_t left = top->strands; left; left &= left - 1) {
    const uint32_t next = state->next[__builtin_ctzll(left)];
    if (next == TRACE_NO_BLOCK || next == top->at)
      continue;
    if (!*running)
      *block = next;
    together &= next == *block;
    *running |= left & -left;
  }
  return together;
}

static uint64_t ipdom_select(struct lockstep *state, const struct trace_code *code, uint32_t *block) {
  while (state->stack_count > 0) {
    uint64_t running;
    const bool together = ipdom_running(state, &running, block);
    if (!running) {
      state->stack_count--;
    } else if (together) {
      state->stack[state->stack_count - 1].last = *block;
      return running;
    } else {
      ipdom_split(state, code, running);
    }
  }
  return 0;
}

static void min_pc_start(struct lockstep *state) {
  state->stack_count = 0;
}

static uint64_t min_pc_select(struct lockstep *state, const struct trace_code *code, uint32_t *block) {
  uint64_t all = all_strands(state);
  uint64_t running = all & ~strands_at(state, all, TRACE_NO_BLOCK);
  if (!running)
    return 0;
  *block = extreme_block(state, code, running, false);
  return strands_at(state, running, *block);
}

static const struct divergence_policy_ops ipdom = {
    "ipdom", "stack of sets that wait for each other at the immediate post-dominator", ipdom_start, ipdom_select};
static const struct divergence_policy_ops min_pc = {
    "min_pc", "whoever stands at the lowest code address runs, without a stack", min_pc_start, min_pc_select};

const struct divergence_policy_ops *const divergence_policies[] = {
    [DIVERGENCE_IPDOM] = &ipdom,
    [DIVERGENCE_MIN_PC] = &min_pc,
};
const unsigned divergence_policy_count = sizeof divergence_policies / sizeof divergence_policies[0];
