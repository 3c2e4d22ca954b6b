/* Runs LLVM's O2 without vectorisation and unrolling. */
#include "tracegen/lower/optimise.h"

#include "tracegen/lower/ir/instructions.h"

/* Compilers for GPUs do not vectorise scalar code, and a loop stays a loop unless the source says #pragma unroll. */
static LLVMPassBuilderOptionsRef gpu_options(void) {
  LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
  LLVMPassBuilderOptionsSetLoopInterleaving(options, false);
  LLVMPassBuilderOptionsSetLoopVectorization(options, false);
  LLVMPassBuilderOptionsSetSLPVectorization(options, false);
  LLVMPassBuilderOptionsSetLoopUnrolling(options, false);
  return options;
}

/* The optimiser gets no target machine: the machine's costs are those of the host, and counts are for a GPU. With the
 * options alone LLVM 15 still vectorises a loop over bytes (for (i...40) c[i] = b[i * n]); the loop vectoriser skips
 * functions with the attribute noimplicitfloat. */
int optimise(struct lowering *l) {
  LLVMPassBuilderOptionsRef options = gpu_options();
  ir_add_attribute(l, l->kernel, "noimplicitfloat", 0);
  const int status = lower_run_passes(l, "default<O2>", options, "optimise the kernel");
  LLVMDisposePassBuilderOptions(options);
  for (LLVMValueRef f = LLVMGetFirstFunction(l->module); f; f = LLVMGetNextFunction(f))
    ir_remove_attribute(f, "optnone");
  ir_remove_attribute(l->kernel, "noimplicitfloat");
  return status;
}
