/* Divisions by zero that the optimiser removes: their result is undefined, and what it makes of them is seldom a
 * division that could be checked.
 *
 * Where a line of the source divides by a value that may be zero, and has no division left after optimisation, the
 * kernel needs checking. The version for the dry run compares every divisor with zero before optimisation. The
 * divisor of a removed division nearly always turns out to be a constant other than zero; then the comparison is
 * removed, too, and the dry run finds nothing. Where a trap remains on such a line, the dry run executes all
 * work-groups. */
#include <llvm-c/DebugInfo.h>

#include "base/array.h"
#include "tracegen/lower/ir/markers.h"
#include "tracegen/sanitize/sanitize.h"

/* Divisions by a constant zero have traps already (zero_divisors.c). */
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
  for (LLVMValueRef f = LLVMGetFirstFunction(l->module); f; f = LLVMGetNextFunction(f))
    for (LLVMValueRef i = division_from(ir_first(f)); i; i = division_from(ir_next(i))) {
      if (!array_room_for_one(&l->division_lines, l->division_count, sizeof *l->division_lines))
        return lower_no_memory(l);
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

/* Returns whether a trap remains on a line that lost its divisions in the traced version, where nothing else checks
 * them. */
static bool traps_what_is_elided(struct lowering *l) {
  LLVMValueRef trap = marker_function(l, MARKER_ZERO_DIVISOR);
  for (LLVMUseRef use = trap ? LLVMGetFirstUse(trap) : NULL; use; use = LLVMGetNextUse(use))
    if (is_elided_in(l->purpose.original, LLVMGetDebugLocLine(LLVMGetUser(use))))
      return true;
  return false;
}

/* The program takes over the list of lines, shortened to those that have lost their divisions. */
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
