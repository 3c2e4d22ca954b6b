/* Private variables that some ways through a kernel read before they write them, and that the optimiser keeps in
 * registers: their undefined value is followed to where it decides something.
 *
 * This is done in a second version of the kernel, which is never traced (rehearsal.c runs it), so that the traced code
 * stays as it is. There such a variable starts as the result of a call that knows its name. Before optimisation, with
 * functions inlined and variables in registers, each value that may come from such a call gets a companion: 0, or 1 +
 * the variable it comes from; for vectors, one an element. A branch on it, an address, a divisor, something printed or
 * a value stored to global or local memory then ends the run. What is only moved, selected away or kept in private
 * memory is no mistake. */
#include "tracegen/lower.h"

#include <stdlib.h>
#include <string.h>

#include <llvm-c/DebugInfo.h>
#include <llvm-c/Transforms/PassBuilder.h>

#include "base/text.h"
#include "tracegen/companions.h"
#include "tracegen/image_calls.h"

#define START      "reassemble.unwritten."
#define MAX_VALUES 20000 /* that are followed; in a kernel with more, nothing is looked for */

struct follower {
  struct companions c;
  LLVMValueRef *deciders; /* instructions that a followed value reaches, to be checked */
  uint32_t decider_count;
};

/* Where variables start. */

static bool is_plain(LLVMTypeRef type) {
  uint32_t elements;
  LLVMTypeRef element = lower_element(type, &elements);
  if (elements > COMPANION_MOST_ELEMENTS)
    return false;
  switch (LLVMGetTypeKind(element)) {
  case LLVMIntegerTypeKind:
  case LLVMHalfTypeKind:
  case LLVMFloatTypeKind:
  case LLVMDoubleTypeKind:
  case LLVMPointerTypeKind:
    return true;
  default:
    return false;
  }
}

static bool is_start(LLVMValueRef function) {
  size_t length;
  return strncmp(LLVMGetValueName2(function, &length), START, strlen(START)) == 0;
}

bool undefined_value_is_followable(LLVMValueRef variable) {
  if (!is_plain(LLVMGetAllocatedType(variable)) || !LLVMIsAConstantInt(LLVMGetOperand(variable, 0)) ||
      LLVMConstIntGetZExtValue(LLVMGetOperand(variable, 0)) != 1)
    return false;
  for (LLVMUseRef use = LLVMGetFirstUse(variable); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    const bool load = LLVMIsALoadInst(user), store = LLVMIsAStoreInst(user) && LLVMGetOperand(user, 1) == variable;
    if (LLVMIsACallInst(user) ? !LLVMGetIntrinsicID(LLVMGetCalledValue(user)) : !load && !store)
      return false;
    if ((load || store) && LLVMGetVolatile(user))
      return false;
  }
  return true;
}

int undefined_value_store(struct lowering *l, LLVMValueRef variable, LLVMValueRef behind, uint32_t number) {
  LLVMTypeRef type = LLVMGetAllocatedType(variable), parameter = LLVMInt32TypeInContext(l->context);
  LLVMTypeRef function_type = LLVMFunctionType(type, &parameter, 1, false);
  char *text = LLVMPrintTypeToString(type), *name = text_format(START "%s", text);
  LLVMDisposeMessage(text);
  if (!name)
    return error_set(l->error, ERROR_WORK, "out of memory");
  LLVMValueRef function = lower_declare_pure(l, name, function_type);
  LLVMValueRef index = LLVMConstInt(parameter, number, false);
  free(name);
  LLVMBuilderRef b = LLVMCreateBuilderInContext(l->context);
  LLVMPositionBuilderBefore(b, LLVMGetNextInstruction(behind));
  LLVMSetAlignment(LLVMBuildStore(b, LLVMBuildCall2(b, function_type, function, &index, 1, ""), variable),
                   LLVMGetAlignment(variable));
  LLVMDisposeBuilder(b);
  return 0;
}

/* Where a value goes. */

static LLVMValueRef called_function(LLVMValueRef call) {
  LLVMValueRef callee = LLVMGetCalledValue(call);
  return LLVMIsAFunction(callee) ? callee : NULL;
}

/* Shows its arguments, or finds texels with them. */
static bool is_visible_call(const struct follower *f, LLVMValueRef call) {
  char name[64];
  LLVMValueRef callee = called_function(call);
  if (!callee || image_call_of(f->c.l->program, callee))
    return true;
  return strcmp(builtin_name(callee, name, sizeof name), "printf") == 0;
}

static bool is_block_copy(LLVMValueRef call) {
  size_t length;
  LLVMValueRef callee = called_function(call);
  const char *name = callee ? LLVMGetValueName2(callee, &length) : "";
  return strncmp(name, "llvm.mem", 8) == 0;
}

static bool in_global_or_local_memory(LLVMValueRef pointer) {
  const unsigned space = LLVMGetPointerAddressSpace(LLVMTypeOf(pointer));
  return space == 1 || space == 3;
}

/* Whether operand `i` of the instruction decides what happens, or is seen by others. */
static bool decides(const struct follower *f, LLVMValueRef instruction, unsigned i) {
  switch ((int)LLVMGetInstructionOpcode(instruction)) {
  case LLVMBr:
  case LLVMSwitch:
    return i == 0;
  case LLVMLoad:
  case LLVMAtomicRMW:
  case LLVMAtomicCmpXchg:
    return true;
  case LLVMStore:
    return i == 1 || in_global_or_local_memory(LLVMGetOperand(instruction, 1));
  case LLVMUDiv:
  case LLVMSDiv:
  case LLVMURem:
  case LLVMSRem:
    return i == 1;
  case LLVMCall:
    return is_visible_call(f, instruction) || is_block_copy(instruction);
  default:
    return false;
  }
}

/* Whether the instruction's result is made of its operands alone. */
static bool passes_on(LLVMValueRef instruction) {
  if (!is_plain(LLVMTypeOf(instruction)))
    return false;
  switch ((int)LLVMGetInstructionOpcode(instruction)) {
  case LLVMLoad:
  case LLVMAtomicRMW:
  case LLVMAlloca:
  case LLVMExtractValue:
    return false;
  default:
    return true;
  }
}

/* 1 + the number of the variable that starts with this value; 0: none does. */
static uint32_t start_of(LLVMValueRef value) {
  LLVMValueRef callee = LLVMIsACallInst(value) ? called_function(value) : NULL;
  return callee && is_start(callee) ? 1 + (uint32_t)LLVMConstIntGetZExtValue(LLVMGetOperand(value, 0)) : 0;
}

static int add_value(struct follower *f, LLVMValueRef value) {
  uint32_t known;
  if (value_map_get(&f->c.index, value, &known))
    return 0;
  if (f->c.count == MAX_VALUES || !value_map_put(&f->c.index, value, f->c.count))
    return -1;
  f->c.list[f->c.count++] = (struct followed){.value = value, .variable = start_of(value)};
  return 0;
}

static int add_user(struct follower *f, LLVMValueRef user, unsigned operand) {
  if (!LLVMIsAInstruction(user))
    return 0;
  bool decider = decides(f, user, operand);
  for (uint32_t i = 0; decider && i < f->decider_count; i++)
    decider = f->deciders[i] != user;
  if (decider && f->decider_count == MAX_VALUES)
    return -1;
  if (decider)
    f->deciders[f->decider_count++] = user;
  return passes_on(user) ? add_value(f, user) : 0;
}

/* All that is made of an unwritten variable. -1: too much. */
static int collect(struct follower *f) {
  for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f->c.l->kernel); b; b = LLVMGetNextBasicBlock(b))
    for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
      if (start_of(i) && add_value(f, i))
        return -1;
  for (uint32_t at = 0; at < f->c.count; at++)
    for (LLVMUseRef use = LLVMGetFirstUse(f->c.list[at].value); use; use = LLVMGetNextUse(use)) {
      LLVMValueRef user = LLVMGetUser(use);
      for (unsigned i = 0; i < (unsigned)LLVMGetNumOperands(user); i++)
        if (LLVMGetOperand(user, i) == f->c.list[at].value && add_user(f, user, i))
          return -1;
    }
  return 0;
}

/* Decisions. */

static void check(struct follower *f, LLVMValueRef decider) {
  LLVMValueRef found = LLVMConstInt(f->c.number, 0, false);
  const unsigned count =
      (unsigned)(LLVMIsACallInst(decider) ? LLVMGetNumArgOperands(decider) : (unsigned)LLVMGetNumOperands(decider));
  LLVMPositionBuilderBefore(f->c.b, decider);
  LLVMSetCurrentDebugLocation2(f->c.b, LLVMInstructionGetDebugLoc(decider));
  for (unsigned i = 0; i < count; i++)
    if (decides(f, decider, i) && LLVMIsAInstruction(LLVMGetOperand(decider, i)))
      found = companion_first(&f->c, found, companion_if_all(&f->c, companion_of(&f->c, LLVMGetOperand(decider, i))));
  LLVMValueRef bad = companion_is_set(&f->c, found);
  if (!LLVMIsAInstruction(bad)) /* known: the block is cut behind an instruction all the same */
    bad = LLVMBuildFreeze(f->c.b, bad, "");
  LLVMBasicBlockRef front = split_block_behind(f->c.l, bad), rest = LLVMGetInstructionParent(decider);
  LLVMBasicBlockRef trap = LLVMAppendBasicBlockInContext(f->c.l->context, f->c.l->kernel, "");
  LLVMPositionBuilderAtEnd(f->c.b, front);
  LLVMBuildCondBr(f->c.b, bad, trap, rest);
  LLVMPositionBuilderAtEnd(f->c.b, trap);
  undefined_variable_trap(f->c.l, f->c.b, LLVMBuildSub(f->c.b, found, LLVMConstInt(f->c.number, 1, false), ""));
  LLVMBuildUnreachable(f->c.b);
}

/* From here on any value will do. */
static void forget_starts(struct lowering *l) {
  for (LLVMValueRef function = LLVMGetFirstFunction(l->module); function; function = LLVMGetNextFunction(function)) {
    LLVMUseRef use;
    while (is_start(function) && (use = LLVMGetFirstUse(function))) {
      LLVMValueRef call = LLVMGetUser(use);
      LLVMTypeRef type = LLVMTypeOf(call);
      LLVMReplaceAllUsesWith(call,
                             LLVMGetTypeKind(type) == LLVMPointerTypeKind ? LLVMGetUndef(type) : LLVMConstNull(type));
      LLVMInstructionEraseFromParent(call);
    }
  }
}

static int to_registers(struct lowering *l) {
  LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
  LLVMErrorRef failure = LLVMRunPasses(l->module, "always-inline,function(sroa)", NULL, options);
  LLVMDisposePassBuilderOptions(options);
  if (!failure)
    return 0;
  char *message = LLVMGetErrorMessage(failure);
  error_set(l->error, ERROR_WORK, "LLVM's optimiser failed: %s", message);
  LLVMDisposeErrorMessage(message);
  return -1;
}

int undefined_values_follow(struct lowering *l) {
  if (to_registers(l))
    return -1;
  struct follower f = {.c = {.l = l,
                             .b = LLVMCreateBuilderInContext(l->context),
                             .number = LLVMInt32TypeInContext(l->context),
                             .list = malloc(MAX_VALUES * sizeof *f.c.list)},
                       .deciders = malloc(MAX_VALUES * sizeof *f.deciders)};
  const int status = f.c.list && f.deciders ? 0 : error_set(l->error, ERROR_WORK, "out of memory");
  if (!status && !collect(&f)) {
    companions_make(&f.c);
    for (uint32_t i = 0; i < f.decider_count; i++)
      check(&f, f.deciders[i]);
  }
  forget_starts(l);
  value_map_clear(&f.c.index);
  free(f.c.list);
  free(f.deciders);
  LLVMDisposeBuilder(f.c.b);
  return status;
}
