/* Private variables that some ways through a kernel read before they write them, and that the optimiser keeps in
 * registers: their undefined value is shadowed_value to where it decides something.
 *
 * This is done in a second version of the kernel, which is never traced (dry_run.c runs it), so that the traced code
 * stays as it is. There variables start as results of calls that know their names (shadow_sources.c). Before
 * optimisation, with functions inlined and variables in registers, each value that may come from such a call gets
 * shadow_builder that tell which of its bits do (shadow_values.c). A branch on it, an address, a divisor, something printed or
 * a value stored to global or local memory then ends the run. What is only moved or selected away is no mistake; what
 * goes to private memory is left to the loads there (shadow_stores.h).
 *
 * Whether a second version is needed, a copy of the module tells: where no undefined bit can reach anything that
 * decides, the optimiser removes all traps from it. */
#include "tracegen/sanitize/shadow_values.h"

#include <stdlib.h>
#include <string.h>

#include <llvm-c/DebugInfo.h>

#include "tracegen/lower/ir/builtin_names.h"
#include "tracegen/lower/ir/markers.h"
#include "tracegen/sanitize/elided_accesses.h"
#include "tracegen/sanitize/second_results.h"
#include "tracegen/sanitize/shadow_sources.h"
#include "tracegen/sanitize/shadow_stores.h"

#define STORE      "reassemble.store"
#define MAX_VALUES 6000 /* shadowed values; a kernel with more is not examined: the optimiser would take seconds */

struct follower {
  struct shadow_builder c;
  unsigned store_kind;    /* metadata: a store of the source, not a part of a copied structure */
  LLVMValueRef *deciders; /* instructions that a shadowed_value value reaches, to be checked */
  uint32_t decider_count;
  struct value_map decided; /* deciders */
};

/* Where a value goes. */

/* Shows its arguments, or finds texels with them. */
static bool is_visible_call(LLVMValueRef call) {
  char name[64];
  LLVMValueRef callee = ir_callee(call);
  if (!callee)
    return true;
  builtin_name(callee, name, sizeof name);
  return builtin_is_image_function(name) || builtin_is_printf(callee);
}

/* The last operand of read_image*, the one behind the image of write_image*: each element counts. */
static bool is_coordinates(LLVMValueRef call, unsigned i) {
  char name[64] = "";
  LLVMValueRef callee = ir_callee(call);
  if (!callee || !builtin_is_image_function(builtin_name(callee, name, sizeof name)))
    return false;
  return i == (strncmp(name, "write_", 6) == 0 ? 1 : LLVMGetNumArgOperands(call) - 1);
}

static bool in_global_or_local_memory(LLVMValueRef pointer) {
  return ir_space(pointer) == IR_GLOBAL || ir_space(pointer) == IR_LOCAL;
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
    return is_visible_call(instruction) || ir_calls(instruction, "llvm.mem");
  default:
    return false;
  }
}

/* Whether the instruction's result is made of its operands alone. */
static bool passes_on(LLVMValueRef instruction) {
  if (!shadow_source_is_plain(LLVMTypeOf(instruction)))
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
  f->c.list[f->c.count++] = (struct shadowed_value){.value = value, .variable = shadow_source_of(value)};
  return 0;
}

static int add_user(struct follower *f, LLVMValueRef user, unsigned operand) {
  if (!LLVMIsAInstruction(user))
    return 0;
  uint32_t known;
  const bool matters = decides(f, user, operand) || (operand == 0 && shadow_store_is_private(user));
  if (matters && !value_map_get(&f->decided, user, &known)) {
    if (f->decider_count == MAX_VALUES || !value_map_put(&f->decided, user, 0))
      return -1;
    f->deciders[f->decider_count++] = user;
  }
  return passes_on(user) ? add_value(f, user) : 0;
}

/* All that is made of an unwritten variable. -1: too much. */
static int collect(struct follower *f) {
  for (LLVMValueRef i = ir_first(f->c.l->kernel); i; i = ir_next(i))
    if (shadow_source_of(i) && add_value(f, i))
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
  LLVMValueRef operand = LLVMGetOperand(decider, i), shadow = shadow_of_value(&f->c, operand);
  const bool stored = LLVMIsAStoreInst(decider) && i == 0;
  if (stored && LLVMIsABitCastInst(operand))
    return shadow_all(&f->c, shadow);
  if (is_coordinates(decider, i))
    return shadow_any(&f->c, shadow);
  return stored || LLVMIsACallInst(decider) ? shadow_each(&f->c, shadow) : shadow_any(&f->c, shadow);
}

static void check(struct follower *f, LLVMValueRef decider) {
  LLVMValueRef bad = LLVMConstNull(LLVMInt1TypeInContext(f->c.l->context)), origin = LLVMConstNull(f->c.number);
  if (shadow_store_is_private(decider))
    shadow_store_record(&f->c, decider);
  const unsigned count = ir_operand_count(decider);
  ir_build_before(f->c.b, decider);
  for (unsigned i = 0; i < count; i++)
    if (decides(f, decider, i) && LLVMIsAInstruction(LLVMGetOperand(decider, i))) {
      LLVMValueRef undefined = is_undefined(f, decider, i);
      bad = LLVMBuildOr(f->c.b, bad, undefined, "");
      origin = LLVMBuildSelect(f->c.b, undefined, origin_of_value(&f->c, LLVMGetOperand(decider, i)), origin, "");
    }
  if (LLVMIsAConstant(bad) && LLVMIsNull(bad))
    return;
  bad = LLVMBuildFreeze(f->c.b, bad, ""); /* not one of the kernel's own values: the block is cut behind it */
  ir_branch_when(f->c.l, f->c.b, bad, decider);
  LLVMValueRef part = LLVMBuildSub(f->c.b, origin, LLVMConstInt(f->c.number, 1, false), "");
  marker_trap(f->c.l, f->c.b, MARKER_UNINITIALISED_READ, &part, 1);
  LLVMBuildUnreachable(f->c.b);
}

static void mark_stores(struct lowering *l, unsigned kind) {
  LLVMValueRef mark = LLVMMetadataAsValue(l->context, LLVMMDNodeInContext2(l->context, NULL, 0));
  for (LLVMValueRef f = LLVMGetFirstFunction(l->module); f; f = LLVMGetNextFunction(f))
    for (LLVMValueRef i = ir_first(f); i; i = ir_next(i))
      if (LLVMIsAStoreInst(i))
        LLVMSetMetadata(i, kind, mark);
}

/* Functions are inlined, each with its variables in registers, so that it is small in however many places; then #pragma
 * unroll is obeyed, and in registers is what can be there. */
#define SIMPLIFY     "function(scalarizer,sccp,simplifycfg,instsimplify,sccp,simplifycfg)"
#define FAILED       "prepare the kernel for shadow values"
#define INLINE       "function(mem2reg),always-inline,function(mem2reg)"
#define TO_REGISTERS "function(sroa,early-cse,loop(loop-rotate,indvars,loop-unroll-full),sroa,instsimplify)"

int shadow_propagate(struct lowering *l) {
  const unsigned store_kind = LLVMGetMDKindIDInContext(l->context, STORE, (unsigned)strlen(STORE));
  if (second_results_split(l))
    return -1;
  mark_stores(l, store_kind);
  if (shadow_sources_make(l) || lower_run_passes(l, INLINE, NULL, FAILED) || elided_accesses_trap(l) ||
      lower_run_passes(l, TO_REGISTERS, NULL, FAILED))
    return -1;
  shadow_stores_pin_loads(l);
  struct follower f = {.c = {.l = l,
                             .b = LLVMCreateBuilderInContext(l->context),
                             .number = LLVMInt32TypeInContext(l->context),
                             .list = malloc(MAX_VALUES * sizeof *f.c.list)},
                       .store_kind = store_kind,
                       .deciders = malloc(MAX_VALUES * sizeof *f.deciders)};
  const int status = f.c.list && f.deciders ? 0 : lower_no_memory(l);
  if (!status && !collect(&f)) {
    shadow_values_make(&f.c);
    for (uint32_t i = 0; i < f.decider_count; i++)
      check(&f, f.deciders[i]);
  }
  shadow_sources_remove(l);
  value_map_clear(&f.c.index);
  value_map_clear(&f.decided);
  free(f.c.list);
  free(f.deciders);
  LLVMDisposeBuilder(f.c.b);
  return status;
}

/* The number of traps and of stores of possibly undefined bytes that the kernel has. */
static uint32_t count_findings(struct lowering *l) {
  uint32_t count = 0;
  for (LLVMValueRef f = LLVMGetFirstFunction(l->module); f; f = LLVMGetNextFunction(f))
    for (LLVMUseRef use = LLVMGetFirstUse(f); use; use = LLVMGetNextUse(use))
      count += marker_of(f) == MARKER_UNINITIALISED_READ ||
               (marker_of(f) == MARKER_SHADOW_STORE && marker_store_matters(LLVMGetUser(use)));
  return count;
}

int shadow_probe(struct lowering *l) {
  struct lowering copy = *l;
  const char *name = ir_name(l->kernel);
  copy.module = LLVMCloneModule(l->module);
  copy.kernel = LLVMGetNamedFunction(copy.module, name);
  int status = shadow_propagate(&copy) || lower_run_passes(&copy, SIMPLIFY, NULL, FAILED);
  if (!status) {
    l->program->needs_checking |= count_findings(&copy) > 0;
    elided_accesses_suspect(l, copy.module);
  }
  LLVMDisposeModule(copy.module);
  return status ? -1 : 0;
}
