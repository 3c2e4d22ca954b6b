/* Divisions by zero that the optimiser sees first: it may make anything of them, and what it makes is seldom a division
 * that instrument_divisions could check. Where the source has a division by something that need not be other than zero,
 * and its line has none left behind optimisation, the kernel is doubtful; its second version (dry_run.h) compares
 * every divisor with zero before anything is optimised. Nearly always the divisor turned out to be a good constant:
 * then the comparisons go away, too, and the rehearsal finds nothing. Where some are left, it runs all work-groups. */
#include <stdlib.h>

#include <llvm-c/DebugInfo.h>

#include "tracegen/lower/ir/markers.h"
#include "tracegen/sanitize/sanitize.h"

/* In front of constant zeros there are traps already (zero_divisors.c). */
static bool may_be_zero(LLVMValueRef divisor) {
  return !LLVMIsAConstant(divisor);
}

/* The next division of a function by a value that may be zero, from `i` on; NULL: there is none. */
static LLVMValueRef division_from(LLVMValueRef i) {
  while (i && !(ir_is_division(i) && may_be_zero(LLVMGetOperand(i, 1))))
    i = ir_next(i);
  return i;
}

int elided_divisions_note(struct lowering *l) {
  uint32_t capacity = 0;
  for (LLVMValueRef f = LLVMGetFirstFunction(l->module); f; f = LLVMGetNextFunction(f))
    for (LLVMValueRef i = division_from(ir_first(f)); i; i = division_from(ir_next(i))) {
      if (l->division_count == capacity) {
        capacity = capacity ? 2 * capacity : 16;
        unsigned *larger = realloc(l->division_lines, capacity * sizeof *larger);
        if (!larger)
          return lower_no_memory(l);
        l->division_lines = larger;
      }
      l->division_lines[l->division_count++] = LLVMGetDebugLocLine(i);
    }
  return 0;
}

static bool divides_in(struct lowering *l, unsigned line) {
  for (LLVMValueRef i = ir_first(l->kernel); i; i = ir_next(i))
    if (ir_is_division(i) && LLVMGetDebugLocLine(i) == line)
      return true;
  return false;
}

static bool is_elided_in(const struct kernel_program *program, unsigned line) {
  for (uint32_t i = 0; i < program->elided_division_count; i++)
    if (program->elided_division_lines[i] == line)
      return true;
  return false;
}

/* Nobody else looks for what is behind traps in lines that have lost their divisions: every work-group is rehearsed. */
static bool traps_what_is_elided(struct lowering *l) {
  LLVMValueRef trap = marker_function(l, MARKER_ZERO_DIVISOR);
  for (LLVMUseRef use = trap ? LLVMGetFirstUse(trap) : NULL; use; use = LLVMGetNextUse(use))
    if (is_elided_in(l->purpose.original, LLVMGetDebugLocLine(LLVMGetUser(use))))
      return true;
  return false;
}

/* The program takes over the list of lines, of which only those are left that have lost theirs. */
int elided_divisions_find(struct lowering *l) {
  struct kernel_program *program = l->program;
  if (program->is_dry_run)
    program->dry_runs_all_groups = traps_what_is_elided(l);
  for (uint32_t i = 0; i < l->division_count; i++)
    if (!divides_in(l, l->division_lines[i]))
      l->division_lines[program->elided_division_count++] = l->division_lines[i];
  program->elided_division_lines = l->division_lines;
  l->division_lines = NULL;
  program->needs_checking |= program->elided_division_count > 0;
  return 0;
}

static void trap_in_front(struct lowering *l, LLVMBuilderRef b, LLVMValueRef division) {
  LLVMValueRef divisor = LLVMGetOperand(division, 1);
  ir_build_before(b, division);
  LLVMValueRef zeros = LLVMBuildICmp(b, LLVMIntEQ, divisor, LLVMConstNull(LLVMTypeOf(divisor)), "");
  ir_branch_when(l, b, ir_any(l, b, zeros), division);
  marker_trap(l, b, MARKER_ZERO_DIVISOR, NULL, 0);
  LLVMBuildUnreachable(b);
}

int elided_divisions_trap(struct lowering *l) {
  LLVMBuilderRef b = LLVMCreateBuilderInContext(l->context);
  for (LLVMValueRef f = LLVMGetFirstFunction(l->module); f; f = LLVMGetNextFunction(f))
    for (LLVMValueRef i = division_from(ir_first(f)); i; i = division_from(ir_next(i)))
      trap_in_front(l, b, i);
  LLVMDisposeBuilder(b);
  return 0;
}
