/* ipdom: a stack of sets of strands that wait for each other at the immediate post-dominator of the branch where they
 * separated. Source: Fung, Sham, Yuan, Aamodt, "Dynamic warp formation and scheduling for efficient GPU control flow",
 * MICRO 2007. */
#include <assert.h>

#include "model/warp/strands.h"

static void start(struct lockstep *state) {
  state->stack[0] = (struct reconvergence){strands_all(state), TRACE_NO_BLOCK, TRACE_NO_BLOCK};
  state->stack_count = 1;
}

/* Pushes one entry for each next block except the reconvergence point itself, with the lowest code address on top. Each
 * new set is smaller than the one it came from, and the sets on the stack are disjoint or nested: at most 2 entries a
 * strand. */
static void split(struct lockstep *state, const struct trace_code *code, uint64_t running) {
  uint32_t last = state->stack[state->stack_count - 1].last;
  uint32_t at = last == TRACE_NO_BLOCK ? TRACE_NO_BLOCK : code->blocks[last].ipdom;
  running &= ~strands_at(state, running, at);
  while (running) {
    uint64_t group = strands_at(state, running, strands_extreme_block(state, code, running, true));
    assert(state->stack_count < divergence_stack(state->strand_count));
    state->stack[state->stack_count++] = (struct reconvergence){group, at, last};
    running &= ~group;
  }
}

/* Finds the strands on top of the stack that have neither ended nor arrived where they wait, and sets *block to the
 * next block of the first of them. Returns whether all of them are at that block. */
static bool find_running(const struct lockstep *state, uint64_t *running, uint32_t *block) {
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

static uint64_t select(struct lockstep *state, const struct trace_code *code, uint32_t *block) {
  while (state->stack_count > 0) {
    uint64_t running;
    const bool together = find_running(state, &running, block);
    if (!running) {
      state->stack_count--;
    } else if (together) {
      state->stack[state->stack_count - 1].last = *block;
      return running;
    } else {
      split(state, code, running);
    }
  }
  return 0;
}

const struct divergence_policy_ops divergence_ipdom = {start, select};
