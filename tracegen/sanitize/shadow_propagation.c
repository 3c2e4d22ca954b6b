/* Shadow values of private variables that some paths through a kernel read before they write them, or write in part,
 * and that the optimiser keeps in registers: from sources, where a variable starts undefined, to sinks, where an
 * undefined value matters.
 *
 * The version of the kernel for a dry run, which is never traced, has them. Before optimisation, with functions
 * inlined and variables in registers, each value that may depend on a source (shadow_sources.c) gets a shadow
 * (shadow_values.c). Sinks are branches, addresses, divisors, arguments of printf and image functions, and stores to
 * global and local memory. A sink with an undefined operand ends the run. Moving a value or selecting it away is no
 * mistake; a value in private memory is left to the loads there (shadow_stores.h).
 *
 * shadow_probe does the same in a copy of the module of a traced version: where no undefined bit can reach a sink,
 * the optimiser removes all traps from the copy. */
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

struct propagation {
  struct shadow_builder c;
  unsigned store_kind; /* metadata of a store that the source has, not of a copied structure's part */
  LLVMValueRef *sinks; /* instructions that shadowed values reach */
  uint32_t sink_count;
  struct value_map known_sinks; /* the sinks */
};

/* Sources to sinks. */

/* Returns whether a call prints its arguments, gives them to other work-items, or finds texels with them. */
static bool is_visible_call(LLVMValueRef call) {
  char name[64];
  LLVMValueRef callee = ir_callee(call);
  if (!callee)
    return true;
  builtin_name(callee, name, sizeof name);
  return builtin_is_image_function(name) || builtin_is_printf(callee) || builtin_is_collective(callee, NULL);
}

/* Returns whether operand `i` holds coordinates: the last one of read_image*, the second of write_image*. Each element
 * but the fourth counts. */
static bool is_coordinates(LLVMValueRef call, unsigned i) {
  char name[64] = "";
  LLVMValueRef callee = ir_callee(call);
  if (!callee || !builtin_is_image_function(builtin_name(callee, name, sizeof name)))
    return false;
  return i == (strncmp(name, "write_", 6) == 0 ? 1 : LLVMGetNumArgOperands(call) - 1);
}

/* Builds the shadow of the coordinates that count: the fourth is there for alignment. */
static LLVMValueRef shadow_of_coordinates(const struct propagation *p, LLVMValueRef shadow) {
  LLVMTypeRef type = LLVMTypeOf(shadow);
  if (LLVMGetTypeKind(type) != LLVMVectorTypeKind || LLVMGetVectorSize(type) != 4)
    return shadow;
  LLVMValueRef places[3];
  for (unsigned i = 0; i < 3; i++)
    places[i] = LLVMConstInt(LLVMInt32TypeInContext(p->c.l->context), i, false);
  return LLVMBuildShuffleVector(p->c.b, shadow, LLVMGetUndef(type), LLVMConstVector(places, 3), "");
}

static bool in_global_or_local_memory(LLVMValueRef pointer) {
  return ir_space(pointer) == IR_GLOBAL || ir_space(pointer) == IR_LOCAL;
}

/* Returns whether operand `i` of the instruction is_sink what happens, or others can see it. */
static bool is_sink(const struct propagation *p, LLVMValueRef instruction, unsigned i) {
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
           (in_global_or_local_memory(LLVMGetOperand(instruction, 1)) && LLVMGetMetadata(instruction, p->store_kind));
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

/* Returns whether the result of the instruction depends on its operands alone. */
static bool propagates(LLVMValueRef instruction) {
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

static int add_value(struct propagation *p, LLVMValueRef value) {
  uint32_t known;
  if (value_map_get(&p->c.index, value, &known))
    return 0;
  if (p->c.count == MAX_VALUES || !value_map_put(&p->c.index, value, p->c.count))
    return -1;
  p->c.list[p->c.count++] = (struct shadowed_value){.value = value, .variable = shadow_source_of(value)};
  return 0;
}

static int add_user(struct propagation *p, LLVMValueRef user, unsigned operand) {
  if (!LLVMIsAInstruction(user))
    return 0;
  uint32_t known;
  const bool matters = is_sink(p, user, operand) || (operand == 0 && shadow_store_is_private(user));
  if (matters && !value_map_get(&p->known_sinks, user, &known)) {
    if (p->sink_count == MAX_VALUES || !value_map_put(&p->known_sinks, user, 0))
      return -1;
    p->sinks[p->sink_count++] = user;
  }
  return propagates(user) ? add_value(p, user) : 0;
}

/* Collects all values that depend on a source. -1: there are too many. */
static int collect(struct propagation *p) {
  for (LLVMValueRef i = ir_first(p->c.l->kernel); i; i = ir_next(i))
    if (shadow_source_of(i) && add_value(p, i))
      return -1;
  for (uint32_t at = 0; at < p->c.count; at++)
    for (LLVMUseRef use = LLVMGetFirstUse(p->c.list[at].value); use; use = LLVMGetNextUse(use)) {
      LLVMValueRef user = LLVMGetUser(use);
      for (unsigned i = 0; i < (unsigned)LLVMGetNumOperands(user); i++)
        if (LLVMGetOperand(user, i) == p->c.list[at].value && add_user(p, user, i))
          return -1;
    }
  return 0;
}

/* Traps. */

/* Builds one bit: the operand of a sink is undefined. A stored vector, or a vector that is moved as a number, may be
 * undefined in part. */
static LLVMValueRef is_undefined(struct propagation *p, LLVMValueRef sink, unsigned i) {
  LLVMValueRef operand = LLVMGetOperand(sink, i), shadow = shadow_of_value(&p->c, operand);
  const bool stored = LLVMIsAStoreInst(sink) && i == 0;
  if (stored && LLVMIsABitCastInst(operand))
    return shadow_all(&p->c, shadow);
  if (is_coordinates(sink, i))
    return shadow_any(&p->c, shadow_of_coordinates(p, shadow));
  return stored || LLVMIsACallInst(sink) ? shadow_each(&p->c, shadow) : shadow_any(&p->c, shadow);
}

static void check(struct propagation *p, LLVMValueRef sink) {
  LLVMValueRef bad = LLVMConstNull(LLVMInt1TypeInContext(p->c.l->context)), origin = LLVMConstNull(p->c.number);
  if (shadow_store_is_private(sink))
    shadow_store_record(&p->c, sink);
  const unsigned count = ir_operand_count(sink);
  ir_build_before(p->c.b, sink);
  for (unsigned i = 0; i < count; i++)
    if (is_sink(p, sink, i) && LLVMIsAInstruction(LLVMGetOperand(sink, i))) {
      LLVMValueRef undefined = is_undefined(p, sink, i);
      bad = LLVMBuildOr(p->c.b, bad, undefined, "");
      origin = LLVMBuildSelect(p->c.b, undefined, origin_of_value(&p->c, LLVMGetOperand(sink, i)), origin, "");
    }
  if (LLVMIsAConstant(bad) && LLVMIsNull(bad))
    return;
  bad = LLVMBuildFreeze(p->c.b, bad, ""); /* a value of its own, behind which the block is split */
  ir_branch_when(p->c.l, p->c.b, bad, sink);
  LLVMValueRef part = LLVMBuildSub(p->c.b, origin, LLVMConstInt(p->c.number, 1, false), "");
  marker_trap(p->c.l, p->c.b, MARKER_UNINITIALISED_READ, &part, 1);
  LLVMBuildUnreachable(p->c.b);
}

static void mark_stores(struct lowering *l, unsigned kind) {
  LLVMValueRef mark = LLVMMetadataAsValue(l->context, LLVMMDNodeInContext2(l->context, NULL, 0));
  for (LLVMValueRef f = LLVMGetFirstFunction(l->module); f; f = LLVMGetNextFunction(f))
    for (LLVMValueRef i = ir_first(f); i; i = ir_next(i))
      if (LLVMIsAStoreInst(i))
        LLVMSetMetadata(i, kind, mark);
}

#define FAILED "prepare the kernel for shadow values" /* in messages */
/* Functions are inlined with their variables in registers, so that each stays small. */
#define INLINE "function(mem2reg),always-inline,function(mem2reg)"
/* Then #pragma unroll is obeyed, and more variables go to registers. */
#define TO_REGISTERS "function(sroa,early-cse,loop(loop-rotate,indvars,loop-unroll-full),sroa,instsimplify)"
/* In a copy, removes traps that cannot be reached. */
#define SIMPLIFY "function(scalarizer,sccp,simplifycfg,instsimplify,sccp,simplifycfg)"

int shadow_propagate(struct lowering *l) {
  const unsigned store_kind = LLVMGetMDKindIDInContext(l->context, STORE, (unsigned)strlen(STORE));
  if (second_results_split(l))
    return -1;
  mark_stores(l, store_kind);
  elided_accesses_mark(l);
  if (shadow_sources_make(l) || lower_run_passes(l, INLINE, NULL, FAILED) || elided_accesses_trap(l) ||
      lower_run_passes(l, TO_REGISTERS, NULL, FAILED))
    return -1;
  shadow_stores_pin_loads(l);
  struct propagation p = {.c = {.l = l,
                                .b = LLVMCreateBuilderInContext(l->context),
                                .number = LLVMInt32TypeInContext(l->context),
                                .list = malloc(MAX_VALUES * sizeof *p.c.list)},
                          .store_kind = store_kind,
                          .sinks = malloc(MAX_VALUES * sizeof *p.sinks)};
  const int status = p.c.list && p.sinks ? 0 : lower_no_memory(l);
  if (!status && !collect(&p)) {
    shadow_values_make(&p.c);
    for (uint32_t i = 0; i < p.sink_count; i++)
      check(&p, p.sinks[i]);
  }
  shadow_sources_remove(l);
  value_map_clear(&p.c.index);
  value_map_clear(&p.known_sinks);
  free(p.c.list);
  free(p.sinks);
  LLVMDisposeBuilder(p.c.b);
  return status;
}

/* Returns the number of traps and of stores of possibly undefined bytes that the kernel has. */
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
