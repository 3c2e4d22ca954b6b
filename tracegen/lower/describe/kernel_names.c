/* The kernels of a program, without compiling any. */
#include <stdlib.h>
#include <string.h>

#include "tracegen/lower/ir/instructions.h"
#include "tracegen/lower/ir/llvm_failure.h"
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

struct names_work {
  const char *bitcode;
  size_t length, *count;
  char ***names;
  struct error *error;
};

static int read_names(void *user) {
  const struct names_work *work = user;
  struct lowering l = {.context = LLVMContextCreate(), .error = work->error};
  const int status =
      lower_read(&l, work->bitcode, work->length) != 0 || copy_names(&l, work->names, work->count) != 0 ? -1 : 0;
  if (l.module)
    LLVMDisposeModule(l.module);
  LLVMContextDispose(l.context);
  return status;
}

int kernel_names(const char *bitcode, size_t length, char ***names, size_t *count, struct error *error) {
  struct names_work work = {bitcode, length, count, names, error};
  return llvm_failure_catch(read_names, &work, false, error) == 0 ? 0 : -1;
}
