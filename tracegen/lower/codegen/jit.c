/* Native code of the instrumented kernel, in this process (LLVM's ORC LLJIT). */
#include "tracegen/lower/codegen/codegen.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <llvm-c/Analysis.h>
#include <llvm-c/DebugInfo.h>
#include <llvm-c/LLJIT.h>

#include "tracegen/abi/phases.h"
#include "tracegen/lower/ir/emulator_calls.h"
#include "tracegen/lower/ir/instructions.h"

/* The stack of the generated code. */

/* Keeps 32 KiB of a work-item's own stack free for built-in functions, signal handlers and the page by which the
 * beginnings of stacks differ (work_group.c); the host's stack (usually 8 MiB) has more room. */
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

/* Tells the JIT where the functions of the emulator are in this process. */
static LLVMErrorRef define_emulator_calls(LLVMOrcLLJITRef jit) {
  LLVMOrcCSymbolMapPair pairs[32];
  size_t count = 0;
  for (const struct emulator_call *call = emulator_calls; call->name; call++)
    pairs[count++] = (LLVMOrcCSymbolMapPair){
        LLVMOrcLLJITMangleAndIntern(jit, call->name),
        {(uintptr_t)call->function, {LLVMJITSymbolGenericFlagsExported | LLVMJITSymbolGenericFlagsCallable, 0}}};
  assert(count < sizeof pairs / sizeof *pairs);
  return LLVMOrcJITDylibDefine(LLVMOrcLLJITGetMainJITDylib(jit), LLVMOrcAbsoluteSymbols(pairs, count));
}

/* Code that is generated goes to `kept_object` too, where it is not NULL. */
static struct bytes *kept_object;

static LLVMErrorRef take_object(void *user, LLVMMemoryBufferRef *object) {
  (void)user;
  if (kept_object) {
    bytes_clear(kept_object);
    bytes_append(kept_object, LLVMGetBufferStart(*object), LLVMGetBufferSize(*object));
  }
  return NULL;
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
  if (failure)
    return failure;
  LLVMOrcJITDylibAddGenerator(LLVMOrcLLJITGetMainJITDylib(*jit), process);
  LLVMOrcObjectTransformLayerSetTransform(LLVMOrcLLJITGetObjTransformLayer(*jit), take_object, NULL);
  return define_emulator_calls(*jit);
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

/* Starts the JIT, which takes the machine. */
static int start_jit(struct lowering *l) {
  LLVMOrcLLJITRef jit = NULL;
  LLVMErrorRef failure = create_jit(l, &jit);
  l->program->jit = jit;
  return failure ? lower_llvm_error(l, failure, "start its compiler") : 0;
}

/* Generates the code that was added, unless it is an object, and takes its addresses. */
static int take_code(struct lowering *l) {
  LLVMOrcLLJITRef jit = l->program->jit;
  LLVMOrcExecutorAddress address;
  kept_object = l->object;
  LLVMErrorRef failure = LLVMOrcLLJITLookup(jit, &address, INSTRUMENTED_NAME);
  kept_object = NULL;
  if (failure)
    return lower_llvm_error(l, failure, "generate code");
  if (check_stack(l))
    return -1;
  l->program->entry = (kernel_entry *)(uintptr_t)address;
  return copy_constants(l, jit);
}

int jit_compile(struct lowering *l) {
  watch_stack(l);
  if (start_jit(l))
    return -1;
  LLVMOrcLLJITRef jit = l->program->jit;
  LLVMOrcThreadSafeModuleRef module = LLVMOrcCreateNewThreadSafeModule(l->module, l->thread_safe_context);
  l->module = NULL; /* the JIT owns it */
  LLVMErrorRef failure = LLVMOrcLLJITAddLLVMIRModule(jit, LLVMOrcLLJITGetMainJITDylib(jit), module);
  return failure ? lower_llvm_error(l, failure, "take the module") : take_code(l);
}

/* Without the passes that work on whole functions (optnone), code generation takes two thirds of the time. */
int jit_compile_baseline(struct lowering *l) {
  ir_make_opaque(l, l->kernel);
  return jit_compile(l);
}

/* Generates code without looking at more than one block of LLVM's at a time, also for registers. NULL: error. */
static LLVMMemoryBufferRef generate_plainly(struct lowering *l) {
  LLVMMemoryBufferRef object = NULL;
  char *triple = LLVMGetTargetMachineTriple(l->machine), *message = NULL;
  if (!triple) {
    lower_no_memory(l);
    return NULL;
  }
  LLVMTargetMachineRef machine =
      LLVMCreateTargetMachine(LLVMGetTargetMachineTarget(l->machine), triple, "generic", "", LLVMCodeGenLevelNone,
                              LLVMRelocDefault, LLVMCodeModelJITDefault);
  if (LLVMTargetMachineEmitToMemoryBuffer(machine, l->module, LLVMObjectFile, &message, &object)) {
    error_set(l->error, ERROR_WORK, "kernel %s: LLVM cannot generate code: %s", l->program->name, message);
    LLVMDisposeMessage(message);
    object = NULL;
  }
  LLVMDisposeTargetMachine(machine);
  LLVMDisposeMessage(triple);
  return object;
}

/* Starts the JIT with the code, which it takes. */
static int take_object_code(struct lowering *l, LLVMMemoryBufferRef object) {
  if (!object)
    return lower_no_memory(l);
  if (start_jit(l)) {
    LLVMDisposeMemoryBuffer(object);
    return -1;
  }
  LLVMOrcLLJITRef jit = l->program->jit;
  LLVMErrorRef failure = LLVMOrcLLJITAddObjectFile(jit, LLVMOrcLLJITGetMainJITDylib(jit), object);
  return failure ? lower_llvm_error(l, failure, "take the code") : take_code(l);
}

int jit_load(struct lowering *l, const void *object, size_t length) {
  return take_object_code(l, LLVMCreateMemoryBufferWithMemoryRangeCopy(object, length, "kernel"));
}

/* The JIT keeps its own machine, which optimises: a function for SIMD groups that is added later runs long. */
int jit_compile_plain(struct lowering *l) {
  ir_make_opaque(l, l->kernel);
  watch_stack(l);
  LLVMMemoryBufferRef object = generate_plainly(l);
  return object ? take_object_code(l, object) : -1;
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
  kept_object = l->object;
  failure = LLVMOrcLLJITLookup(jit, &address, name);
  kept_object = NULL;
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
