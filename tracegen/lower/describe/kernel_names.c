/* Which kernels a program has, without looking into them. */
#include "tracegen/lower/lower.h"

#include <stdlib.h>
#include <string.h>

static size_t count_kernels(LLVMModuleRef module) {
  size_t count = 0;
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
    count += lower_is_kernel(f);
  return count;
}

static int copy_names(struct lowering *l, char ***names, size_t *count) {
  size_t length;
  char **list = calloc(count_kernels(l->module) + 1, sizeof *list);
  bool failed = !list;
  *count = 0;
  for (LLVMValueRef f = LLVMGetFirstFunction(l->module); f && !failed; f = LLVMGetNextFunction(f))
    if (lower_is_kernel(f))
      failed = !(list[(*count)++] = strdup(LLVMGetValueName2(f, &length)));
  if (!failed) {
    *names = list;
    return 0;
  }
  for (size_t i = 0; i < *count; i++)
    free(list[i]);
  free(list);
  return error_set(l->error, ERROR_WORK, "out of memory");
}

int kernel_names(const char *bitcode, size_t length, char ***names, size_t *count, struct error *error) {
  struct lowering l = {.context = LLVMContextCreate(), .error = error};
  const int status = lower_read(&l, bitcode, length) || copy_names(&l, names, count) ? -1 : 0;
  if (l.module)
    LLVMDisposeModule(l.module);
  LLVMContextDispose(l.context);
  return status;
}
