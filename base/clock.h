/* The clock of everything that measures or limits time: seconds of the system's monotonic clock. Differences of two
 * readings are meaningful, in any process of the machine; a single reading is not. */
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

#endif
