/* A wait with a limit in simulated time. Units: nanoseconds. Threads: any. Private to the library of clocks. */
#ifndef TRACEGEN_PROGRAM_BOUNDED_WAIT_H
#define TRACEGEN_PROGRAM_BOUNDED_WAIT_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#define BOUNDED_SECOND INT64_C(1000000000)

static inline struct timespec bounded_timespec(int64_t ns) {
  return (struct timespec){.tv_sec = ns / BOUNDED_SECOND, .tv_nsec = ns % BOUNDED_SECOND};
}

/* Waits for `ns` of real time at most. Returns whether the wait is over: what it waits for came, or it failed. */
typedef bool bounded_try(void *user, int64_t ns);

/* Calls `attempt` until it succeeds or `limit_ns` of simulated time have passed, and at least once. `may_come`: an
 * event may end the wait before its limit. errno is that of the last attempt. */
void bounded_wait(int64_t limit_ns, bool may_come, bounded_try *attempt, void *user);

#endif
