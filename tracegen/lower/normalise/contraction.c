/* Contracted multiply-adds. OpenCL C lets a compiler fuse a*b+c where one expression has both operations (OpenCL C 1.2,
 * section 6.12.2, FP_CONTRACT); GPUs do. Clang then calls llvm.fmuladd, which is one operation of the code table. The
 * generated code multiplies and adds, rounding twice, so that results are the same on every host and those of an
 * implementation that does not contract. */
#include "tracegen/lower/normalise/normalise.h"

#include "tracegen/lower/ir/instructions.h"

static void separate(LLVMBuilderRef b, LLVMValueRef call) {
  ir_build_before(b, call);
  LLVMValueRef product = LLVMBuildFMul(b, LLVMGetOperand(call, 0), LLVMGetOperand(call, 1), "");
  LLVMReplaceAllUsesWith(call, LLVMBuildFAdd(b, product, LLVMGetOperand(call, 2), ""));
  LLVMInstructionEraseFromParent(call);
}

int contraction_undo(struct lowering *l) {
  LLVMBuilderRef b = LLVMCreateBuilderInContext(l->context);
  for (LLVMValueRef i = ir_first(l->kernel), next; i; i = next) {
    next = ir_next(i);
    if (ir_calls(i, "llvm.fmuladd."))
      separate(b, i);
  }
  LLVMDisposeBuilder(b);
  return 0;
}
