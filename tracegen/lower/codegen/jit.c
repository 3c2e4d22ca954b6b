/* Native code of the instrumented kernel, in this process (LLVM's ORC LLJIT). */
#include "tracegen/lower/codegen/codegen.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <llvm-c/Analysis.h>
#include <llvm-c/DebugInfo.h>
#include <llvm-c/LLJIT.h>

#include "tracegen/abi/phases.h"
#include "tracegen/lower/ir/instructions.h"

/* The stack of the generated code. */

/* Of a work-item's own stack 32 KiB stay free for built-in functions and signal handlers; the host's stack (usually
 * 8 MiB) has more room. */
uint64_t jit_stack_limit(const struct kernel_program *program) {
  return program->has_barrier ? ITEM_STACK_BYTES - (32u << 10) : 4u << 20;
}

/* LLVM reports the size of a frame only in a warning: "stack frame size (N) exceeds limit (M) in function ...". */
static void note_stack_size(LLVMDiagnosticInfoRef info, void *user) {
  struct lowering *l = user;
  char *text = LLVMGetDiagInfoDescription(info);
  const char *size = strstr(text, "stack frame size (");
  if (size)
    l->frame_bytes = strtoull(strchr(size, '(') + 1, NULL, 10);
  LLVMDisposeMessage(text);
}

static void watch_stack(struct lowering *l) {
  char limit[24];
  snprintf(limit, sizeof limit, "%llu", (unsigned long long)jit_stack_limit(l->program));
  LLVMAddTargetDependentFunctionAttr(l->kernel, "warn-stack-size", limit);
  LLVMAddTargetDependentFunctionAttr(l->kernel, "probe-stack", "inline-asm"); /* so that no frame skips a guard page */
  LLVMContextSetDiagnosticHandler(l->context, note_stack_size, l);
}

static int check_stack(struct lowering *l) {
  if (!l->frame_bytes)
    return 0;
  return error_at(l->error, ERROR_WORK, l->program->source, l->program->line, 0, NULL,
                  "kernel %s: a work-item needs %llu KiB of stack for values that do not fit into registers; at most "
                  "%llu KiB are supported: keep fewer values, or put them into an array",
                  l->program->name, (unsigned long long)(l->frame_bytes + 1023) / 1024,
                  (unsigned long long)jit_stack_limit(l->program) / 1024);
}

/* The code table is complete, so passes may change anything. */
int jit_polish(struct lowering *l) {
  LLVMSetModuleDataLayout(l->module, l->layout); /* the host's */
  LLVMStripModuleDebugInfo(l->module);
  char *message = NULL;
  if (LLVMVerifyModule(l->module, LLVMReturnStatusAction, &message)) {
    error_set(l->error, ERROR_WORK, "kernel %s: the instrumented code is invalid: %s", l->program->name, message);
    LLVMDisposeMessage(message);
    return -1;
  }
  LLVMDisposeMessage(message);
  return lower_run_passes(l, "function(sroa,early-cse)", NULL, "optimise the instrumented code");
}

static LLVMErrorRef create_jit(struct lowering *l, LLVMOrcLLJITRef *jit) {
  LLVMOrcLLJITBuilderRef builder = LLVMOrcCreateLLJITBuilder();
  LLVMOrcLLJITBuilderSetJITTargetMachineBuilder(builder,
                                                LLVMOrcJITTargetMachineBuilderCreateFromTargetMachine(l->machine));
  l->machine = NULL; /* the JIT owns it */
  LLVMErrorRef failure = LLVMOrcCreateLLJIT(jit, builder);
  if (failure)
    return failure;
  LLVMOrcDefinitionGeneratorRef process;
  failure =
      LLVMOrcCreateDynamicLibrarySearchGeneratorForProcess(&process, LLVMOrcLLJITGetGlobalPrefix(*jit), NULL, NULL);
  if (!failure)
    LLVMOrcJITDylibAddGenerator(LLVMOrcLLJITGetMainJITDylib(*jit), process);
  return failure;
}

/* Copies the contents of program-scope constants from the JIT's memory to their place in the arena. */
static int copy_constants(struct lowering *l, LLVMOrcLLJITRef jit) {
  const struct kernel_variables *constants = &l->program->constants;
  for (uint32_t i = 0; i < constants->count; i++) {
    char name[40];
    LLVMOrcExecutorAddress address;
    snprintf(name, sizeof name, CONSTANT_NAME, i);
    LLVMErrorRef failure = LLVMOrcLLJITLookup(jit, &address, name);
    if (failure)
      return lower_llvm_error(l, failure, "place a constant");
    memcpy(l->arena->base + constants->list[i].offset, (const void *)(uintptr_t)address, constants->list[i].bytes);
  }
  return 0;
}

int jit_compile(struct lowering *l) {
  LLVMOrcLLJITRef jit = NULL;
  watch_stack(l);
  LLVMErrorRef failure = create_jit(l, &jit);
  l->program->jit = jit;
  if (failure)
    return lower_llvm_error(l, failure, "start its compiler");
  LLVMOrcThreadSafeModuleRef module = LLVMOrcCreateNewThreadSafeModule(l->module, l->thread_safe_context);
  l->module = NULL; /* the JIT owns it */
  failure = LLVMOrcLLJITAddLLVMIRModule(jit, LLVMOrcLLJITGetMainJITDylib(jit), module);
  if (failure)
    return lower_llvm_error(l, failure, "take the module");
  LLVMOrcExecutorAddress address;
  failure = LLVMOrcLLJITLookup(jit, &address, INSTRUMENTED_NAME);
  if (failure)
    return lower_llvm_error(l, failure, "generate code");
  if (check_stack(l))
    return -1;
  l->program->entry = (kernel_entry *)(uintptr_t)address;
  return copy_constants(l, jit);
}

/* Without the passes that work on whole functions (optnone), code generation takes two thirds of the time. */
int jit_compile_baseline(struct lowering *l) {
  ir_make_opaque(l, l->kernel);
  return jit_compile(l);
}

int jit_add(struct lowering *l, LLVMOrcThreadSafeModuleRef module, const char *name, kernel_entry **entry) {
  LLVMOrcLLJITRef jit = l->program->jit;
  if (jit_polish(l)) {
    LLVMOrcDisposeThreadSafeModule(module);
    return -1;
  }
  watch_stack(l);
  LLVMErrorRef failure = LLVMOrcLLJITAddLLVMIRModule(jit, LLVMOrcLLJITGetMainJITDylib(jit), module);
  LLVMOrcExecutorAddress address;
  if (failure)
    return lower_llvm_error(l, failure, "take the module of SIMD groups");
  failure = LLVMOrcLLJITLookup(jit, &address, name);
  if (failure)
    return lower_llvm_error(l, failure, "generate code for SIMD groups");
  if (!l->frame_bytes)
    *entry = (kernel_entry *)(uintptr_t)address;
  phase_mark("native code for SIMD groups");
  return 0;
}

void jit_destroy(void *jit) {
  LLVMErrorRef failure = LLVMOrcDisposeLLJIT(jit);
  if (failure)
    LLVMConsumeError(failure);
}
