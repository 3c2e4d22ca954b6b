/* An estimate of the registers of a work-item: the largest number of 32-bit values that are live at one point of the
 * optimised code, without the target's scheduler and register allocator. Kernel arguments, constants and addresses
 * of private variables take none (uniforms, immediates, offsets from the frame).
 *
 * Points are numbered through all blocks: one at the top of each block, behind its phis, and one behind each other
 * instruction. A value is live from its own point to just before its last use. The operand of a phi is live to the
 * end of the block that it comes from; the phi itself from the top of its block. So a value is live in one interval
 * of each block, and a running sum over the ends of all intervals gives the number of live values at every point.
 *
 * Two kinds of values are not live from their definition on; what they are made of is live until they are used. Parts
 * of vectors are names of registers and take none. Integers and addresses that follow from ids, arguments and counters
 * of loops are computed again just before each use (rematerialisation), as allocators do that would otherwise have to
 * spill: LLVM moves the addresses of a whole loop in front of it, where they would fill more registers than its data.
 * A load of local memory is placed just before the first use of its value (tracegen/lower/describe/late_loads.h); what
 * they would be if it stayed where it is, is counted beside.
 *
 * Sources: Boissinot et al., "Computing liveness sets for SSA-form programs" (2011), algorithm 6: exploration upwards
 * from each use; Briggs, Cooper, Torczon, "Rematerialization", PLDI 1992. */
#include "tracegen/lower/describe/describe.h"

#include <stdlib.h>

#include "tracegen/lower/describe/late_loads.h"
#include "tracegen/lower/ir/builtin_names.h"
#include "tracegen/lower/ir/instructions.h"

struct liveness {
  struct lowering *l;
  uint32_t *memory; /* of all lists but `step` */
  uint32_t block_count, instruction_count;
  struct value_map block_ids, instruction_ids;
  uint32_t *top; /* [block_count + 1]: point at the top of a block; a block ends where the next one begins */
  uint32_t *first_predecessor; /* [block_count + 1] */
  uint32_t *predecessors;
  uint32_t *point, *block_of;       /* by instruction */
  int64_t *step;                    /* [points + 1]: registers that become live minus those that die */
  int64_t *early_step;              /* [points + 1]: the same, less `step`, where loads are not placed late */
  uint32_t *met;                    /* by instruction: number + 1 of the last value that visited it */
  uint32_t *alive;                  /* by block: number + 1 of the value that is live here */
  uint32_t *until;                  /* by block: first point at which that value is dead */
  uint32_t *touched, touched_count; /* blocks in which it is live */
  uint32_t first;                   /* the least point behind a use of it in its own block; UINT32_MAX: none */
  bool *from_ids, *cheap;           /* by instruction: no loaded value has a part in it; computed again at each use */
  LLVMValueRef *users;              /* values made of the present one whose uses are to be looked at */
  uint32_t user_count;
};

/* Returns whether the value is a part of others, or the same bits: it has their registers. */
static bool is_name(LLVMValueRef value) {
  switch (LLVMGetInstructionOpcode(value)) {
  case LLVMShuffleVector:
  case LLVMExtractElement:
  case LLVMInsertElement:
  case LLVMBitCast:
  case LLVMFreeze:
    return true;
  default:
    return false;
  }
}

static bool is_address_arithmetic(LLVMValueRef value) {
  switch (LLVMGetInstructionOpcode(value)) {
  case LLVMAdd:
  case LLVMSub:
  case LLVMMul:
  case LLVMShl:
  case LLVMLShr:
  case LLVMAShr:
  case LLVMAnd:
  case LLVMOr:
  case LLVMXor:
  case LLVMTrunc:
  case LLVMZExt:
  case LLVMSExt:
  case LLVMICmp:
  case LLVMGetElementPtr:
    return true;
  default:
    return false;
  }
}

/* Returns the registers of a value. A boolean takes one; vectors are packed, so three values of 16 bits take two. */
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

static bool is_marked(const struct liveness *v, const bool *marks, LLVMValueRef value) {
  uint32_t id;
  return value_map_get(&v->instruction_ids, value, &id) && marks[id];
}

static bool is_cheap(const struct liveness *v, LLVMValueRef value) {
  return is_marked(v, v->cheap, value);
}

static bool is_id(LLVMValueRef value) {
  LLVMValueRef callee = ir_callee(value);
  return callee && builtin_query(callee) >= 0;
}

/* Returns whether the value follows by integer arithmetic from ids, arguments and counters of loops, so that nothing
 * that was loaded has a part in it. The instructions before it are known. */
static bool follows_from_ids(const struct liveness *v, LLVMValueRef value) {
  const LLVMOpcode opcode = LLVMGetInstructionOpcode(value);
  const bool arithmetic =
      is_address_arithmetic(value) || ir_is_division(value) || opcode == LLVMFreeze || opcode == LLVMAlloca;
  if (is_id(value) || LLVMIsAPHINode(value))
    return true;
  for (unsigned i = 0; arithmetic && i < ir_operand_count(value); i++) {
    LLVMValueRef operand = LLVMGetOperand(value, i);
    if (LLVMIsAInstruction(operand) && !is_marked(v, v->from_ids, operand))
      return false;
  }
  return arithmetic;
}

static void mark(struct liveness *v, uint32_t id, LLVMValueRef value) {
  v->from_ids[id] = follows_from_ids(v, value);
  v->cheap[id] = v->from_ids[id] && (is_address_arithmetic(value) || is_id(value));
}

/* Marks the value as live in the block up to `until`. Returns whether it was not live there before. */
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

/* Marks the value as live from its definition to a use in `block` before `until`. A block that is marked for the
 * first time marks its predecessors, so that `touched` is the work list, too. */
static void use_in(struct liveness *v, uint32_t value, uint32_t block, uint32_t until) {
  const uint32_t home = v->block_of[value];
  if (block == home && until < v->first)
    v->first = until;
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

/* Looks at the uses of `operand`, which is the value or made of it: uses by what is made of it again follow later. */
static void look_at_uses(struct liveness *v, uint32_t id, LLVMValueRef operand) {
  for (LLVMUseRef use = LLVMGetFirstUse(operand); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    uint32_t user_id;
    if (!value_map_get(&v->instruction_ids, user, &user_id) || (v->met[user_id] == id + 1 && !LLVMIsAPHINode(user)))
      continue;
    v->met[user_id] = id + 1;
    if (LLVMIsAPHINode(user))
      use_by_phi(v, id, operand, user);
    else if (is_name(user) || is_cheap(v, user))
      v->users[v->user_count++] = user;
    else
      use_in(v, id, v->block_of[user_id], v->point[user_id]);
  }
}

/* Returns the point from which the value is live in its own block. Its uses are known. */
static uint32_t begin_of(const struct liveness *v, uint32_t id, LLVMValueRef value) {
  const uint32_t own = v->point[id];
  if (!late_loads_has(value))
    return own;
  const uint32_t end = v->point[id_in(&v->instruction_ids, late_loads_end(value))];
  const uint32_t most = (v->first < end ? v->first : end) - 1;
  return most > own ? most : own;
}

/* Adds the intervals of a value that is live from its definition on. */
static void follow(struct liveness *v, uint32_t id, LLVMValueRef value, uint32_t registers) {
  v->touched_count = v->user_count = 0;
  v->first = UINT32_MAX;
  look_at_uses(v, id, value);
  for (uint32_t i = 0; i < v->user_count; i++)
    look_at_uses(v, id, v->users[i]);
  const uint32_t begin = begin_of(v, id, value);
  for (uint32_t i = 0; i < v->touched_count; i++) {
    const uint32_t block = v->touched[i];
    v->step[block == v->block_of[id] ? begin : v->top[block]] += registers;
    v->step[v->until[block]] -= registers;
  }
  if (v->touched_count > 0) {
    v->early_step[v->point[id]] += registers;
    v->early_step[begin] -= registers;
  }
}

/* Adds a value that is computed just before each use, which is live at one point. */
static void compute_at_uses(struct liveness *v, LLVMValueRef value, uint32_t registers) {
  for (LLVMUseRef use = LLVMGetFirstUse(value); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    uint32_t user_id;
    if (!value_map_get(&v->instruction_ids, user, &user_id) || LLVMIsAPHINode(user) || is_name(user) ||
        is_cheap(v, user))
      continue;
    v->step[v->point[user_id] - 1] += registers;
    v->step[v->point[user_id]] -= registers;
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
      mark(v, id, i);
    }
  }
  v->top[v->block_count] = point;
  return true;
}

/* Counts the predecessors of each block, sums the counts up, then fills the lists from their ends, which leaves the
 * beginnings. */
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
  uint32_t **const by_block[] = {&v->top, &v->first_predecessor, &v->alive, &v->until, &v->touched};
  uint32_t **const by_instruction[] = {&v->point, &v->block_of, &v->met};
  uint32_t *next = v->memory = calloc(5 * blocks + 3 * instructions + edges, sizeof *next);
  for (size_t i = 0; next && i < sizeof by_block / sizeof *by_block; i++, next += blocks)
    *by_block[i] = next;
  for (size_t i = 0; next && i < sizeof by_instruction / sizeof *by_instruction; i++, next += instructions)
    *by_instruction[i] = next;
  v->predecessors = next;
  v->step = calloc(blocks + instructions + 1, sizeof *v->step);
  v->early_step = calloc(blocks + instructions + 1, sizeof *v->early_step);
  v->users = calloc(instructions, sizeof(LLVMValueRef));
  v->from_ids = calloc(instructions, sizeof *v->from_ids);
  v->cheap = calloc(instructions, sizeof *v->cheap);
  return next && v->step && v->early_step && v->users && v->from_ids && v->cheap;
}

static void release(struct liveness *v) {
  value_map_clear(&v->block_ids);
  value_map_clear(&v->instruction_ids);
  free(v->memory);
  free(v->step);
  free(v->early_step);
  free(v->users);
  free(v->from_ids);
  free(v->cheap);
}

static uint32_t most_alive(const struct liveness *v, bool late) {
  int64_t alive = 0, most = 0;
  for (uint32_t point = 0; point < v->top[v->block_count]; point++) {
    alive += v->step[point] + (late ? 0 : v->early_step[point]);
    most = alive > most ? alive : most;
  }
  return most > UINT32_MAX ? UINT32_MAX : (uint32_t)most;
}

static void follow_all(struct liveness *v) {
  uint32_t id = 0;
  for (uint32_t b = 0; b < v->block_count; b++)
    for (LLVMValueRef i = LLVMGetFirstInstruction(v->l->blocks[b]); i; i = LLVMGetNextInstruction(i), id++) {
      const uint32_t registers = registers_of(v, i);
      if (is_name(i) || registers == 0)
        continue;
      if (v->cheap[id])
        compute_at_uses(v, i, registers);
      else
        follow(v, id, i, registers);
    }
}

int registers_estimate(struct lowering *l) {
  struct liveness v = {.l = l, .block_count = l->program->code.block_count};
  const bool ready = allocate(&v) && number_instructions(&v);
  if (ready) {
    find_predecessors(&v);
    follow_all(&v);
    l->program->registers = most_alive(&v, true);
    l->program->early_load_registers = most_alive(&v, false);
  }
  release(&v);
  return ready ? 0 : lower_no_memory(l);
}
