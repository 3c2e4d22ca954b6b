/* Catches LLVM's fatal errors with a handler that jumps out of LLVM. */
#include "tracegen/lower/ir/llvm_failure.h"

#include <setjmp.h>
#include <stdio.h>

#include <llvm-c/ErrorHandling.h>

#include "tracegen/lower/ir/llvm_library.h"
#include "tracegen/lower/ir/memory_watch.h"

static jmp_buf *way_out; /* where a fatal error continues; NULL: no work is running */
static char reason_given[400];

static void leave(const char *reason) {
  snprintf(reason_given, sizeof reason_given, "%s", reason);
  if (way_out)
    longjmp(*way_out, 1);
}

/* No local variable changes after setjmp, so that all are defined when it returns again. */
static int run(llvm_work *work, void *user, jmp_buf *here, struct error *error) {
  way_out = here;
  if (!setjmp(*here))
    return work(user);
  error_set(error, ERROR_INPUT, "LLVM: %s", reason_given);
  return LLVM_FAILED;
}

int llvm_failure_catch(llvm_work *work, void *user, bool quiet, struct error *error) {
  static bool is_installed;
  jmp_buf here, *before = way_out;
  struct memory_watch watch;
  if (llvm_library_load(error) != 0)
    return -1;
  if (!is_installed)
    LLVMInstallFatalErrorHandler(leave);
  is_installed = true;
  memory_watch_begin(&watch, quiet);
  const int status = run(work, user, &here, error);
  way_out = before;
  memory_watch_end(&watch);
  return status;
}
