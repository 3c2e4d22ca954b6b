/* The clocks of everything that measures or limits time. Differences of two readings are meaningful, a single reading is
 * not. The system's monotonic clock goes alike in all processes of the machine; processor time is the calling thread's
 * own, which does not grow while other programs have the processor. */
#ifndef BASE_CLOCK_H
#define BASE_CLOCK_H

#include <stdint.h>
#include <time.h>

/* Returns nanoseconds. */
static inline int64_t clock_nanoseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * INT64_C(1000000000) + now.tv_nsec;
}

/* Returns seconds. */
static inline double clock_seconds(void) {
  return 1e-9 * (double)clock_nanoseconds();
}

/* Returns seconds of the calling thread's processor time. */
static inline double clock_thread_seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

#endif
