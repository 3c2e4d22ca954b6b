/* Makes measurements of a process's memory exact, for tests that compare them, by avoiding effects of the machine
 * (Linux). */
#ifndef SUPPORT_COUNTED_MEMORY_H
#define SUPPORT_COUNTED_MEMORY_H

#include <inttypes.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
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

/* Reads every page of the program and of its libraries. Linux also maps neighbors of a page that it has in memory just
 * then, so that the same run counts more of them where the files were read lately. */
static inline void count_code_beforehand(void) {
  enum { PAGE_BYTES = 4096 };
  char line[4096];
  FILE *maps = fopen("/proc/self/maps", "r");
  while (maps && fgets(line, sizeof line, maps)) {
    uint64_t begin, end;
    char readable, path = 0;
    if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %c%*s %*s %*s %*s %c", &begin, &end, &readable, &path) == 4 &&
        readable == 'r' && path == '/')
      for (uint64_t page = begin; page < end; page += PAGE_BYTES)
        (void)*(const volatile char *)(uintptr_t)page;
  }
  if (maps)
    fclose(maps);
}

#endif
