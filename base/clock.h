/* Clocks for everything that measures or limits time. The difference of two readings is meaningful, a single reading is
 * not. The system's monotonic clock is the same for all processes of the machine. Processor time is that of the calling
 * thread or of all threads of the process; it does not grow while other programs have the processor. */
#ifndef BASE_CLOCK_H
#define BASE_CLOCK_H

#include <stdint.h>
#include <time.h>

/* Returns the nanoseconds of the monotonic clock. */
static inline int64_t clock_nanoseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * INT64_C(1000000000) + now.tv_nsec;
}

/* Returns the seconds of the monotonic clock. */
static inline double clock_seconds(void) {
  return 1e-9 * (double)clock_nanoseconds();
}

static inline double clock_processor_seconds(clockid_t clock) {
  struct timespec now;
  clock_gettime(clock, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Returns the seconds of processor time that the calling thread has used. */
static inline double clock_thread_seconds(void) {
  return clock_processor_seconds(CLOCK_THREAD_CPUTIME_ID);
}

/* Returns the seconds of processor time that all threads of the process have used. */
static inline double clock_process_seconds(void) {
  return clock_processor_seconds(CLOCK_PROCESS_CPUTIME_ID);
}

#endif
