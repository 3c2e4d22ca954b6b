/* Runs LLVM's O2 without vectorisation and unrolling, then the passes for addresses that LLVM's compilers for GPUs
 * run. */
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

/* The passes that an unoptimised kernel needs: one function, with variables in registers whose address nothing
 * takes. */
static const char plain_passes[] = "always-inline,globaldce,function(sroa,simplifycfg)";

/* The optimiser gets no target machine: the machine's costs are those of the host, and counts are for a GPU. With the
 * options alone LLVM 15 still vectorises a loop over bytes (for (i...40) c[i] = b[i * n]); the loop vectoriser skips
 * functions with the attribute noimplicitfloat. */
int optimise(struct lowering *l) {
  LLVMPassBuilderOptionsRef options = gpu_options();
  ir_add_attribute(l, l->kernel, "noimplicitfloat", 0);
  const int status =
      lower_run_passes(l, l->purpose.unoptimised ? plain_passes : "default<O2>", options, "optimise the kernel");
  LLVMDisposePassBuilderOptions(options);
  for (LLVMValueRef f = LLVMGetFirstFunction(l->module); f; f = LLVMGetNextFunction(f))
    ir_remove_attribute(f, "optnone");
  ir_remove_attribute(l->kernel, "noimplicitfloat");
  return status;
}

/* The passes that LLVM's back ends for NVIDIA's and AMD's GPUs run before they choose instructions
 * (NVPTXTargetMachine.cpp and AMDGPUTargetMachine.cpp, addStraightLineScalarOptimizationPasses), then loop strength
 * reduction. */
static const char address_passes[] =
    "function(separate-const-offset-from-gep,slsr,early-cse,nary-reassociate,early-cse,loop(loop-reduce),early-cse,"
    "loop-mssa(licm),instsimplify,simplifycfg)";

/* The target machine says which addresses an access can have: a register and a constant. */
int addresses_simplify(struct lowering *l) {
  static const char triple[] = "nvptx64-nvidia-cuda";
  LLVMTargetRef target;
  char *message = NULL;
  if (LLVMGetTargetFromTriple(triple, &target, &message)) {
    error_set(l->error, ERROR_WORK, "LLVM knows no GPU whose addresses it could simplify: %s", message);
    LLVMDisposeMessage(message);
    return -1;
  }
  LLVMTargetMachineRef gpu =
      LLVMCreateTargetMachine(target, triple, "", "", LLVMCodeGenLevelDefault, LLVMRelocDefault, LLVMCodeModelDefault);
  LLVMPassBuilderOptionsRef options = gpu_options();
  LLVMErrorRef failure = LLVMRunPasses(l->module, address_passes, gpu, options);
  LLVMDisposePassBuilderOptions(options);
  LLVMDisposeTargetMachine(gpu);
  return failure ? lower_llvm_error(l, failure, "simplify addresses") : 0;
}
