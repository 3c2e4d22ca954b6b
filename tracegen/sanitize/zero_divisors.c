/* Divisions by a constant zero, which clang and the optimiser remove: a work-item that reaches one stops.
 *
 * Clang is asked for checks of integer divisors (clang_arguments.c). This pass keeps only those checks that are
 * known to fail and removes the others, so that ordinary kernels are compiled as without checks. Clang does not
 * check vectors: this pass finds divisions of vectors by a constant, and the poison that clang makes of the quotient
 * of two constants. */
#include <string.h>

#include <llvm-c/DebugInfo.h>

#include "tracegen/lower/ir/markers.h"
#include "tracegen/sanitize/sanitize.h"

#define OF_SANITIZER "nosanitize"
#define TRAP         "llvm.ubsantrap"

static bool is_clangs_check(struct lowering *l, LLVMValueRef end) {
  return end && LLVMIsABranchInst(end) && LLVMIsConditional(end) &&
         LLVMGetMetadata(end, LLVMGetMDKindIDInContext(l->context, OF_SANITIZER, strlen(OF_SANITIZER)));
}

/* Removes a check; the division is in the first successor. */
static void take_check_away(LLVMBuilderRef b, LLVMValueRef branch) {
  LLVMValueRef good = LLVMGetCondition(branch);
  LLVMPositionBuilderBefore(b, branch);
  LLVMBuildBr(b, LLVMGetSuccessor(branch, 0));
  LLVMInstructionEraseFromParent(branch);
  if (LLVMIsAInstruction(good) && !LLVMGetFirstUse(good))
    LLVMInstructionEraseFromParent(good);
}

/* Replaces a check that fails by a trap; what follows is never reached. */
static void stop_at(struct lowering *l, LLVMBuilderRef b, LLVMValueRef branch) {
  ir_build_before(b, branch);
  marker_trap(l, b, MARKER_ZERO_DIVISOR, NULL, 0);
  LLVMBuildUnreachable(b);
  LLVMInstructionEraseFromParent(branch);
}

static void resolve_checks(struct lowering *l, LLVMBuilderRef b, LLVMValueRef function) {
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block; block = LLVMGetNextBasicBlock(block)) {
    LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
    if (!is_clangs_check(l, end))
      continue;
    if (LLVMIsAConstantInt(LLVMGetCondition(end)) && LLVMIsNull(LLVMGetCondition(end)))
      stop_at(l, b, end);
    else
      take_check_away(b, end);
  }
}

/* Deletes the blocks that failed checks of clang's branched to. */
static void delete_clangs_traps(struct lowering *l) {
  LLVMUseRef use;
  LLVMValueRef trap = LLVMGetNamedFunction(l->module, TRAP);
  while (trap && (use = LLVMGetFirstUse(trap)))
    LLVMDeleteBasicBlock(LLVMGetInstructionParent(LLVMGetUser(use)));
  if (trap)
    LLVMDeleteFunction(trap);
}

static bool divides_by_zero(LLVMValueRef i) {
  if (!ir_is_division(i) || !ir_is_vector(LLVMTypeOf(i)))
    return false;
  LLVMValueRef divisor = LLVMGetOperand(i, 1);
  return LLVMIsAConstant(divisor) && LLVMIsNull(divisor);
}

/* Returns whether an instruction uses poison that is not the start of a vector's assembly. */
static bool uses_poison(LLVMValueRef i) {
  if (LLVMIsAInsertElementInst(i) || LLVMIsAShuffleVectorInst(i) || LLVMIsAPHINode(i))
    return false;
  for (unsigned n = 0; n < (unsigned)LLVMGetNumOperands(i); n++)
    if (LLVMIsPoison(LLVMGetOperand(i, n)) && ir_is_vector(LLVMTypeOf(LLVMGetOperand(i, n))))
      return true;
  return false;
}

static void stop_in_front(struct lowering *l, LLVMBuilderRef b, LLVMValueRef i) {
  ir_build_before(b, i);
  ir_branch_when(l, b, LLVMConstInt(LLVMInt1TypeInContext(l->context), 1, false), i);
  marker_trap(l, b, MARKER_ZERO_DIVISOR, NULL, 0);
  LLVMBuildUnreachable(b);
}

static void stop_at_vectors(struct lowering *l, LLVMBuilderRef b, LLVMValueRef function) {
  for (LLVMValueRef i = ir_first(function), next; i; i = next) {
    next = ir_next(i);
    if (divides_by_zero(i) || uses_poison(i))
      stop_in_front(l, b, i);
  }
}

int zero_divisors_trap(struct lowering *l) {
  LLVMBuilderRef b = LLVMCreateBuilderInContext(l->context);
  for (LLVMValueRef f = LLVMGetFirstFunction(l->module); f; f = LLVMGetNextFunction(f)) {
    resolve_checks(l, b, f);
    stop_at_vectors(l, b, f);
  }
  delete_clangs_traps(l);
  LLVMDisposeBuilder(b);
  return 0;
}
