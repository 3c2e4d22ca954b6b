/* The clocks of everything that measures or limits time. Differences of two readings are meaningful, a single reading
 * is not. The system's monotonic clock goes alike in all processes of the machine; processor time is that of the
 * calling thread, or of all threads of the process, and does not grow while other programs have the processor. */
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

static inline double clock_processor_seconds(clockid_t clock) {
  struct timespec now;
  clock_gettime(clock, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Returns seconds of the calling thread's processor time. */
static inline double clock_thread_seconds(void) {
  return clock_processor_seconds(CLOCK_THREAD_CPUTIME_ID);
}

/* Returns seconds of the processor time of all threads of the process. */
static inline double clock_process_seconds(void) {
  return clock_processor_seconds(CLOCK_PROCESS_CPUTIME_ID);
}

#endif
