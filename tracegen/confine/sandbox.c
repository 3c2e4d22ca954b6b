#include "tracegen/confine/sandbox.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

#include "base/error.h"
#include "base/process/confine_files.h"
#include "tracegen/confine/system_calls.h"

#define MOST_FILES 256 /* open at the same time; a trace needs three */

static struct {
  void *filter, *compiling;
  bool may_fork, is_there;
} prepared;

void sandbox_prepare(bool may_fork) {
  if (prepared.is_there && prepared.may_fork == may_fork)
    return;
  system_calls_release(prepared.filter);
  prepared.filter = system_calls_prepare(may_fork);
  prepared.may_fork = may_fork;
  if (!prepared.compiling)
    prepared.compiling = system_calls_prepare_compiling();
  prepared.is_there = true;
}

static void lower_limit(int which, rlim_t most) {
  struct rlimit limit;
  if (getrlimit(which, &limit) != 0)
    return;
  if (limit.rlim_max == RLIM_INFINITY || limit.rlim_max > most)
    limit.rlim_max = most;
  if (limit.rlim_cur == RLIM_INFINITY || limit.rlim_cur > limit.rlim_max)
    limit.rlim_cur = limit.rlim_max;
  setrlimit(which, &limit);
}

#ifndef REASSEMBLE_SANITIZED
static int confine_to(const char *const *readable, const char *const *writable, struct error *error) {
  if (!confine_files(&(struct file_places){readable, writable}))
    return 0;
  return error_set(error, ERROR_WORK, "cannot keep the kernel from files (Landlock): %s", strerror(errno));
}

/* Asked before a filter is there, which forbids others. */
static int filtered(bool can_be, bool is, struct error *error) {
  if (is || !can_be)
    return 0;
  return error_set(error, ERROR_WORK, "cannot keep the kernel from system calls (seccomp): %s",
                   strerror(errno ? errno : ENOMEM));
}
#endif

int sandbox_enter_compiling(const char *const *readable, const char *const *writable, struct error *error) {
#ifndef REASSEMBLE_SANITIZED
  if (!prepared.compiling)
    prepared.compiling = system_calls_prepare_compiling();
  if (confine_to(readable, writable, error))
    return -1;
  const bool can_be = system_calls_are_filtered();
  errno = 0;
  return filtered(can_be, system_calls_confine_compiling(prepared.compiling), error);
#else
  (void)readable;
  (void)writable;
  (void)error;
  return 0;
#endif
}

int sandbox_enter(const struct sandbox *sandbox, struct error *error) {
#ifndef REASSEMBLE_SANITIZED /* whose own work needs more */
  const char *const writable[] = {"/dev/null", sandbox->folder, NULL};
  sandbox_prepare(sandbox->may_fork);
  lower_limit(RLIMIT_NOFILE, MOST_FILES);
  if (sandbox->cpu_s < 1e9)
    lower_limit(RLIMIT_CPU, (rlim_t)ceil(sandbox->cpu_s));
  if (confine_to(sandbox->readable, writable, error))
    return -1;
  const bool can_be = system_calls_are_filtered();
  errno = 0;
  return filtered(can_be, system_calls_confine(prepared.filter), error);
#else
  (void)sandbox;
  (void)error;
  (void)lower_limit;
  return 0;
#endif
}

void sandbox_describe(char *text, size_t size) {
  static const char *const files[] = {"", "files", "files, TCP", "files, TCP, signals"};
  const bool calls = system_calls_are_filtered();
  const char *by_landlock = files[confine_files_level()];
#ifdef REASSEMBLE_SANITIZED
  snprintf(text, size, "kernels run unconfined: this build has a sanitizer");
  return;
#endif
  if (!calls && !*by_landlock)
    snprintf(text, size,
             "kernels run with limits of time and memory alone: this system offers neither seccomp nor "
             "Landlock");
  else
    snprintf(text, size, "kernels run confined: %s%s%s%s", calls ? "system calls (seccomp)" : "",
             calls && *by_landlock ? ", " : "", by_landlock,
             *by_landlock ? " (Landlock)" : "; files are not, for want of Landlock");
}
