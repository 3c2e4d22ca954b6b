/* Picks the kernel out of the module and gives the module the layout of the host. */
#include "tracegen/lower/open_module.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <llvm-c/DebugInfo.h>
#include <llvm-c/Support.h>
#include <llvm-c/Target.h>

#include "base/text.h"
#include "tracegen/lower/ir/instructions.h"
#include "tracegen/lower/ir/llvm_library.h"
#include "tracegen/lower/ir/read_bitcode.h"
#include "tracegen/lower/ir/source_line.h"
#include "tracegen/lower/reserved_names.h"

#define MAX_LISTED 4096

/* The kernel. */

static int no_such_kernel(struct lowering *l, const char *wanted) {
  const char *names[MAX_LISTED + 1];
  size_t count = 0;
  for (LLVMValueRef f = LLVMGetFirstFunction(l->module); f && count < MAX_LISTED; f = LLVMGetNextFunction(f))
    if (ir_is_kernel(f))
      names[count++] = ir_name(f);
  names[count] = NULL;
  if (!count)
    return error_set(l->error, ERROR_INPUT, "%s defines no kernel; expected \"__kernel void %s(...)\"",
                     l->program->source, wanted);
  const char *near = text_nearest(wanted, names);
  char list[512] = "";
  for (size_t i = 0, used = 0; i < count && used < sizeof list - 80; i++)
    used += (size_t)snprintf(list + used, sizeof list - used, "%s%.60s", i ? ", " : "", names[i]);
  return error_set(l->error, ERROR_INPUT, "%s defines no kernel \"%s\"%s%s%s (its kernels: %s)", l->program->source,
                   wanted, near ? "; did you mean \"" : "", near ? near : "", near ? "\"?" : "", list);
}

/* Deletes other kernels and the functions that only they call: they would take time in every pass, and an error in them
 * does not concern this kernel. */
static void delete_unused_functions(struct lowering *l) {
  for (bool more = true; more;) {
    more = false;
    for (LLVMValueRef f = LLVMGetFirstFunction(l->module), next; f; f = next) {
      next = LLVMGetNextFunction(f);
      if (f == l->kernel || LLVMIsDeclaration(f) || LLVMGetFirstUse(f))
        continue;
      LLVMDeleteFunction(f);
      more = true;
    }
  }
}

/* Removes a promise of a function and of its calls. `index`: the function's own, its result's or a parameter's. */
static void forget(LLVMValueRef function, unsigned kind, LLVMAttributeIndex index) {
  if (!kind)
    return;
  LLVMRemoveEnumAttributeAtIndex(function, index, kind);
  for (LLVMUseRef use = LLVMGetFirstUse(function); use; use = LLVMGetNextUse(use))
    if (ir_callee(LLVMGetUser(use)) == function)
      LLVMRemoveCallSiteEnumAttribute(LLVMGetUser(use), index, kind);
}

/* Removes what a function of the source promises of itself, by __attribute__((const)) or returns_nonnull for example:
 * by a broken promise the optimiser would drop a bad access. It finds out itself what a function really does. */
static void forget_promises(LLVMValueRef function) {
  static const char *const promises[] = {"readnone", "readonly", "memory", "willreturn"};
  const unsigned nonnull = LLVMGetEnumAttributeKindForName("nonnull", strlen("nonnull"));
  for (size_t i = 0; i < sizeof promises / sizeof *promises; i++)
    forget(function, LLVMGetEnumAttributeKindForName(promises[i], strlen(promises[i])),
           (LLVMAttributeIndex)LLVMAttributeFunctionIndex);
  for (unsigned i = LLVMAttributeReturnIndex; i <= LLVMCountParams(function); i++)
    forget(function, nonnull, i);
}

/* Everything but the kernel becomes internal, so that the optimiser removes it when nothing uses it. */
static int pick_kernel(struct lowering *l, const char *name) {
  l->kernel = LLVMGetNamedFunction(l->module, name);
  if (!l->kernel || !ir_is_kernel(l->kernel))
    return no_such_kernel(l, name);
  for (LLVMValueRef f = LLVMGetFirstFunction(l->module); f; f = LLVMGetNextFunction(f)) {
    if (LLVMIsDeclaration(f))
      continue;
    ir_set_from_source(f);
    forget_promises(f);
    ir_add_attribute(l, f, "null_pointer_is_valid", 0); /* or the optimiser drops accesses through it */
    if (f != l->kernel)
      LLVMSetLinkage(f, LLVMInternalLinkage);
  }
  delete_unused_functions(l);
  l->program->line = source_line_of_function(l->kernel);
  l->source_file = source_file_of(l->kernel);
  return 0;
}

/* The host. */

/* Loop strength reduction is off: it takes a quarter to a half of the time of code generation, and the code that it
 * makes is not faster. The pass that replaces a vector load by loads of the elements that are used (VectorCombine) is
 * off: a GPU loads a vector with one instruction. */
void kernel_prepare(void) {
  static const char *const options[] = {"reassemble", "-disable-lsr", "-disable-vector-combine"};
  static bool is_prepared;
  struct error ignored = ERROR_INIT; /* kernel_program_create says why */
  if (!is_prepared && llvm_library_load(&ignored) != 0)
    return;
  if (!is_prepared) {
    LLVMInitializeNativeTarget();
    LLVMInitializeNativeAsmPrinter();
    LLVMInitializeNVPTXTargetInfo(); /* for optimise.c */
    LLVMInitializeNVPTXTarget();
    LLVMInitializeNVPTXTargetMC();
    LLVMParseCommandLineOptions(sizeof options / sizeof *options, options, NULL);
  }
  is_prepared = true;
}

void kernel_load_compiler(void) {
  struct error ignored = ERROR_INIT;
  llvm_library_load(&ignored);
}

/* Folders of libraries, since LLVM loads others. */
const char *const *kernel_compiler_files(void) {
  static const char *const files[] = {REASSEMBLE_LLVM_FOLDER, "/usr/lib", "/usr/lib64", "/lib", "/lib64",
                                      "/etc/ld.so.cache",     NULL};
  return files;
}

/* The target is the plainest processor of the host's architecture, so that the arithmetic is the same on every host. */
int open_machine(struct lowering *l) {
  char *triple = LLVMGetDefaultTargetTriple(), *message = NULL;
  LLVMTargetRef target;
  kernel_prepare();
  if (!triple)
    return lower_no_memory(l);
  if (LLVMGetTargetFromTriple(triple, &target, &message)) {
    error_set(l->error, ERROR_WORK, "LLVM cannot generate code for %s: %s", triple, message);
    LLVMDisposeMessage(message);
    LLVMDisposeMessage(triple);
    return -1;
  }
  l->machine = LLVMCreateTargetMachine(target, triple, "generic", "", LLVMCodeGenLevelDefault, LLVMRelocDefault,
                                       LLVMCodeModelJITDefault);
  LLVMDisposeMessage(triple);
  l->layout = LLVMCreateTargetDataLayout(l->machine);
  return 0;
}

/* The module gets the host's layout of memory, but native integers of at most 32 bits, as the GPUs have that traces are
 * for: with native integers of 64 bits LLVM makes every 32-bit index of a loop one of 64 bits. */
static int set_layout(struct lowering *l) {
  char *triple = LLVMGetTargetMachineTriple(l->machine);
  char *host = triple ? LLVMCopyStringRepOfTargetData(l->layout) : NULL;
  if (triple)
    LLVMSetTarget(l->module, triple);
  LLVMDisposeMessage(triple);
  if (!host)
    return lower_no_memory(l);
  const char *native = strstr(host, "-n");
  char *text = native ? text_format("%.*s-n8:16:32%s", (int)(native - host), host,
                                    strchr(native + 1, '-') ? strchr(native + 1, '-') : "")
                      : strdup(host);
  LLVMDisposeMessage(host);
  if (!text)
    return lower_no_memory(l);
  LLVMSetDataLayout(l->module, text);
  free(text);
  return 0;
}

int open_module(struct lowering *l, const char *bitcode, size_t length, const char *name) {
  if (open_machine(l))
    return -1;
  l->thread_safe_context = LLVMOrcCreateNewThreadSafeContext();
  l->context = LLVMOrcThreadSafeContextGetContext(l->thread_safe_context);
  return lower_read(l, bitcode, length) || reserved_names_refuse(l) || pick_kernel(l, name) || set_layout(l) ? -1 : 0;
}
