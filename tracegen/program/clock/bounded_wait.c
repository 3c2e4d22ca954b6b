#include "tracegen/program/clock/bounded_wait.h"

#include <errno.h>

#include "tracegen/program/clock/simulated_clock.h"

#define LONGEST_TRY_NS INT64_C(2000000) /* of real time, until simulated time is looked at again */

static int64_t least(int64_t a, int64_t b) {
  return a < b ? a : b;
}

/* Passes what is left of the limit. */
static void reach(int64_t end) {
  const int kept = errno;
  simulated_clock_pass(end - simulated_clock_shows(CLOCK_MONOTONIC));
  errno = kept;
}

/* In real time: what is waited for may need it to come. */
static void wait_for_event(int64_t end, int64_t limit_ns, bounded_try *attempt, void *user) {
  const int64_t start = real_clock(CLOCK_MONOTONIC);
  for (;;) {
    const int64_t left =
        least(end - simulated_clock_shows(CLOCK_MONOTONIC), limit_ns - (real_clock(CLOCK_MONOTONIC) - start));
    if (attempt(user, left > 0 ? least(left, LONGEST_TRY_NS) : 0))
      return;
    if (left <= 0)
      break;
  }
  reach(end);
}

void bounded_wait(int64_t limit_ns, bool may_come, bounded_try *attempt, void *user) {
  const int64_t limit = limit_ns > 0 ? limit_ns : 0, end = simulated_clock_shows(CLOCK_MONOTONIC) + limit;
  if (may_come) {
    wait_for_event(end, limit, attempt, user);
    return;
  }
  simulated_clock_sleep(limit);
  attempt(user, 0);
}
