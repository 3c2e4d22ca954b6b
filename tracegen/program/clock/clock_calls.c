/* The C library's calls that tell the time or sleep, for the program alone. */
#include "tracegen/program/clock/simulated_clock.h"

#include <errno.h>
#include <stddef.h>
#include <sys/time.h>

#define EXPORT __attribute__((visibility("default")))
#define SECOND INT64_C(1000000000)

static struct timespec timespec_of(int64_t ns) {
  return (struct timespec){.tv_sec = ns / SECOND, .tv_nsec = ns % SECOND};
}

static int64_t read_clock(clockid_t clock) {
  simulated_clock_is_read();
  return simulated_clock_shows(clock);
}

static bool is_known(clockid_t clock) {
  return clock >= CLOCK_REALTIME && clock <= CLOCK_TAI;
}

EXPORT int clock_gettime(clockid_t clock, struct timespec *out) {
  if (!is_known(clock))
    return (int)syscall(SYS_clock_gettime, clock, out);
  *out = timespec_of(read_clock(clock));
  return 0;
}

EXPORT int gettimeofday(struct timeval *restrict out, void *restrict zone) {
  const struct timespec now = timespec_of(read_clock(CLOCK_REALTIME));
  (void)zone;
  *out = (struct timeval){.tv_sec = now.tv_sec, .tv_usec = now.tv_nsec / 1000};
  return 0;
}

EXPORT time_t time(time_t *out) {
  const time_t now = read_clock(CLOCK_REALTIME) / SECOND;
  if (out)
    *out = now;
  return now;
}

EXPORT int timespec_get(struct timespec *out, int base) {
  if (base != TIME_UTC)
    return 0;
  *out = timespec_of(read_clock(CLOCK_REALTIME));
  return base;
}

EXPORT clock_t clock(void) {
  return (clock_t)(read_clock(CLOCK_PROCESS_CPUTIME_ID) / (SECOND / CLOCKS_PER_SEC));
}

/* Sleeping. */

static bool is_valid(const struct timespec *t) {
  return t->tv_sec >= 0 && t->tv_nsec >= 0 && t->tv_nsec < SECOND;
}

EXPORT int clock_nanosleep(clockid_t clock, int flags, const struct timespec *wanted, struct timespec *left) {
  if (!simulated_clock_is_on() || !is_known(clock) || !is_valid(wanted))
    return syscall(SYS_clock_nanosleep, clock, flags, wanted, left) == 0 ? 0 : errno;
  const int64_t ns = wanted->tv_sec * SECOND + wanted->tv_nsec;
  simulated_clock_sleep(flags & TIMER_ABSTIME ? ns - simulated_clock_shows(clock) : ns);
  if (left && !(flags & TIMER_ABSTIME))
    *left = (struct timespec){0};
  return 0;
}

EXPORT int nanosleep(const struct timespec *wanted, struct timespec *left) {
  const int reason = clock_nanosleep(CLOCK_MONOTONIC, 0, wanted, left);
  if (reason)
    errno = reason;
  return reason ? -1 : 0;
}

EXPORT int usleep(useconds_t microseconds) {
  const struct timespec wanted = timespec_of((int64_t)microseconds * 1000);
  return nanosleep(&wanted, NULL);
}

EXPORT unsigned sleep(unsigned seconds) {
  const struct timespec wanted = {.tv_sec = seconds};
  struct timespec left = {0};
  return nanosleep(&wanted, &left) == 0 ? 0 : (unsigned)left.tv_sec;
}
