/* Functions on sets of strands, which are bit masks, for divergence policies (model/warp/divergence.h). Cost:
 * O(strands). */
#ifndef MODEL_STRANDS_H
#define MODEL_STRANDS_H

#include <stdbool.h>

#include "model/warp/divergence.h"

/* Returns all strands of the warp. */
static inline uint64_t strands_all(const struct lockstep *state) {
  return state->strand_count == 64 ? UINT64_MAX : (UINT64_C(1) << state->strand_count) - 1;
}

/* Returns the strands of `set` whose next block is `block`. */
static inline uint64_t strands_at(const struct lockstep *state, uint64_t set, uint32_t block) {
  uint64_t at = 0;
  for (uint64_t left = set; left; left &= left - 1) {
    int strand = __builtin_ctzll(left);
    if (state->next[strand] == block)
      at |= UINT64_C(1) << strand;
  }
  return at;
}

/* Returns the block with the highest (or lowest) code address among the next blocks of `set`; of two at one address
 * that with the higher (or lower) number. */
static inline uint32_t strands_extreme_block(const struct lockstep *state, const struct trace_code *code, uint64_t set,
                                             bool highest) {
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

#endif
