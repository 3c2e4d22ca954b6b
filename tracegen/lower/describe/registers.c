/* Registers per work-item, estimated: the largest number of 32-bit values that are alive at one point of the optimised
 * code, without the target's scheduler and allocator. Kernel arguments, constants and the addresses of private
 * variables take none (uniforms, immediates, offsets from the frame).
 *
 * A point stands at the top of each block (behind its phis) and behind each other instruction; points are numbered
 * through all blocks. A value is alive from its own point to just before its last use; a phi's operand to the end of
 * the block that it comes from, where the phi's own life begins at the top of its block. So in each block a value is
 * alive on one interval, and a sum of steps over all intervals gives the number alive at every point.
 *
 * Liveness by exploring upwards from each use: Boissinot et al., "Computing liveness sets for SSA-form programs"
 * (2011), algorithm 6. */
#include "tracegen/lower/describe/describe.h"

#include <stdlib.h>

#include "tracegen/lower/ir/instructions.h"

struct liveness {
  struct lowering *l;
  uint32_t block_count, instruction_count;
  struct value_map block_ids, instruction_ids;
  uint32_t *top;               /* [block_count + 1]: point at the top of a block; a block ends where the next begins */
  uint32_t *first_predecessor; /* [block_count + 1] */
  uint32_t *predecessors;
  uint32_t *point, *block_of;       /* by instruction */
  int64_t *step;                    /* [points + 1]: registers that come to life minus those that die */
  uint32_t *met;                    /* by instruction: the phi has been seen for this value (its number + 1) */
  uint32_t *alive;                  /* by block: value (number + 1) that is alive here */
  uint32_t *until;                  /* by block: first point where that value is dead */
  uint32_t *touched, touched_count; /* blocks where it is alive */
};

/* Truth values take a register each; others are packed, as 64-bit values take two and three halves take two. */
static uint32_t registers_of(const struct liveness *v, LLVMValueRef value) {
  LLVMTypeRef type = LLVMTypeOf(value);
  if (LLVMIsAAllocaInst(value) || LLVMGetTypeKind(type) == LLVMVoidTypeKind || !LLVMTypeIsSized(type))
    return 0;
  uint32_t elements;
  LLVMTypeRef element = ir_element(type, &elements);
  if (LLVMGetTypeKind(element) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(element) == 1)
    return elements;
  return (uint32_t)((LLVMSizeOfTypeInBits(v->l->layout, type) + 31) / 32);
}

static uint32_t id_in(const struct value_map *map, const void *key) {
  uint32_t id = 0;
  value_map_get(map, key, &id);
  return id;
}

/* The value is alive in the block up to `until`; true when it had not been alive here before. */
static bool extend(struct liveness *v, uint32_t value, uint32_t block, uint32_t until) {
  const bool first = v->alive[block] != value + 1;
  if (first) {
    v->alive[block] = value + 1;
    v->until[block] = until;
    v->touched[v->touched_count++] = block;
  } else if (until > v->until[block]) {
    v->until[block] = until;
  }
  return first;
}

/* Used in `block`, before `until`: alive at the ends of all blocks on the ways from the definition. A block that is
 * touched for the first time asks the blocks before it, so that `touched` is the work list as well. */
static void use_in(struct liveness *v, uint32_t value, uint32_t block, uint32_t until) {
  const uint32_t home = v->block_of[value];
  uint32_t next = v->touched_count;
  if (!extend(v, value, block, until))
    return;
  for (; next < v->touched_count; next++) {
    const uint32_t b = v->touched[next];
    for (uint32_t i = v->first_predecessor[b]; b != home && i < v->first_predecessor[b + 1]; i++)
      extend(v, value, v->predecessors[i], v->top[v->predecessors[i] + 1]);
  }
}

static void use_by_phi(struct liveness *v, uint32_t value, LLVMValueRef operand, LLVMValueRef phi) {
  for (unsigned i = 0; i < LLVMCountIncoming(phi); i++)
    if (LLVMGetIncomingValue(phi, i) == operand) {
      const uint32_t block = id_in(&v->block_ids, LLVMGetIncomingBlock(phi, i));
      use_in(v, value, block, v->top[block + 1]);
    }
}

static void follow(struct liveness *v, uint32_t id, LLVMValueRef value, uint32_t registers) {
  v->touched_count = 0;
  for (LLVMUseRef use = LLVMGetFirstUse(value); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    uint32_t user_id;
    if (!value_map_get(&v->instruction_ids, user, &user_id) || v->met[user_id] == id + 1)
      continue;
    v->met[user_id] = id + 1;
    if (LLVMIsAPHINode(user))
      use_by_phi(v, id, value, user);
    else
      use_in(v, id, v->block_of[user_id], v->point[user_id]);
  }
  for (uint32_t i = 0; i < v->touched_count; i++) {
    const uint32_t block = v->touched[i];
    v->step[block == v->block_of[id] ? v->point[id] : v->top[block]] += registers;
    v->step[v->until[block]] -= registers;
  }
}

static bool number_instructions(struct liveness *v) {
  uint32_t id = 0, point = 0;
  for (uint32_t b = 0; b < v->block_count; b++) {
    v->top[b] = point++;
    for (LLVMValueRef i = LLVMGetFirstInstruction(v->l->blocks[b]); i; i = LLVMGetNextInstruction(i), id++) {
      v->block_of[id] = b;
      v->point[id] = LLVMIsAPHINode(i) ? v->top[b] : point++;
      if (!value_map_put(&v->instruction_ids, i, id))
        return false;
    }
  }
  v->top[v->block_count] = point;
  return true;
}

/* Counts, sums, then each predecessor moves the end of its list down: what is left are the beginnings. */
static void find_predecessors(struct liveness *v) {
  uint32_t edges = 0;
  for (int fill = 0; fill < 2; fill++) {
    for (uint32_t b = 0; b < v->block_count; b++) {
      LLVMValueRef terminator = LLVMGetBasicBlockTerminator(v->l->blocks[b]);
      for (unsigned i = 0; i < LLVMGetNumSuccessors(terminator); i++) {
        const uint32_t to = id_in(&v->block_ids, LLVMGetSuccessor(terminator, i));
        if (fill)
          v->predecessors[--v->first_predecessor[to]] = b;
        else
          v->first_predecessor[to]++;
      }
    }
    for (uint32_t b = 0; b < v->block_count && !fill; b++)
      edges = v->first_predecessor[b] += edges;
  }
  v->first_predecessor[v->block_count] = edges;
}

static bool allocate(struct liveness *v) {
  uint32_t edges = 0;
  for (uint32_t b = 0; b < v->block_count; b++) {
    if (!value_map_put(&v->block_ids, v->l->blocks[b], b))
      return false;
    edges += LLVMGetNumSuccessors(LLVMGetBasicBlockTerminator(v->l->blocks[b]));
    for (LLVMValueRef i = LLVMGetFirstInstruction(v->l->blocks[b]); i; i = LLVMGetNextInstruction(i))
      v->instruction_count++;
  }
  const size_t blocks = v->block_count + 1u, instructions = v->instruction_count + 1u;
  v->top = calloc(blocks, sizeof *v->top);
  v->first_predecessor = calloc(blocks, sizeof *v->first_predecessor);
  v->predecessors = calloc(edges + 1u, sizeof *v->predecessors);
  v->point = calloc(instructions, sizeof *v->point);
  v->block_of = calloc(instructions, sizeof *v->block_of);
  v->met = calloc(instructions, sizeof *v->met);
  v->step = calloc(blocks + instructions + 1, sizeof *v->step);
  v->alive = calloc(blocks, sizeof *v->alive);
  v->until = calloc(blocks, sizeof *v->until);
  v->touched = calloc(blocks, sizeof *v->touched);
  return v->top && v->first_predecessor && v->predecessors && v->point && v->block_of && v->met && v->step &&
         v->alive && v->until && v->touched;
}

static void release(struct liveness *v) {
  value_map_clear(&v->block_ids);
  value_map_clear(&v->instruction_ids);
  free(v->top);
  free(v->first_predecessor);
  free(v->predecessors);
  free(v->point);
  free(v->block_of);
  free(v->met);
  free(v->step);
  free(v->alive);
  free(v->until);
  free(v->touched);
}

static uint32_t most_alive(const struct liveness *v) {
  int64_t alive = 0, most = 0;
  for (uint32_t point = 0; point < v->top[v->block_count]; point++) {
    alive += v->step[point];
    most = alive > most ? alive : most;
  }
  return most > UINT32_MAX ? UINT32_MAX : (uint32_t)most;
}

static void follow_all(struct liveness *v) {
  uint32_t id = 0;
  for (uint32_t b = 0; b < v->block_count; b++)
    for (LLVMValueRef i = LLVMGetFirstInstruction(v->l->blocks[b]); i; i = LLVMGetNextInstruction(i), id++) {
      const uint32_t registers = registers_of(v, i);
      if (registers > 0)
        follow(v, id, i, registers);
    }
}

int registers_estimate(struct lowering *l) {
  struct liveness v = {.l = l, .block_count = l->program->code.block_count};
  const bool ready = allocate(&v) && number_instructions(&v);
  if (ready) {
    find_predecessors(&v);
    follow_all(&v);
    l->program->registers = most_alive(&v);
  }
  release(&v);
  return ready ? 0 : lower_no_memory(l);
}
