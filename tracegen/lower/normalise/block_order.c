/* The layout of a kernel's blocks. LLVM's own order may put a loop's exit in front of its body, which would mislead
 * min-PC scheduling and the instruction cache.
 *
 * Source: Bourdoncle, "Efficient chaotic iteration strategies with widenings" (FMPA 1993), figure 4: a weak
 * topological order, in which every loop is one piece that starts with its head, and what follows the loop comes
 * later. */
#include "tracegen/lower/normalise/normalise.h"

#include <stdlib.h>

#define DONE UINT32_MAX

struct order {
  LLVMBasicBlockRef *blocks; /* in LLVM's order */
  struct value_map ids;
  uint32_t *number; /* depth-first number; 0: not visited; DONE: placed */
  uint32_t *stack, depth, next_number;
  uint32_t *reversed, placed; /* the result, last block first */
};

static uint32_t visit(struct order *o, uint32_t v);

static uint32_t successor(const struct order *o, uint32_t v, unsigned i) {
  uint32_t id = 0;
  value_map_get(&o->ids, LLVMGetSuccessor(LLVMGetBasicBlockTerminator(o->blocks[v]), i), &id);
  return id;
}

static unsigned successor_count(const struct order *o, uint32_t v) {
  return LLVMGetNumSuccessors(LLVMGetBasicBlockTerminator(o->blocks[v]));
}

/* Places the loop with head v, without the blocks outside of it. */
static void place_loop(struct order *o, uint32_t v) {
  for (unsigned i = 0; i < successor_count(o, v); i++)
    if (o->number[successor(o, v, i)] == 0)
      visit(o, successor(o, v, i));
  o->reversed[o->placed++] = v;
}

static uint32_t visit(struct order *o, uint32_t v) {
  o->stack[o->depth++] = v;
  uint32_t head = o->number[v] = ++o->next_number;
  bool loop = false;
  for (unsigned i = 0; i < successor_count(o, v); i++) {
    const uint32_t s = successor(o, v, i);
    const uint32_t least = o->number[s] == 0 ? visit(o, s) : o->number[s];
    if (least <= head) {
      head = least;
      loop = true;
    }
  }
  if (head != o->number[v])
    return head;
  o->number[v] = DONE;
  for (uint32_t top; (top = o->stack[--o->depth]) != v;)
    o->number[top] = 0; /* visited again as part of the loop */
  if (loop)
    place_loop(o, v);
  else
    o->reversed[o->placed++] = v;
  return head;
}

static void move_blocks(const struct order *o) {
  for (uint32_t i = o->placed; i-- > 1;)
    LLVMMoveBasicBlockAfter(o->blocks[o->reversed[i - 1]], o->blocks[o->reversed[i]]);
}

int block_order(struct lowering *l) {
  const uint32_t count = LLVMCountBasicBlocks(l->kernel);
  struct order o = {.blocks = calloc(count, sizeof *o.blocks), .number = calloc(count, 3 * sizeof *o.number)};
  bool failed = !o.blocks || !o.number;
  if (!failed) {
    o.stack = o.number + count;
    o.reversed = o.stack + count;
    LLVMGetBasicBlocks(l->kernel, o.blocks);
    for (uint32_t i = 0; i < count; i++)
      failed |= !value_map_put(&o.ids, o.blocks[i], i);
  }
  if (!failed) {
    visit(&o, 0);
    move_blocks(&o);
  }
  value_map_clear(&o.ids);
  free(o.blocks);
  free(o.number);
  return failed ? lower_no_memory(l) : 0;
}
