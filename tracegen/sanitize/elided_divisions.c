/* Divisions by zero that the optimiser sees first: it may make anything of them, and what it makes is seldom a division
 * that instrument_divisions could check. Where the source has a division by something that need not be other than zero,
 * and its line has none left behind optimisation, the kernel is doubtful; its second version (dry_run.h) compares
 * every divisor with zero before anything is optimised. Nearly always the divisor turned out to be a good constant:
 * then the comparisons go away, too, and the rehearsal finds nothing. Where some are left, it runs all work-groups. */
#include "tracegen/lower/lower.h"

#include <stdlib.h>
#include <string.h>

#include <llvm-c/DebugInfo.h>

#define TRAP "reassemble.divided"

bool lost_division_is_division(LLVMValueRef i) {
  const LLVMOpcode opcode = LLVMGetInstructionOpcode(i);
  return opcode == LLVMUDiv || opcode == LLVMSDiv || opcode == LLVMURem || opcode == LLVMSRem;
}

/* In front of constant zeros there are traps already (zero_divisors.c). */
static bool may_be_zero(LLVMValueRef divisor) {
  return !LLVMIsAConstant(divisor);
}

bool lost_division_is_trap(LLVMValueRef function) {
  size_t length;
  return strcmp(LLVMGetValueName2(function, &length), TRAP) == 0;
}

/* The next instruction of the function that divides; NULL: there is none. */
static LLVMValueRef next_division(LLVMValueRef function, LLVMValueRef after) {
  LLVMBasicBlockRef b = after ? LLVMGetInstructionParent(after) : LLVMGetFirstBasicBlock(function);
  LLVMValueRef i = after ? LLVMGetNextInstruction(after) : b ? LLVMGetFirstInstruction(b) : NULL;
  while (b) {
    for (; i; i = LLVMGetNextInstruction(i))
      if (lost_division_is_division(i))
        return i;
    b = LLVMGetNextBasicBlock(b);
    i = b ? LLVMGetFirstInstruction(b) : NULL;
  }
  return NULL;
}

static int note(struct lowering *l) {
  uint32_t capacity = 0;
  for (LLVMValueRef f = LLVMGetFirstFunction(l->module); f && l->record; f = LLVMGetNextFunction(f))
    for (LLVMValueRef i = next_division(f, NULL); i; i = next_division(f, i)) {
      if (!may_be_zero(LLVMGetOperand(i, 1)))
        continue;
      if (l->division_count == capacity) {
        capacity = capacity ? 2 * capacity : 16;
        unsigned *larger = realloc(l->division_lines, capacity * sizeof *larger);
        if (!larger)
          return error_set(l->error, ERROR_WORK, "out of memory");
        l->division_lines = larger;
      }
      l->division_lines[l->division_count++] = LLVMGetDebugLocLine(i);
    }
  return 0;
}

static bool divides_in(struct lowering *l, unsigned line) {
  for (LLVMValueRef i = next_division(l->kernel, NULL); i; i = next_division(l->kernel, i))
    if (LLVMGetDebugLocLine(i) == line)
      return true;
  return false;
}

static bool is_lost_in(const struct kernel_program *program, unsigned line) {
  for (uint32_t i = 0; i < program->elided_division_count; i++)
    if (program->elided_division_lines[i] == line)
      return true;
  return false;
}

/* Nobody else looks for what is behind traps in lines that have lost their divisions: every work-group is rehearsed. */
static bool traps_what_is_lost(const struct lowering *l) {
  LLVMValueRef trap = LLVMGetNamedFunction(l->module, TRAP);
  for (LLVMUseRef use = trap ? LLVMGetFirstUse(trap) : NULL; use; use = LLVMGetNextUse(use))
    if (is_lost_in(l->original, LLVMGetDebugLocLine(LLVMGetUser(use))))
      return true;
  return false;
}

/* The program takes over the list of lines, of which only those are left that have lost theirs. */
void lost_divisions_find(struct lowering *l) {
  struct kernel_program *program = l->program;
  if (program->is_dry_run)
    program->dry_runs_all_groups = traps_what_is_lost(l);
  for (uint32_t i = 0; i < l->division_count; i++)
    if (!divides_in(l, l->division_lines[i]))
      l->division_lines[program->elided_division_count++] = l->division_lines[i];
  program->elided_division_lines = l->division_lines;
  l->division_lines = NULL;
  program->needs_checking |= program->elided_division_count > 0;
}

/* One bit: some element of the divisor is zero. */
static LLVMValueRef is_zero(struct lowering *l, LLVMBuilderRef b, LLVMValueRef divisor) {
  uint32_t elements;
  LLVMValueRef zero = LLVMBuildICmp(b, LLVMIntEQ, divisor, LLVMConstNull(LLVMTypeOf(divisor)), "");
  lower_element(LLVMTypeOf(divisor), &elements);
  if (elements == 1)
    return zero;
  LLVMTypeRef bits = LLVMIntTypeInContext(l->context, elements);
  return LLVMBuildICmp(b, LLVMIntNE, LLVMBuildBitCast(b, zero, bits, ""), LLVMConstInt(bits, 0, false), "");
}

void lost_division_trap(struct lowering *l, LLVMBuilderRef b) {
  LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(l->context), NULL, 0, false);
  LLVMBuildCall2(b, type, lower_declare_trap(l, TRAP, type), NULL, 0, "");
  LLVMBuildUnreachable(b);
}

static void trap_in_front(struct lowering *l, LLVMBuilderRef b, LLVMValueRef division) {
  LLVMPositionBuilderBefore(b, division);
  LLVMSetCurrentDebugLocation2(b, LLVMInstructionGetDebugLoc(division));
  lower_trap_when(l, b, is_zero(l, b, LLVMGetOperand(division, 1)), division);
  lost_division_trap(l, b);
}

static void trap_all(struct lowering *l) {
  LLVMBuilderRef b = LLVMCreateBuilderInContext(l->context);
  for (LLVMValueRef f = LLVMGetFirstFunction(l->module); f; f = LLVMGetNextFunction(f))
    for (LLVMValueRef i = next_division(f, NULL); i; i = next_division(f, i))
      if (may_be_zero(LLVMGetOperand(i, 1)))
        trap_in_front(l, b, i);
  LLVMDisposeBuilder(b);
}

int lost_divisions_prepare(struct lowering *l) {
  if (!l->program->is_dry_run)
    return note(l);
  trap_all(l);
  return 0;
}
