/* Finds out whether this machine lets instructions that read the processor's counter be caught. Linux accepts the
 * request everywhere (prctl, PR_SET_TSC), but some hypervisors let the instructions pass all the same.
 *
 * Cost: one process that ends at once. Threads: the first, while the process has no others. */
#ifndef TRACEGEN_PROGRAM_COUNTER_PROBE_H
#define TRACEGEN_PROGRAM_COUNTER_PROBE_H

#include <signal.h>
#include <stdbool.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

/* Returns whether a read of the counter raises SIGSEGV; false, too, where no process can be made. */
static inline bool counter_can_be_caught(void) {
#if defined(__x86_64__)
  int status;
  const pid_t child = fork();
  if (child == 0) {
    unsigned low, high;
    signal(SIGSEGV, SIG_DFL);
    prctl(PR_SET_DUMPABLE, 0); /* no core file of the expected signal */
    prctl(PR_SET_TSC, PR_TSC_SIGSEGV);
    __asm__ volatile("rdtsc" : "=a"(low), "=d"(high));
    _exit(0);
  }
  return child > 0 && waitpid(child, &status, 0) == child && WIFSIGNALED(status) && WTERMSIG(status) == SIGSEGV;
#else
  return false;
#endif
}

#endif
