/* Private variables that are read before they are written: a definite-initialisation analysis, before optimisation,
 * which would make any value of such a read.
 *
 * A read is certainly wrong when no path from the function's start, or from where the variable comes into scope, to
 * the first execution of the load writes any part of the variable. A trap in front of such a load ends the run when
 * a work-item reaches it. Where only some paths write the variable, or only a part of it, shadow values decide
 * (shadow_propagation.c). Arrays that stay in memory are checked while the kernel runs (load_uses.c). */
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "tracegen/lower/ir/markers.h"
#include "tracegen/lower/ir/variables.h"
#include "tracegen/sanitize/sanitize.h"
#include "tracegen/sanitize/shadow_sources.h"
#include "tracegen/sanitize/shadow_stores.h"

#define MAX_BLOCKS 20000  /* of a function that is examined: the work grows with blocks times variables */
#define MAX_WORK   500000 /* blocks examined for certain reads in a function: assumed, some milliseconds */

/* The effect of an instruction on the variable. WRITE: all of it; PART: a part; OTHER: it gives the address away, so
 * that reads and writes may follow; START: the variable comes into scope. */
enum event { NOTHING, WRITE, PART, OTHER, READ, START };
enum { UNWRITTEN = 1, WRITTEN = 2 }; /* bits: the states in which a place can be reached */

struct listed_event {
  uint32_t place; /* number of the instruction in its function */
  enum event event;
};

struct search {
  struct lowering *l;
  LLVMValueRef variable;
  struct value_map events;     /* instruction -> enum event */
  struct value_map places;     /* instruction -> its number in the function */
  uint32_t *first_place;       /* [block_count + 1] */
  struct listed_event *listed; /* the events, in order of their places */
  size_t listed_count;
  struct value_map block_index;
  LLVMBasicBlockRef *blocks;
  uint8_t *entered; /* by block: states */
  uint32_t *work;   /* blocks to examine again */
  uint32_t block_count;
  uint64_t work_done; /* in blocks */
};

static bool is_written_whole(const struct search *s, LLVMValueRef pointer, uint64_t bytes) {
  return pointer == s->variable && bytes >= LLVMStoreSizeOfType(s->l->layout, LLVMGetAllocatedType(s->variable));
}

static enum event event_of_call(const struct search *s, LLVMValueRef call, LLVMValueRef pointer) {
  if (ir_calls(call, "llvm.lifetime.start"))
    return START;
  if (ir_calls(call, "llvm.lifetime.end") || ir_calls(call, "llvm.dbg"))
    return NOTHING;
  if (!ir_calls(call, "llvm.mem") || LLVMGetOperand(call, 0) != pointer)
    return OTHER;
  LLVMValueRef bytes = LLVMGetOperand(call, 2);
  return LLVMIsAConstantInt(bytes) && is_written_whole(s, pointer, LLVMConstIntGetZExtValue(bytes)) ? WRITE : PART;
}

static enum event event_of(const struct search *s, LLVMValueRef user, LLVMValueRef pointer) {
  if (LLVMIsALoadInst(user))
    return READ;
  if (LLVMIsACallInst(user))
    return event_of_call(s, user, pointer);
  if (!LLVMIsAStoreInst(user) || LLVMGetOperand(user, 0) == pointer)
    return OTHER;
  const uint64_t bytes = LLVMStoreSizeOfType(s->l->layout, LLVMTypeOf(LLVMGetOperand(user, 0)));
  return is_written_whole(s, pointer, bytes) ? WRITE : PART;
}

/* Collects the events of all uses. Returns whether anything may read the variable. */
static bool collect(struct search *s, LLVMValueRef pointer, bool *memory) {
  bool found = false;
  for (LLVMUseRef use = LLVMGetFirstUse(pointer); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    const bool address = LLVMIsAGetElementPtrInst(user) || LLVMIsABitCastInst(user);
    const enum event event = address ? NOTHING : event_of(s, user, pointer);
    if (address)
      found |= collect(s, user, memory);
    found |= event == READ || event == OTHER;
    if (event != NOTHING && !value_map_put(&s->events, user, event))
      *memory = false;
  }
  return found;
}

/* Returns whether a loaded vector only gets elements: to set an element, clang loads, changes and stores the vector. */
static bool is_only_filled_up(LLVMValueRef load) {
  for (LLVMUseRef use = LLVMGetFirstUse(load); use; use = LLVMGetNextUse(use))
    if (!LLVMIsAInsertElementInst(LLVMGetUser(use)) && !LLVMIsAShuffleVectorInst(LLVMGetUser(use)))
      return false;
  return true;
}

/* Returns whether a load only copies the variable to other private variables: what becomes of them decides. */
static bool is_only_moved(LLVMValueRef load) {
  for (LLVMUseRef use = LLVMGetFirstUse(load); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    if (!LLVMIsAStoreInst(user) || !LLVMIsAAllocaInst(LLVMGetOperand(user, 1)))
      return false;
  }
  return true;
}

static uint32_t place_of(const struct search *s, LLVMValueRef instruction) {
  uint32_t place = UINT32_MAX;
  value_map_get(&s->places, instruction, &place);
  return place;
}

static int by_place(const void *a, const void *b) {
  const uint32_t x = ((const struct listed_event *)a)->place, y = ((const struct listed_event *)b)->place;
  return (x > y) - (x < y);
}

/* Lists the events in the order of the function. Returns false where memory ran out. */
static bool list_events(struct search *s) {
  s->listed_count = 0;
  for (uint32_t i = 0; i < s->events.capacity; i++)
    if (s->events.keys[i]) {
      if (!array_room_for_one(&s->listed, s->listed_count, sizeof *s->listed))
        return false;
      const uint32_t place = place_of(s, (LLVMValueRef)(uintptr_t)s->events.keys[i]);
      s->listed[s->listed_count++] = (struct listed_event){place, (enum event)s->events.values[i]};
    }
  if (s->listed_count)
    qsort(s->listed, s->listed_count, sizeof *s->listed, by_place);
  return true;
}

/* Returns the first listed event at `place` or behind it. */
static size_t first_listed(const struct search *s, uint32_t place) {
  size_t low = 0, high = s->listed_count;
  while (low < high) {
    const size_t middle = (low + high) / 2;
    if (s->listed[middle].place < place)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

/* Returns whether the block, entered in *state, may read the variable before all of it is written. *state becomes that
 * behind the block. */
static bool reads_unwritten(const struct search *s, uint32_t block, uint8_t *state) {
  const uint32_t end = s->first_place[block + 1];
  for (size_t i = first_listed(s, s->first_place[block]); i < s->listed_count && s->listed[i].place < end; i++) {
    const enum event event = s->listed[i].event;
    if ((event == READ || event == OTHER) && *state == UNWRITTEN)
      return true;
    *state = event == WRITE ? WRITTEN : event == START ? UNWRITTEN : *state;
  }
  return false;
}

static uint32_t block_number(const struct search *s, LLVMBasicBlockRef block) {
  uint32_t number = 0;
  value_map_get(&s->block_index, block, &number);
  return number;
}

/* Lists the function's first block, and those where the variable comes into scope; these are entered as WRITTEN,
 * since only what follows the start counts. */
static uint32_t list_starts(struct search *s) {
  uint32_t count = 0;
  memset(s->entered, 0, s->block_count);
  s->entered[0] = UNWRITTEN;
  s->work[count++] = 0;
  for (uint32_t i = 0; i < s->events.capacity; i++)
    if (s->events.keys[i] && s->events.values[i] == START) {
      const uint32_t b = block_number(s, LLVMGetInstructionParent((LLVMValueRef)(uintptr_t)s->events.keys[i]));
      if (!s->entered[b])
        s->work[count++] = b;
      s->entered[b] |= WRITTEN;
    }
  return count;
}

/* Returns whether some path leads from where the variable is unwritten to a read without a write of the whole
 * variable. */
static bool may_be_read_unwritten(struct search *s) {
  for (uint32_t count = list_starts(s); count;) {
    const uint32_t b = s->work[--count];
    uint8_t state = s->entered[b] & UNWRITTEN ? UNWRITTEN : WRITTEN;
    if (reads_unwritten(s, b, &state))
      return true;
    LLVMValueRef end = LLVMGetBasicBlockTerminator(s->blocks[b]);
    for (unsigned i = 0; state == UNWRITTEN && i < LLVMGetNumSuccessors(end); i++) {
      const uint32_t next = block_number(s, LLVMGetSuccessor(end, i));
      if (!(s->entered[next] & UNWRITTEN))
        s->work[count++] = next;
      s->entered[next] |= UNWRITTEN;
    }
  }
  return false;
}

/* Returns the states behind the block. *at_load collects those in which `load` is reached, where the path ends. */
static uint8_t pass(const struct search *s, uint32_t block, uint8_t state, uint32_t load, uint8_t *at_load) {
  const uint32_t end = s->first_place[block + 1];
  for (size_t i = first_listed(s, s->first_place[block]); i < s->listed_count && s->listed[i].place < end; i++) {
    if (s->listed[i].place == load) { /* a load has an event of its own */
      *at_load |= state;
      return 0;
    }
    const enum event event = s->listed[i].event;
    state = event == START ? UNWRITTEN : event == READ ? state : WRITTEN;
  }
  return state;
}

/* Returns the states in which `load` is reached. Past MAX_WORK no read counts as certain; shadow values decide. */
static uint8_t states_at(struct search *s, LLVMValueRef load) {
  const uint32_t place = place_of(s, load);
  uint8_t at_load = s->work_done > MAX_WORK ? WRITTEN : 0;
  uint32_t count = 1;
  memset(s->entered, 0, s->block_count);
  s->entered[0] = UNWRITTEN;
  s->work[0] = 0;
  while (count && !(at_load & WRITTEN)) {
    const uint32_t b = s->work[--count];
    s->work_done++;
    const uint8_t out = pass(s, b, s->entered[b], place, &at_load);
    LLVMValueRef end = LLVMGetBasicBlockTerminator(s->blocks[b]);
    for (unsigned i = 0; out && i < LLVMGetNumSuccessors(end); i++) {
      const uint32_t next = block_number(s, LLVMGetSuccessor(end, i));
      if ((s->entered[next] | out) != s->entered[next] && count < 2 * s->block_count) {
        s->entered[next] |= out;
        s->work[count++] = next;
      }
    }
  }
  return at_load;
}

/* *number becomes the index of the name for messages. */
static int add_name(struct search *s, uint32_t *number) {
  struct kernel_variables *names = &s->l->program->undefined;
  *number = names->count;
  if (kernel_variable_add(names, ir_name(s->variable), 0, 1))
    return lower_no_memory(s->l);
  names->list[*number].is_certain = true;
  return 0;
}

static int add_trap(struct search *s, LLVMValueRef load) {
  struct lowering *l = s->l;
  uint32_t number;
  if (add_name(s, &number))
    return -1;
  LLVMBuilderRef b = LLVMCreateBuilderInContext(l->context);
  ir_build_before(b, load);
  LLVMValueRef variable = LLVMConstInt(LLVMInt32TypeInContext(l->context), number, false);
  marker_trap(l, b, MARKER_UNINITIALISED_READ, &variable, 1);
  LLVMDisposeBuilder(b);
  return 0;
}

static int look_at_variable(struct search *s) {
  bool memory = true;
  int status = 0;
  value_map_clear(&s->events);
  /* a function's result may be ignored: what becomes of it decides */
  const bool returned = strcmp(ir_name(s->variable), KERNEL_RESULT) == 0;
  if (!collect(s, s->variable, &memory))
    return 0;
  if (!memory || !list_events(s))
    return lower_no_memory(s->l);
  if (!may_be_read_unwritten(s))
    return 0;
  s->l->may_read_uninitialised = true;
  if (shadow_source_is_large(s->l, s->variable))
    large_variable_mark(s->l, s->variable);
  const struct value_map events = s->events;
  for (uint32_t i = 0; i < events.capacity && !status; i++) {
    LLVMValueRef load = (LLVMValueRef)(uintptr_t)events.keys[i];
    if (load && !returned && events.values[i] == READ && !is_only_filled_up(load) && !is_only_moved(load) &&
        states_at(s, load) == UNWRITTEN)
      status = add_trap(s, load);
  }
  return status;
}

/* Gives the block's instructions the numbers from *place on. Returns false where memory ran out. */
static bool number_instructions(struct search *s, LLVMBasicBlockRef block, uint32_t *place) {
  for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i))
    if (!value_map_put(&s->places, i, (*place)++))
      return false;
  return true;
}

static int list_blocks(struct search *s, LLVMValueRef function) {
  s->block_count = LLVMCountBasicBlocks(function);
  s->blocks = malloc(s->block_count * sizeof *s->blocks);
  s->entered = malloc(s->block_count);
  s->work = malloc((2 * (size_t)s->block_count + 1) * sizeof *s->work);
  s->first_place = malloc((s->block_count + (size_t)1) * sizeof *s->first_place);
  if (!s->blocks || !s->entered || !s->work || !s->first_place)
    return lower_no_memory(s->l);
  LLVMGetBasicBlocks(function, s->blocks);
  uint32_t place = 0;
  for (uint32_t i = 0; i < s->block_count; i++) {
    s->first_place[i] = place;
    if (!value_map_put(&s->block_index, s->blocks[i], i) || !number_instructions(s, s->blocks[i], &place))
      return lower_no_memory(s->l);
  }
  s->first_place[s->block_count] = place;
  return 0;
}

static int look_at_function(struct lowering *l, LLVMValueRef function) {
  struct search s = {.l = l};
  int status = LLVMCountBasicBlocks(function) > MAX_BLOCKS ? 0 : list_blocks(&s, function);
  LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(function);
  for (LLVMValueRef i = LLVMGetFirstInstruction(entry); s.block_count && i && !status; i = LLVMGetNextInstruction(i))
    if (LLVMIsAAllocaInst(i)) {
      s.variable = i;
      status = look_at_variable(&s);
    }
  value_map_clear(&s.events);
  value_map_clear(&s.block_index);
  value_map_clear(&s.places);
  free(s.first_place);
  free(s.listed);
  free(s.blocks);
  free(s.entered);
  free(s.work);
  return status;
}

int uninitialised_variables_find(struct lowering *l) {
  for (LLVMValueRef f = LLVMGetFirstFunction(l->module); f; f = LLVMGetNextFunction(f))
    if (!LLVMIsDeclaration(f) && look_at_function(l, f))
      return -1;
  return 0;
}
