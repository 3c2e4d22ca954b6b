#include "tracegen/lower/llvm_failure.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdio.h>
#include <unistd.h>

#include <llvm-c/ErrorHandling.h>

static jmp_buf *way_out; /* of the work that is done; NULL: none is */
static char reason_given[400];

static void leave(const char *reason) {
  snprintf(reason_given, sizeof reason_given, "%s", reason);
  if (way_out)
    longjmp(*way_out, 1);
}

/* Standard error before it was silenced; -1: it was not. */
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

/* Nothing here is changed behind setjmp. */
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
