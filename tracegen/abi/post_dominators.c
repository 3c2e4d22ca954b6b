/* The iterative algorithm of Cooper, Harvey and Kennedy, "A simple, fast dominance algorithm" (2001), on the
 * reversed flow graph, with one virtual exit behind all blocks without successors. A block that reaches no exit (in
 * an endless loop) has no post-dominator. */
#include "tracegen/abi/post_dominators.h"

#include <stdlib.h>

#define NONE UINT32_MAX

struct flow {
  const struct trace_code *code;
  uint32_t *first_predecessor, *predecessors; /* of block b: [first[b], first[b + 1]) */
  uint32_t *order;                            /* blocks in post-order of the reversed graph */
  uint32_t *number;                           /* place in `order`; that of the virtual exit is the largest */
  uint32_t *dominator;                        /* by block; block_count is the virtual exit */
  uint32_t count;                             /* blocks that reach an exit */
};

static void collect_predecessors(struct flow *f) {
  const struct trace_code *code = f->code;
  for (uint32_t i = 0; i < code->successor_count; i++)
    f->first_predecessor[code->successors[i] + 1]++;
  for (uint32_t b = 0; b < code->block_count; b++)
    f->first_predecessor[b + 1] += f->first_predecessor[b];
  uint32_t *next = f->number; /* scratch memory here */
  for (uint32_t b = 0; b < code->block_count; b++)
    next[b] = f->first_predecessor[b];
  for (uint32_t b = 0; b < code->block_count; b++)
    for (uint32_t i = 0; i < code->blocks[b].successor_count; i++)
      f->predecessors[next[code->successors[code->blocks[b].first_successor + i]]++] = b;
}

/* Visits blocks depth first along predecessors from `exit`. `stack` and `position` hold the path, so that there is
 * no recursion. */
static void visit_from(struct flow *f, uint32_t exit, uint32_t *stack, uint32_t *position) {
  uint32_t depth = 0;
  stack[depth++] = exit;
  f->number[exit] = 0;
  position[exit] = f->first_predecessor[exit];
  while (depth) {
    const uint32_t block = stack[depth - 1];
    if (position[block] == f->first_predecessor[block + 1]) {
      f->number[block] = f->count;
      f->order[f->count++] = block;
      depth--;
      continue;
    }
    const uint32_t predecessor = f->predecessors[position[block]++];
    if (f->number[predecessor] != NONE)
      continue;
    f->number[predecessor] = 0;
    position[predecessor] = f->first_predecessor[predecessor];
    stack[depth++] = predecessor;
  }
}

static uint32_t intersect(const struct flow *f, uint32_t a, uint32_t b) {
  while (a != b) {
    while (f->number[a] < f->number[b])
      a = f->dominator[a];
    while (f->number[b] < f->number[a])
      b = f->dominator[b];
  }
  return a;
}

static uint32_t common_dominator(const struct flow *f, uint32_t block) {
  const struct trace_block *info = &f->code->blocks[block];
  if (info->successor_count == 0)
    return f->code->block_count;
  uint32_t found = NONE;
  for (uint32_t i = 0; i < info->successor_count; i++) {
    const uint32_t successor = f->code->successors[info->first_successor + i];
    if (f->dominator[successor] != NONE)
      found = found == NONE ? successor : intersect(f, found, successor);
  }
  return found;
}

static void solve(struct flow *f) {
  const uint32_t exit = f->code->block_count;
  for (uint32_t b = 0; b < exit; b++)
    f->dominator[b] = NONE;
  f->dominator[exit] = exit;
  f->number[exit] = f->count;
  for (int changed = 1; changed;) {
    changed = 0;
    for (uint32_t i = f->count; i-- > 0;) {
      const uint32_t dominator = common_dominator(f, f->order[i]);
      if (dominator != f->dominator[f->order[i]]) {
        f->dominator[f->order[i]] = dominator;
        changed = 1;
      }
    }
  }
}

int post_dominators(struct trace_code *code) {
  const size_t n = code->block_count;
  uint32_t *memory = calloc(6 * n + 4 + code->successor_count, sizeof *memory);
  if (!memory)
    return -1;
  struct flow f = {.code = code,
                   .first_predecessor = memory,
                   .order = memory + n + 1,
                   .number = memory + 2 * n + 1,
                   .dominator = memory + 3 * n + 2,
                   .predecessors = memory + 6 * n + 4};
  collect_predecessors(&f);
  for (size_t b = 0; b < n; b++)
    f.number[b] = NONE;
  for (uint32_t b = 0; b < n; b++)
    if (code->blocks[b].successor_count == 0)
      visit_from(&f, b, memory + 4 * n + 3, memory + 5 * n + 3);
  solve(&f);
  for (uint32_t b = 0; b < n; b++)
    code->blocks[b].ipdom = f.dominator[b] < n ? f.dominator[b] : TRACE_NO_BLOCK;
  free(memory);
  return 0;
}
