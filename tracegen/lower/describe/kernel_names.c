/* The kernels of a program, without compiling any. */
#include <stdlib.h>
#include <string.h>

#include "tracegen/lower/ir/instructions.h"
#include "tracegen/lower/ir/llvm_library.h"
#include "tracegen/lower/ir/read_bitcode.h"

static size_t count_kernels(LLVMModuleRef module) {
  size_t count = 0;
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
    count += ir_is_kernel(f);
  return count;
}

static int copy_names(struct lowering *l, char ***names, size_t *count) {
  char **list = calloc(count_kernels(l->module) + 1, sizeof *list);
  bool failed = !list;
  *count = 0;
  for (LLVMValueRef f = LLVMGetFirstFunction(l->module); f && !failed; f = LLVMGetNextFunction(f))
    if (ir_is_kernel(f))
      failed = !(list[(*count)++] = strdup(ir_name(f)));
  if (!failed) {
    *names = list;
    return 0;
  }
  for (size_t i = 0; i < *count; i++)
    free(list[i]);
  free(list);
  return lower_no_memory(l);
}

int kernel_names(const char *bitcode, size_t length, char ***names, size_t *count, struct error *error) {
  if (llvm_library_load(error) != 0)
    return -1;
  struct lowering l = {.context = LLVMContextCreate(), .error = error};
  const int status = lower_read(&l, bitcode, length) || copy_names(&l, names, count) ? -1 : 0;
  if (l.module)
    LLVMDisposeModule(l.module);
  LLVMContextDispose(l.context);
  return status;
}
