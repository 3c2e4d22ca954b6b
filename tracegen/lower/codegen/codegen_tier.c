/* The choice between three tiers of code generation. The baseline tier leaves out passes that work on whole functions:
 * it takes two thirds of the time, and its code runs 0 to 14 % slower, which pays off where little runs. The plain tier
 * also selects instructions and registers block by block: it takes a sixth of the time. docs/emulation-speed.md has the
 * measurements. */
#include "tracegen/lower/codegen/codegen.h"

#include <stdlib.h>
#include <string.h>

#include "tracegen/abi/kernel_simd.h"

#define TURNS       64                   /* iterations of a loop: assumed */
#define MOST_VISITS (UINT64_C(12) << 20) /* of the innermost block: fewer run in some milliseconds */
#define MOST_PLAIN_VISITS                                                                                              \
  (UINT64_C(1) << 14)          /* fewer run sooner than the plain tier has saved, also where loops are long */
#define STACK_AN_OPERATION 128 /* bytes: a value of the largest type that is common */

/* Returns how many loops the innermost block is in. Blocks have the order of block_order.c, so a loop reaches from
 * its head to the last block that branches back to it. */
static unsigned loop_depth(const struct trace_code *code) {
  uint32_t *ends = calloc((size_t)code->block_count + 1, sizeof *ends); /* by block: end of the loop with this head */
  unsigned depth = 0, deepest = 0;
  if (!ends)
    return UINT8_MAX;
  for (uint32_t b = 0; b < code->block_count; b++)
    for (uint32_t s = 0; s < code->blocks[b].successor_count; s++) {
      const uint32_t to = code->successors[code->blocks[b].first_successor + s];
      if (to <= b)
        ends[to] = b + 1;
    }
  for (uint32_t head = 0; head < code->block_count; head++)
    if (ends[head]) {
      depth = 1;
      for (uint32_t outer = 0; outer < head; outer++)
        depth += ends[outer] > head;
      deepest = depth > deepest ? depth : deepest;
    }
  free(ends);
  return deepest;
}

/* Returns about how many times the innermost block runs; UINT64_MAX: unknown. */
static uint64_t expected_visits(const struct lowering *l) {
  uint64_t visits = l->purpose.items;
  for (unsigned depth = loop_depth(&l->program->code); depth > 0 && visits <= MOST_VISITS; depth--)
    visits *= TURNS;
  return l->purpose.items > 0 ? visits : UINT64_MAX;
}

/* Returns whether the baseline tier, which may give each value a place of its own, cannot make a kernel fail for lack
 * of stack. */
static bool has_stack_to_spare(const struct lowering *l) {
  return (uint64_t)l->program->code.op_count * STACK_AN_OPERATION <= jit_stack_limit(l->program) / 2;
}

/* Returns whether the kernel may have another tier than the optimising one. */
static bool may_choose(const struct lowering *l) {
  const char *forced = getenv("REASSEMBLE_CODEGEN_TIER"); /* "optimising": for tests */
  return !(forced && strcmp(forced, "optimising") == 0) && has_stack_to_spare(l);
}

uint64_t codegen_tier_items(uint64_t items) {
  static const uint64_t most_visits[] = {MOST_PLAIN_VISITS, MOST_VISITS};
  uint64_t most = items > 0 ? UINT64_MAX : 0;
  for (size_t i = 0; i < sizeof most_visits / sizeof *most_visits; i++)
    for (uint64_t bound = most_visits[i]; bound > 0; bound /= TURNS)
      if (items <= bound && bound < most)
        most = bound;
  return most;
}

int codegen_tier_choose(struct lowering *l) {
  const uint64_t visits = expected_visits(l);
  const bool soon_in_simd_groups = l->program->simd && l->purpose.fills_simd_groups;
  l->tier = CODEGEN_OPTIMISING;
  if (may_choose(l) && visits <= MOST_PLAIN_VISITS)
    l->tier = CODEGEN_PLAIN;
  else if (may_choose(l) && (soon_in_simd_groups || l->program->is_dry_run || visits <= MOST_VISITS))
    l->tier = CODEGEN_BASELINE;
  return 0;
}
