/* Finds the parameters of the kernel that decide what its launches' traces hold (launch_inputs.h).
 *
 * A trace holds the blocks that work-items run and the addresses that they access. So it depends on what flows into the
 * conditions of branches, into addresses, and into divisors, because a division by zero ends the run. Flow is followed
 * from the parameters forward through values and through memory: each pointer parameter has one set of inputs for all
 * that is stored through it, and local and private variables have one together. A loop repeats the pass over all
 * instructions until no set grows. What flows through branches needs no rule, because all conditions are inputs.
 *
 * Source: Denning and Denning, "Certification of programs for secure information flow", CACM 20(7), 1977. */
#include "tracegen/lower/describe/describe.h"

#include <stdlib.h>

#include "tracegen/lower/ir/builtin_names.h"
#include "tracegen/lower/ir/instructions.h"
#include "tracegen/lower/ir/markers.h"

struct flow {
  struct lowering *l;
  struct value_map numbers;       /* instruction -> its place in `values` */
  struct value_map accesses;      /* instruction -> its memory operation */
  struct launch_inputs *values;   /* by instruction: what it was computed from */
  struct launch_inputs *memory;   /* by pointer parameter: what was stored there; behind them, variables */
  struct launch_inputs *decisive; /* the answer */
  uint32_t parameter_count;
  bool grew;
};

static struct launch_inputs both(struct launch_inputs a, struct launch_inputs b) {
  return (struct launch_inputs){a.everything || b.everything, a.values | b.values, a.contents | b.contents,
                                a.stored | b.stored};
}

/* Adds inputs to a set that the next pass may read. */
static void add(struct flow *f, struct launch_inputs *to, struct launch_inputs more) {
  const struct launch_inputs all = both(*to, more);
  f->grew |= all.everything != to->everything || all.values != to->values || all.contents != to->contents;
  *to = all;
}

static void give_up(struct flow *f) {
  add(f, f->decisive, (struct launch_inputs){.everything = true});
}

static struct launch_inputs inputs_of_parameter(const struct flow *f, LLVMValueRef value) {
  for (uint32_t i = 0; i < f->parameter_count; i++)
    if (LLVMGetParam(f->l->kernel, i) == value)
      return (struct launch_inputs){.values = f->l->program->parameters[i].is_pointer ? 0 : UINT64_C(1) << i};
  return (struct launch_inputs){.everything = true};
}

/* Returns what a value was computed from; addresses of variables and buffers are the same in all launches. */
static struct launch_inputs inputs_of(const struct flow *f, LLVMValueRef value) {
  uint32_t number;
  if (LLVMIsAArgument(value))
    return inputs_of_parameter(f, value);
  return value_map_get(&f->numbers, value, &number) ? f->values[number] : (struct launch_inputs){0};
}

static struct launch_inputs inputs_of_operands(const struct flow *f, LLVMValueRef instruction) {
  struct launch_inputs all = {0};
  for (unsigned i = 0; i < ir_operand_count(instruction); i++)
    all = both(all, inputs_of(f, LLVMGetOperand(instruction, i)));
  return all;
}

/* Memory. */

/* Returns the set for memory that the access may touch; NULL: any memory. */
static struct launch_inputs *memory_of(const struct flow *f, const struct kernel_access *access) {
  switch (access->root.kind) {
  case ROOT_ARGUMENT:
    return &f->memory[access->root.index];
  case ROOT_LOCAL:
  case ROOT_PRIVATE:
    return &f->memory[f->parameter_count];
  default:
    return NULL;
  }
}

static struct launch_inputs inputs_of_memory(const struct flow *f, const struct kernel_access *access) {
  const struct launch_inputs *memory = memory_of(f, access);
  struct launch_inputs all = {0};
  if (access->root.kind == ROOT_CONSTANT)
    return all;
  for (uint32_t i = 0; !memory && i <= f->parameter_count; i++)
    all = both(all, f->memory[i]);
  return memory ? *memory : all;
}

static void store(struct flow *f, const struct kernel_access *access, struct launch_inputs stored) {
  struct launch_inputs *memory = memory_of(f, access);
  f->decisive->stored |= access->root.kind == ROOT_ARGUMENT ? UINT64_C(1) << access->root.index
                         : memory                           ? 0
                                                            : UINT64_MAX;
  if (memory)
    add(f, memory, stored);
  for (uint32_t i = 0; !memory && i <= f->parameter_count; i++)
    add(f, &f->memory[i], stored);
}

/* Returns what the instruction, which accesses memory, gives; its address decides. */
static struct launch_inputs follow_access(struct flow *f, LLVMValueRef i) {
  uint32_t number;
  const struct launch_inputs operands = inputs_of_operands(f, i);
  if (!value_map_get(&f->accesses, i, &number)) {
    give_up(f);
    return operands;
  }
  const struct kernel_access *access = &f->l->program->accesses[number];
  if (LLVMIsALoadInst(i)) {
    add(f, f->decisive, operands);
    return inputs_of_memory(f, access);
  }
  add(f, f->decisive, inputs_of(f, LLVMGetOperand(i, LLVMIsAStoreInst(i) ? 1 : 0)));
  store(f, access, operands);
  return inputs_of_memory(f, access);
}

/* Calls. */

static bool takes_pointers(LLVMValueRef call) {
  for (unsigned i = 0; i < ir_operand_count(call); i++)
    if (LLVMGetTypeKind(LLVMTypeOf(LLVMGetOperand(call, i))) == LLVMPointerTypeKind)
      return true;
  return false;
}

/* Returns what a function that computes gives. One with a second result stores it behind its last argument. */
static struct launch_inputs follow_function(struct flow *f, LLVMValueRef call, LLVMValueRef callee) {
  char name[64];
  uint32_t number;
  const struct launch_inputs operands = inputs_of_operands(f, call);
  if (!takes_pointers(call) || LLVMGetIntrinsicID(callee))
    return operands;
  builtin_name(callee, name, sizeof name);
  if (builtin_stores_result(name) && value_map_get(&f->accesses, call, &number)) {
    add(f, f->decisive, inputs_of(f, LLVMGetOperand(call, ir_operand_count(call) - 1)));
    store(f, &f->l->program->accesses[number], operands);
  } else {
    give_up(f);
  }
  return operands;
}

static struct launch_inputs follow_call(struct flow *f, LLVMValueRef call) {
  LLVMValueRef callee = ir_callee(call);
  switch (callee ? marker_called(call) : MARKER_IMAGE) {
  case MARKER_ARGUMENT_PART:
    return (struct launch_inputs){.values = UINT64_C(1) << LLVMConstIntGetZExtValue(LLVMGetOperand(call, 0))};
  case MARKER_IMAGE:
    give_up(f);
    return (struct launch_inputs){0};
  case MARKER_GROUP_CALL:
    add(f, f->decisive, inputs_of_operands(f, call));
    return (struct launch_inputs){0};
  case MARKER_NONE:
    break;
  default:
    return (struct launch_inputs){0};
  }
  if (builtin_is_printf(callee))
    give_up(f);
  if (builtin_is_barrier(callee) || builtin_is_fence(callee) || builtin_query(callee) >= 0)
    return inputs_of_operands(f, call);
  return follow_function(f, call, callee);
}

/* Instructions. */

static struct launch_inputs follow(struct flow *f, LLVMValueRef i) {
  switch (LLVMGetInstructionOpcode(i)) {
  case LLVMLoad:
  case LLVMStore:
  case LLVMAtomicRMW:
  case LLVMAtomicCmpXchg:
    return follow_access(f, i);
  case LLVMCall:
    return follow_call(f, i);
  case LLVMBr:
  case LLVMSwitch:
    add(f, f->decisive, inputs_of_operands(f, i));
    return (struct launch_inputs){0};
  default:
    if (ir_is_division(i))
      add(f, f->decisive, inputs_of_operands(f, i));
    return inputs_of_operands(f, i);
  }
}

static void follow_all(struct flow *f) {
  uint32_t number = 0;
  for (uint32_t b = 0; b < f->l->program->code.block_count; b++)
    for (LLVMValueRef i = LLVMGetFirstInstruction(f->l->blocks[b]); i; i = LLVMGetNextInstruction(i), number++) {
      const struct launch_inputs found = follow(f, i);
      add(f, &f->values[number], found);
    }
}

static bool number_instructions(struct flow *f) {
  uint32_t number = 0;
  for (uint32_t b = 0; b < f->l->program->code.block_count; b++)
    for (LLVMValueRef i = LLVMGetFirstInstruction(f->l->blocks[b]); i; i = LLVMGetNextInstruction(i))
      if (!value_map_put(&f->numbers, i, number++))
        return false;
  for (uint32_t m = 0; m < f->l->program->code.mem_count; m++)
    if (f->l->access_instructions[m] && !value_map_put(&f->accesses, f->l->access_instructions[m], m))
      return false;
  f->values = calloc(number + (size_t)1, sizeof *f->values);
  f->memory = calloc(f->parameter_count + (size_t)1, sizeof *f->memory);
  return f->values && f->memory;
}

/* Local memory holds nothing at first; all other memory holds what the program has put there. */
static void begin(struct flow *f) {
  for (uint32_t i = 0; i < f->parameter_count; i++)
    if (f->l->program->parameters[i].is_pointer && f->l->program->parameters[i].space != SPACE_LOCAL)
      f->memory[i].contents = UINT64_C(1) << i;
}

int trace_inputs_find(struct lowering *l) {
  struct flow f = {.l = l, .parameter_count = l->program->parameter_count, .decisive = &l->program->inputs};
  if (f.parameter_count > LAUNCH_INPUTS_MOST) {
    give_up(&f);
    return 0;
  }
  const bool ready = number_instructions(&f);
  if (ready)
    begin(&f);
  do {
    f.grew = false;
    if (ready)
      follow_all(&f);
  } while (f.grew && !f.decisive->everything);
  value_map_clear(&f.numbers);
  value_map_clear(&f.accesses);
  free(f.values);
  free(f.memory);
  return ready ? 0 : lower_no_memory(l);
}
