/* Blocks end behind barriers, at which a work-item stops and another one runs. */
#include "tracegen/lower/ir/builtin_names.h"
#include "tracegen/lower/ir/instructions.h"
#include "tracegen/lower/normalise/normalise.h"

static bool calls_barrier(LLVMValueRef instruction) {
  LLVMValueRef callee = ir_callee(instruction);
  struct collective c;
  if (!callee || !builtin_is_collective(callee, &c))
    return callee && builtin_is_barrier(callee);
  return c.whole_group || c.kind == COLLECTIVE_BARRIER;
}

/* Returns the first barrier of the block that something other than a plain branch follows; NULL: there is none. */
static LLVMValueRef barrier_to_split(LLVMBasicBlockRef block) {
  for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i)) {
    if (!calls_barrier(i))
      continue;
    LLVMValueRef next = LLVMGetNextInstruction(i);
    if (!LLVMIsABranchInst(next) || LLVMIsConditional(next))
      return i;
  }
  return NULL;
}

int barriers_split(struct lowering *l) {
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(l->context);
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(l->kernel); block; block = LLVMGetNextBasicBlock(block))
    for (LLVMValueRef barrier; (barrier = barrier_to_split(block));) {
      LLVMPositionBuilderAtEnd(builder, ir_split_behind(l, barrier));
      LLVMBuildBr(builder, block);
    }
  LLVMDisposeBuilder(builder);
  return 0;
}
