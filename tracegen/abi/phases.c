/* Prints how long each phase took, for REASSEMBLE_PHASES. */
#include "tracegen/abi/phases.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>

#include "base/clock.h"

/* Milliseconds of processor time of this process and of its children that have ended. */
static double processor_ms(void) {
  double sum = 0;
  for (int who = 0; who < 2; who++) {
    struct rusage used;
    getrusage(who == 0 ? RUSAGE_SELF : RUSAGE_CHILDREN, &used);
    sum += 1e3 * (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
           1e-3 * (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec);
  }
  return sum;
}

static bool is_silent;

void phase_silence(bool silent) {
  is_silent = silent;
}

void phase_mark(const char *ended) {
  static double wall, processor;
  if (is_silent || !getenv("REASSEMBLE_PHASES"))
    return;
  const double wall_now = 1e3 * clock_seconds(), processor_now = processor_ms();
  if (ended)
    fprintf(stderr, "%8.3f ms (%8.3f ms of processors)  %s\n", wall_now - wall, processor_now - processor, ended);
  wall = wall_now;
  processor = processor_now;
}
