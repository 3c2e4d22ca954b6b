/* Catches LLVM's fatal errors with a handler that jumps out of LLVM. */
#include "tracegen/lower/ir/llvm_failure.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdio.h>
#include <unistd.h>

#include <llvm-c/ErrorHandling.h>

static jmp_buf *way_out; /* where a fatal error continues; NULL: no work is running */
static char reason_given[400];

static void leave(const char *reason) {
  snprintf(reason_given, sizeof reason_given, "%s", reason);
  if (way_out)
    longjmp(*way_out, 1);
}

/* Sends standard error to nowhere. Returns a copy of it as it was, or -1. */
static int silence(void) {
  const int kept = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3), nothing = open("/dev/null", O_WRONLY | O_CLOEXEC);
  if (kept >= 0 && nothing >= 0)
    dup2(nothing, STDERR_FILENO);
  if (nothing >= 0)
    close(nothing);
  return kept;
}

static void speak(int kept) {
  if (kept < 0)
    return;
  dup2(kept, STDERR_FILENO);
  close(kept);
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
  if (!is_installed)
    LLVMInstallFatalErrorHandler(leave);
  is_installed = true;
  const int kept = quiet ? silence() : -1;
  const int status = run(work, user, &here, error);
  way_out = before;
  speak(kept);
  return status;
}
