/* Private variables that some ways through a kernel read before they write them, and that the optimiser keeps in
 * registers: their undefined value is followed to where it decides something.
 *
 * This is done in a second version of the kernel, which is never traced (dry_run.c runs it), so that the traced code
 * stays as it is. There variables start as results of calls that know their names (undefined_starts.c). Before
 * optimisation, with functions inlined and variables in registers, each value that may come from such a call gets
 * companions that tell which of its bits do (shadow_values.c). A branch on it, an address, a divisor, something printed or
 * a value stored to global or local memory then ends the run. What is only moved or selected away is no mistake; what
 * goes to private memory is left to the loads there (undefined_stores.h).
 *
 * Whether a second version is needed, a copy of the module tells: where no undefined bit can reach anything that
 * decides, the optimiser removes all traps from it. */
#include "tracegen/lower/lower.h"

#include <stdlib.h>
#include <string.h>

#include <llvm-c/DebugInfo.h>
#include <llvm-c/Transforms/PassBuilder.h>

#include "base/text.h"
#include "tracegen/sanitize/shadow_values.h"
#include "tracegen/lower/builtins/image_calls.h"
#include "tracegen/sanitize/elided_accesses.h"
#include "tracegen/abi/phases.h"
#include "tracegen/sanitize/undefined_starts.h"
#include "tracegen/sanitize/undefined_stores.h"

#define STORE "reassemble.store"
#define MAX_VALUES                                                                                                     \
  6000 /* that are followed; in a kernel with more, nothing is looked for: the optimiser takes seconds */

struct follower {
  struct companions c;
  unsigned store_kind;    /* metadata: a store of the source, not a part of a copied structure */
  LLVMValueRef *deciders; /* instructions that a followed value reaches, to be checked */
  uint32_t decider_count;
  struct value_map decided; /* deciders */
};

/* Where a value goes. */

static LLVMValueRef called_function(LLVMValueRef call) {
  LLVMValueRef callee = LLVMGetCalledValue(call);
  return LLVMIsAFunction(callee) ? callee : NULL;
}

/* Shows its arguments, or finds texels with them. */
static bool is_visible_call(LLVMValueRef call) {
  char name[64];
  LLVMValueRef callee = called_function(call);
  if (!callee)
    return true;
  builtin_name(callee, name, sizeof name);
  return image_is_function(name) || strcmp(name, "printf") == 0;
}

/* The last operand of read_image*, the one behind the image of write_image*: each element counts. */
static bool is_coordinates(LLVMValueRef call, unsigned i) {
  char name[64] = "";
  LLVMValueRef callee = LLVMIsACallInst(call) ? called_function(call) : NULL;
  if (!callee || !image_is_function(builtin_name(callee, name, sizeof name)))
    return false;
  return i == (strncmp(name, "write_", 6) == 0 ? 1 : LLVMGetNumArgOperands(call) - 1);
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
    return i == 1 ||
           (in_global_or_local_memory(LLVMGetOperand(instruction, 1)) && LLVMGetMetadata(instruction, f->store_kind));
  case LLVMUDiv:
  case LLVMSDiv:
  case LLVMURem:
  case LLVMSRem:
    return i == 1;
  case LLVMCall:
    return is_visible_call(instruction) || is_block_copy(instruction);
  default:
    return false;
  }
}

/* Whether the instruction's result is made of its operands alone. */
static bool passes_on(LLVMValueRef instruction) {
  if (!undefined_start_is_plain(LLVMTypeOf(instruction)))
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

static int add_value(struct follower *f, LLVMValueRef value) {
  uint32_t known;
  if (value_map_get(&f->c.index, value, &known))
    return 0;
  if (f->c.count == MAX_VALUES || !value_map_put(&f->c.index, value, f->c.count))
    return -1;
  f->c.list[f->c.count++] = (struct followed){.value = value, .variable = undefined_start_of(value)};
  return 0;
}

static int add_user(struct follower *f, LLVMValueRef user, unsigned operand) {
  if (!LLVMIsAInstruction(user))
    return 0;
  uint32_t known;
  const bool matters = decides(f, user, operand) || (operand == 0 && undefined_store_is_private(user));
  if (matters && !value_map_get(&f->decided, user, &known)) {
    if (f->decider_count == MAX_VALUES || !value_map_put(&f->decided, user, 0))
      return -1;
    f->deciders[f->decider_count++] = user;
  }
  return passes_on(user) ? add_value(f, user) : 0;
}

/* All that is made of an unwritten variable. -1: too much. */
static int collect(struct follower *f) {
  for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f->c.l->kernel); b; b = LLVMGetNextBasicBlock(b))
    for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
      if (undefined_start_of(i) && add_value(f, i))
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

/* One bit: an operand that decides is undefined. What is stored may be so in part: elements of a vector, or of a vector
 * that is moved as a number. */
static LLVMValueRef is_undefined(struct follower *f, LLVMValueRef decider, unsigned i) {
  LLVMValueRef operand = LLVMGetOperand(decider, i), shadow = companion_shadow(&f->c, operand);
  const bool stored = LLVMIsAStoreInst(decider) && i == 0;
  if (stored && LLVMIsABitCastInst(operand))
    return companion_all(&f->c, shadow);
  if (is_coordinates(decider, i))
    return companion_any(&f->c, shadow);
  return stored || LLVMIsACallInst(decider) ? companion_each(&f->c, shadow) : companion_any(&f->c, shadow);
}

static void check(struct follower *f, LLVMValueRef decider) {
  LLVMValueRef bad = LLVMConstNull(LLVMInt1TypeInContext(f->c.l->context)), origin = LLVMConstNull(f->c.number);
  if (undefined_store_is_private(decider))
    undefined_store_tell(&f->c, decider);
  const unsigned count =
      (unsigned)(LLVMIsACallInst(decider) ? LLVMGetNumArgOperands(decider) : (unsigned)LLVMGetNumOperands(decider));
  LLVMPositionBuilderBefore(f->c.b, decider);
  LLVMSetCurrentDebugLocation2(f->c.b, LLVMInstructionGetDebugLoc(decider));
  for (unsigned i = 0; i < count; i++)
    if (decides(f, decider, i) && LLVMIsAInstruction(LLVMGetOperand(decider, i))) {
      LLVMValueRef undefined = is_undefined(f, decider, i);
      bad = LLVMBuildOr(f->c.b, bad, undefined, "");
      origin = LLVMBuildSelect(f->c.b, undefined, companion_origin(&f->c, LLVMGetOperand(decider, i)), origin, "");
    }
  if (LLVMIsAConstant(bad) && LLVMIsNull(bad))
    return;
  bad = LLVMBuildFreeze(f->c.b, bad, ""); /* not one of the kernel's own values: the block is cut behind it */
  lower_trap_when(f->c.l, f->c.b, bad, decider);
  undefined_variable_trap(f->c.l, f->c.b, LLVMBuildSub(f->c.b, origin, LLVMConstInt(f->c.number, 1, false), ""));
  LLVMBuildUnreachable(f->c.b);
}

static int run_passes(struct lowering *l, const char *passes) {
  LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
  LLVMErrorRef failure = LLVMRunPasses(l->module, passes, NULL, options);
  LLVMDisposePassBuilderOptions(options);
  if (!failure)
    return 0;
  char *message = LLVMGetErrorMessage(failure);
  error_set(l->error, ERROR_WORK, "LLVM's optimiser failed: %s", message);
  LLVMDisposeErrorMessage(message);
  return -1;
}

static void mark_stores(struct lowering *l, unsigned kind) {
  LLVMValueRef mark = LLVMMetadataAsValue(l->context, LLVMMDNodeInContext2(l->context, NULL, 0));
  for (LLVMValueRef f = LLVMGetFirstFunction(l->module); f; f = LLVMGetNextFunction(f))
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
      for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
        if (LLVMIsAStoreInst(i))
          LLVMSetMetadata(i, kind, mark);
}

/* Functions are inlined, each with its variables in registers, so that it is small in however many places; then #pragma
 * unroll is obeyed, and in registers is what can be there. */
#define INLINE       "function(mem2reg),always-inline,function(mem2reg)"
#define TO_REGISTERS "function(sroa,early-cse,loop(loop-rotate,indvars,loop-unroll-full),sroa,instsimplify)"

int undefined_values_follow(struct lowering *l) {
  const unsigned store_kind = LLVMGetMDKindIDInContext(l->context, STORE, (unsigned)strlen(STORE));
  if (second_results_split(l))
    return -1;
  mark_stores(l, store_kind);
  if (undefined_starts_make(l) || run_passes(l, INLINE) || lost_accesses_trap(l) || run_passes(l, TO_REGISTERS))
    return -1;
  undefined_stores_pin(l);
  struct follower f = {.c = {.l = l,
                             .b = LLVMCreateBuilderInContext(l->context),
                             .number = LLVMInt32TypeInContext(l->context),
                             .list = malloc(MAX_VALUES * sizeof *f.c.list)},
                       .store_kind = store_kind,
                       .deciders = malloc(MAX_VALUES * sizeof *f.deciders)};
  const int status = f.c.list && f.deciders ? 0 : error_set(l->error, ERROR_WORK, "out of memory");
  if (!status && !collect(&f)) {
    companions_make(&f.c);
    for (uint32_t i = 0; i < f.decider_count; i++)
      check(&f, f.deciders[i]);
  }
  undefined_starts_forget(l);
  value_map_clear(&f.c.index);
  value_map_clear(&f.decided);
  free(f.c.list);
  free(f.deciders);
  LLVMDisposeBuilder(f.c.b);
  return status;
}

/* Traps, and stores of what may be undefined, that the kernel has. */
static uint32_t count_doubts(struct lowering *l) {
  uint32_t count = 0;
  for (LLVMValueRef f = LLVMGetFirstFunction(l->module); f; f = LLVMGetNextFunction(f))
    for (LLVMUseRef use = LLVMGetFirstUse(f); use; use = LLVMGetNextUse(use))
      count +=
          undefined_variable_is_trap(f) || (undefined_store_is_call(f) && undefined_store_may_matter(LLVMGetUser(use)));
  return count;
}

int undefined_values_look(struct lowering *l) {
  struct lowering copy = *l;
  size_t length;
  const char *name = LLVMGetValueName2(l->kernel, &length);
  copy.module = LLVMCloneModule(l->module);
  copy.kernel = LLVMGetNamedFunction(copy.module, name);
  int status = undefined_values_follow(&copy) ||
               run_passes(&copy, "function(scalarizer,sccp,simplifycfg,instsimplify,sccp,simplifycfg)");
  if (!status) {
    l->program->needs_checking |= count_doubts(&copy) > 0;
    lost_accesses_suspect(l, copy.module);
  }
  phase_mark("looking for undefined values");
  LLVMDisposeModule(copy.module);
  return status ? -1 : 0;
}
