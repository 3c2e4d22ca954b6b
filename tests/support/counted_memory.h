/* Makes measurements of a process's memory exact, for tests that compare them, by avoiding effects of the machine
 * (Linux). */
#ifndef SUPPORT_COUNTED_MEMORY_H
#define SUPPORT_COUNTED_MEMORY_H

#include <sched.h>
#include <sys/prctl.h>

/* Disables huge pages for this process and its children: one byte that is written takes 2 MiB of them. */
static inline void count_small_pages(void) {
  prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0);
}

/* Keeps this process on one processor. Linux counts pages on each, and adds the counts only when one has counted
 * dozens. */
static inline void count_on_one_processor(void) {
  const int here = sched_getcpu();
  cpu_set_t one;
  CPU_ZERO(&one);
  if (here >= 0 && here < CPU_SETSIZE) {
    CPU_SET(here, &one);
    sched_setaffinity(0, sizeof one, &one);
  }
}

#endif
