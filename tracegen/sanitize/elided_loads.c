/* Loads from global, constant and local memory that the optimiser removes, makes narrower or moves behind a branch,
 * because their values are not all used, or not always. A load that is gone is not checked, and a load in front of
 * the `if` that guards it is a common mistake.
 *
 * Before optimisation the lines that load are noted, with the widest load of each, whether every work-item executes
 * it, and whether nothing uses its value. After optimisation they are compared with the loads that are left. Where
 * bytes are gone, or some work-items skip the load, the kernel needs checking, and the version for the dry run keeps
 * all loads. A line without any load has as a rule lost it to an equal load elsewhere: the optimiser merges loads of
 * one place and moves them out of loops. Lines do not tell everything: a load that is moved behind a branch inside a
 * loop or another branch is not noticed. */
#include <stdlib.h>
#include <string.h>

#include <llvm-c/DebugInfo.h>

#include "base/array.h"
#include "tracegen/lower/ir/builtin_names.h"
#include "tracegen/lower/ir/instructions.h"
#include "tracegen/sanitize/sanitize.h"

#define MOST_COPIED 4096 /* bytes that one straight copy may have */
#define MOST_NESTED 8    /* operations on a loaded value: assumed */
#define MOST_BLOCKS 1000 /* of a kernel that is examined: assumed, as the work grows with their square */

struct source_load {
  unsigned line;
  uint64_t bytes;
  bool always; /* every work-item executes it */
  bool unused; /* nothing uses the value of some load on this line */
};

static bool is_looked_at(LLVMValueRef pointer) {
  return ir_space(pointer) >= IR_GLOBAL && ir_space(pointer) <= IR_LOCAL;
}

static bool is_vector_load(LLVMValueRef callee) {
  char name[64];
  return strncmp(builtin_name(callee, name, sizeof name), "vload", 5) == 0 && name[5] >= '1' && name[5] <= '9' &&
         is_looked_at(LLVMGetParam(callee, 1));
}

static bool is_copy(LLVMValueRef i) {
  return ir_calls(i, "llvm.mem") && !ir_calls(i, "llvm.memset") && is_looked_at(LLVMGetOperand(i, 1));
}

/* Returns the bytes that a copy loads at once: long copies become loops (block_copies.c). */
static uint64_t copied_bytes(LLVMValueRef copy) {
  LLVMValueRef bytes = LLVMGetOperand(copy, 2);
  const uint64_t count = LLVMIsAConstantInt(bytes) ? LLVMConstIntGetZExtValue(bytes) : 1;
  return count <= MOST_COPIED ? count : 1;
}

/* Returns the bytes that an instruction loads at once from memory that is examined; 0: none. */
static uint64_t loaded_bytes(struct lowering *l, LLVMValueRef i) {
  if (LLVMIsALoadInst(i))
    return is_looked_at(LLVMGetOperand(i, 0)) ? LLVMStoreSizeOfType(l->layout, LLVMTypeOf(i)) : 0;
  if (is_copy(i))
    return copied_bytes(i);
  LLVMValueRef callee = ir_callee(i);
  return callee && LLVMCountParams(callee) == 2 && is_vector_load(callee)
             ? LLVMStoreSizeOfType(l->layout, LLVMTypeOf(i))
             : 0;
}

/* Paths through a function. */

struct paths {
  struct value_map reached;
  bool end, no_memory; /* whether they reach the kernel's end; whether the map has no room */
};

static void reach(LLVMBasicBlockRef from, LLVMBasicBlockRef without, struct paths *paths) {
  uint32_t known;
  if (from == without || value_map_get(&paths->reached, from, &known))
    return;
  if (!value_map_put(&paths->reached, from, 1)) {
    paths->no_memory = true;
    return;
  }
  LLVMValueRef end = LLVMGetBasicBlockTerminator(from);
  paths->end |= LLVMIsAReturnInst(end) != NULL;
  for (unsigned i = 0; i < LLVMGetNumSuccessors(end) && !paths->end; i++)
    reach(LLVMGetSuccessor(end, i), without, paths);
}

/* Returns whether every path to the kernel's end leads through the block; -1: out of memory. */
static int is_always_reached(LLVMBasicBlockRef block) {
  struct paths paths = {0};
  reach(LLVMGetEntryBasicBlock(LLVMGetBasicBlockParent(block)), block, &paths);
  value_map_clear(&paths.reached);
  return paths.no_memory ? -1 : !paths.end;
}

/* Notes. */

static bool is_never_loaded(LLVMValueRef pointer) {
  for (LLVMUseRef use = LLVMGetFirstUse(pointer); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    const bool stored = LLVMIsAStoreInst(user) && LLVMGetOperand(user, 1) == pointer;
    if (!stored && !(LLVMIsACallInst(user) && LLVMGetIntrinsicID(LLVMGetCalledValue(user))))
      return false;
  }
  return LLVMIsAAllocaInst(pointer) != NULL;
}

/* Returns whether the source does not use a value: what is made of it goes at most to variables that nothing reads. */
static bool is_unused(LLVMValueRef value, unsigned nested) {
  if (nested == MOST_NESTED || LLVMIsATerminatorInst(value) || (nested && LLVMIsACallInst(value)))
    return false;
  for (LLVMUseRef use = LLVMGetFirstUse(value); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    if (LLVMIsAStoreInst(user) ? !is_never_loaded(LLVMGetOperand(user, 1))
                               : LLVMIsALoadInst(user) || !is_unused(user, nested + 1))
      return false;
  }
  return true;
}

static struct source_load *noted(const struct lowering *l, unsigned line) {
  for (uint32_t i = 0; i < l->load_count; i++)
    if (l->loads[i].line == line)
      return &l->loads[i];
  return NULL;
}

static struct source_load *add_line(struct lowering *l, unsigned line) {
  if (!array_room_for_one(&l->loads, l->load_count, sizeof *l->loads))
    return NULL;
  l->loads[l->load_count] = (struct source_load){.line = line};
  return &l->loads[l->load_count++];
}

static int note_block(struct lowering *l, LLVMBasicBlockRef block, bool in_kernel) {
  int always = -1; /* unknown */
  for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i)) {
    const uint64_t bytes = loaded_bytes(l, i);
    if (!bytes)
      continue;
    if (always < 0 && (always = in_kernel ? is_always_reached(block) : 0) < 0)
      return lower_no_memory(l);
    struct source_load *load = noted(l, LLVMGetDebugLocLine(i));
    if (!load && !(load = add_line(l, LLVMGetDebugLocLine(i))))
      return lower_no_memory(l);
    load->bytes = bytes > load->bytes ? bytes : load->bytes;
    load->always |= always;
    load->unused |= !is_copy(i) && is_unused(i, 0);
  }
  return 0;
}

int elided_loads_note(struct lowering *l) {
  if (LLVMCountBasicBlocks(l->kernel) > MOST_BLOCKS)
    return 0;
  for (LLVMValueRef f = LLVMGetFirstFunction(l->module); f; f = LLVMGetNextFunction(f))
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
      if (note_block(l, b, f == l->kernel))
        return -1;
  return 0;
}

/* Comparison. */

struct left {
  uint64_t bytes, always_bytes; /* of one line; a wide load may have become several */
};

static struct left find_line(struct lowering *l, const struct source_load *wanted) {
  struct left left = {0, 0};
  for (LLVMValueRef i = ir_first(l->kernel); i && left.always_bytes < wanted->bytes; i = ir_next(i)) {
    const uint64_t bytes = LLVMGetDebugLocLine(i) == wanted->line ? loaded_bytes(l, i) : 0;
    left.bytes += bytes;
    left.always_bytes += bytes && wanted->always && is_always_reached(LLVMGetInstructionParent(i)) ? bytes : 0;
  }
  return left;
}

/* Returns whether some line has loads that it had not in the source: an element of a vector that is used on another
 * line may be loaded there. */
static bool loads_elsewhere(struct lowering *l) {
  for (LLVMValueRef i = ir_first(l->kernel); i; i = ir_next(i))
    if (LLVMGetDebugLocLine(i) && loaded_bytes(l, i) && !noted(l, LLVMGetDebugLocLine(i)))
      return true;
  return false;
}

static bool is_elided(struct lowering *l, const struct source_load *load) {
  const struct left left = find_line(l, load);
  if (left.bytes >= load->bytes)
    return load->always && left.always_bytes < load->bytes;
  return left.bytes > 0 || load->unused || loads_elsewhere(l);
}

int elided_loads_find(struct lowering *l) {
  const bool small = LLVMCountBasicBlocks(l->kernel) <= MOST_BLOCKS;
  for (uint32_t i = 0; small && i < l->load_count && !l->program->needs_checking; i++)
    l->program->needs_checking = is_elided(l, &l->loads[i]);
  return 0;
}

/* The version for the dry run. */

int elided_loads_keep(struct lowering *l) {
  for (LLVMValueRef f = LLVMGetFirstFunction(l->module); f; f = LLVMGetNextFunction(f))
    for (LLVMValueRef i = ir_first(f); i; i = ir_next(i))
      if (LLVMIsALoadInst(i) && is_looked_at(LLVMGetOperand(i, 0)))
        LLVMSetVolatile(i, true);
      else if (is_copy(i))
        LLVMSetOperand(i, 3, LLVMConstInt(LLVMInt1TypeInContext(l->context), 1, false));
  return 0;
}
