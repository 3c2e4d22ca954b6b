/* The C library's calls that go on in real time on a virtual board. They do what they always do, and the command says
 * behind the run that the program made them: a timer's signal comes when this machine's time says so, and what Linux
 * itself counts is this machine's. */
#include "tracegen/program/clock/simulated_clock.h"

#include <linux/futex.h>
#include <signal.h>
#include <stdarg.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <sys/times.h>

#define EXPORT __attribute__((visibility("default")))

/* Calls the C library's function of this name. */
#define FORWARD(name, ...)                                                                                             \
  static __typeof__(&name) next;                                                                                       \
  if (!next) {                                                                                                         \
    void *at = simulated_clock_next(#name);                                                                            \
    __builtin_memcpy(&next, &at, sizeof next);                                                                         \
  }                                                                                                                    \
  return next(__VA_ARGS__)

EXPORT int setitimer(__itimer_which_t which, const struct itimerval *restrict wanted, struct itimerval *restrict old) {
  simulated_clock_is_uncovered(UNCOVERED_TIMER);
  FORWARD(setitimer, which, wanted, old);
}

EXPORT unsigned alarm(unsigned seconds) {
  if (seconds > 0)
    simulated_clock_is_uncovered(UNCOVERED_TIMER);
  FORWARD(alarm, seconds);
}

EXPORT int timer_settime(timer_t timer, int flags, const struct itimerspec *restrict wanted,
                         struct itimerspec *restrict old) {
  simulated_clock_is_uncovered(UNCOVERED_TIMER);
  FORWARD(timer_settime, timer, flags, wanted, old);
}

EXPORT int timerfd_settime(int file, int flags, const struct itimerspec *wanted, struct itimerspec *old) {
  simulated_clock_is_uncovered(UNCOVERED_TIMER);
  FORWARD(timerfd_settime, file, flags, wanted, old);
}

EXPORT int getrusage(__rusage_who_t who, struct rusage *usage) {
  simulated_clock_is_uncovered(UNCOVERED_PROCESSOR_TIME);
  FORWARD(getrusage, who, usage);
}

EXPORT clock_t times(struct tms *out) {
  simulated_clock_is_uncovered(UNCOVERED_PROCESSOR_TIME);
  FORWARD(times, out);
}

static int is_futex_limit(long number, const long *a) {
  const long command = a[1] & FUTEX_CMD_MASK;
  return number == SYS_futex && a[3] != 0 &&
         (command == FUTEX_WAIT || command == FUTEX_WAIT_BITSET || command == FUTEX_LOCK_PI);
}

static int is_of_time(long number, const long *a) {
  switch (number) {
  case SYS_clock_gettime:
  case SYS_clock_nanosleep:
  case SYS_timerfd_settime:
  case SYS_timer_settime:
  case SYS_getrusage:
#ifdef SYS_gettimeofday
  case SYS_gettimeofday:
#endif
#ifdef SYS_time
  case SYS_time:
#endif
#ifdef SYS_nanosleep
  case SYS_nanosleep:
#endif
    return 1;
  default:
    return is_futex_limit(number, a);
  }
}

/* Takes the six arguments that a system call may have, as the C library does. */
EXPORT long syscall(long number, ...) {
  long a[6];
  va_list list;
  va_start(list, number);
  for (int i = 0; i < 6; i++)
    a[i] = va_arg(list, long);
  va_end(list);
  if (is_of_time(number, a))
    simulated_clock_is_uncovered(UNCOVERED_SYSCALL);
  FORWARD(syscall, number, a[0], a[1], a[2], a[3], a[4], a[5]);
}
