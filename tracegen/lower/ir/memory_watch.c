#include "tracegen/lower/ir/memory_watch.h"

#include <fcntl.h>
#include <unistd.h>

#include "base/process/early_end.h"

static int kept = -1; /* standard error of the innermost watch that drops it */

static void on_abort(int number) {
  if (kept >= 0)
    dup2(kept, STDERR_FILENO);
  early_end_fail("reassemble: out of memory in LLVM\n");
  signal(number, SIG_DFL);
  raise(number);
}

/* Sends standard error to nowhere. Returns a copy of it as it was, or -1. */
static int silence(void) {
  const int copy = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3), nothing = open("/dev/null", O_WRONLY | O_CLOEXEC);
  if (copy >= 0 && nothing >= 0)
    dup2(nothing, STDERR_FILENO);
  if (nothing >= 0)
    close(nothing);
  return copy;
}

void memory_watch_begin(struct memory_watch *watch, bool quiet) {
  const struct sigaction handler = {.sa_handler = on_abort};
  watch->standard_error = quiet ? silence() : -1;
  if (watch->standard_error >= 0) {
    kept = watch->standard_error;
    early_end_tell_to(kept); /* a signal or the limit of time may end the program meanwhile */
  }
  sigaction(SIGABRT, &handler, &watch->before);
}

void memory_watch_end(const struct memory_watch *watch) {
  sigaction(SIGABRT, &watch->before, NULL);
  if (watch->standard_error < 0)
    return;
  kept = -1;
  early_end_tell_to(STDERR_FILENO);
  dup2(watch->standard_error, STDERR_FILENO);
  close(watch->standard_error);
}
