/* The C library's calls that wait for something, but not longer than a limit: for files, for other threads. The limit
 * is simulated time. A wait that ends because what it waits for came takes what it took here, times the host's scale;
 * one that ends at its limit takes the limit. Real time is what the event gets to come in: a wait lasts as long here as
 * its limit says, unless simulated time, which other threads pass, reaches the limit before. A call that waits for no
 * file at all is a sleep, which takes next to no real time. */
#include "tracegen/program/clock/simulated_clock.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/epoll.h>
#include <sys/select.h>

#include "tracegen/program/clock/bounded_wait.h"

#define EXPORT __attribute__((visibility("default")))

/* Declares a function of the program's name and type, and `next_NAME`, which finds the C library's. */
#define NEXT(name)                                                                                                     \
  static __typeof__(&name) next_##name(void) {                                                                         \
    static __typeof__(&name) found;                                                                                    \
    void *at;                                                                                                          \
    if (!found) {                                                                                                      \
      at = simulated_clock_next(#name);                                                                                \
      __builtin_memcpy(&found, &at, sizeof found);                                                                     \
    }                                                                                                                  \
    return found;                                                                                                      \
  }

NEXT(ppoll)
NEXT(pselect)
NEXT(epoll_pwait)
NEXT(pthread_cond_clockwait)
NEXT(pthread_cond_timedwait)
NEXT(pthread_mutex_timedlock)
NEXT(sem_clockwait)

static int64_t ns_of(const struct timespec *t) {
  return t->tv_sec * BOUNDED_SECOND + t->tv_nsec;
}

static bool is_valid(const struct timespec *t) {
  return t->tv_sec >= 0 && t->tv_nsec >= 0 && t->tv_nsec < BOUNDED_SECOND;
}

/* Files. */

struct poll_wait {
  struct pollfd *files;
  nfds_t count;
  const sigset_t *mask;
  int result;
};

static bool try_poll(void *user, int64_t ns) {
  struct poll_wait *w = user;
  const struct timespec limit = bounded_timespec(ns);
  w->result = next_ppoll()(w->files, w->count, &limit, w->mask);
  return w->result != 0;
}

EXPORT int ppoll(struct pollfd *files, nfds_t count, const struct timespec *limit, const sigset_t *mask) {
  struct poll_wait w = {files, count, mask, 0};
  if (!limit || !is_valid(limit) || !simulated_clock_is_on())
    return next_ppoll()(files, count, limit, mask);
  bounded_wait(ns_of(limit), count > 0, try_poll, &w);
  return w.result;
}

EXPORT int poll(struct pollfd *files, nfds_t count, int limit_ms) {
  const struct timespec limit = bounded_timespec((int64_t)limit_ms * 1000000);
  return ppoll(files, count, limit_ms < 0 ? NULL : &limit, NULL);
}

struct select_wait {
  int count;
  fd_set *sets[3], wanted[3];
  const sigset_t *mask;
  int result;
};

static bool try_select(void *user, int64_t ns) {
  struct select_wait *w = user;
  const struct timespec limit = bounded_timespec(ns);
  for (size_t i = 0; i < 3; i++)
    if (w->sets[i])
      *w->sets[i] = w->wanted[i];
  w->result = next_pselect()(w->count, w->sets[0], w->sets[1], w->sets[2], &limit, w->mask);
  return w->result != 0;
}

EXPORT int pselect(int count, fd_set *restrict in, fd_set *restrict out, fd_set *restrict failed,
                   const struct timespec *restrict limit, const sigset_t *restrict mask) {
  struct select_wait w = {.count = count, .sets = {in, out, failed}, .mask = mask};
  if (!limit || !is_valid(limit) || !simulated_clock_is_on())
    return next_pselect()(count, in, out, failed, limit, mask);
  for (size_t i = 0; i < 3; i++)
    if (w.sets[i])
      w.wanted[i] = *w.sets[i];
  bounded_wait(ns_of(limit), in || out || failed, try_select, &w);
  return w.result;
}

/* Linux's select leaves the time that was left in *limit. */
EXPORT int select(int count, fd_set *restrict in, fd_set *restrict out, fd_set *restrict failed,
                  struct timeval *restrict limit) {
  if (!limit)
    return pselect(count, in, out, failed, NULL, NULL);
  const struct timespec wanted = {limit->tv_sec + limit->tv_usec / 1000000, limit->tv_usec % 1000000 * 1000};
  const int64_t start = simulated_clock_shows(CLOCK_MONOTONIC);
  const int result = pselect(count, in, out, failed, &wanted, NULL);
  const int64_t passed = simulated_clock_shows(CLOCK_MONOTONIC) - start;
  const int64_t left = passed < ns_of(&wanted) ? ns_of(&wanted) - passed : 0;
  if (result >= 0)
    *limit = (struct timeval){left / BOUNDED_SECOND, left % BOUNDED_SECOND / 1000};
  return result;
}

struct epoll_wait {
  int file, most;
  struct epoll_event *events;
  const sigset_t *mask;
  int result;
};

/* Linux's epoll counts milliseconds. */
static bool try_epoll(void *user, int64_t ns) {
  struct epoll_wait *w = user;
  w->result = next_epoll_pwait()(w->file, w->events, w->most, (int)((ns + 999999) / 1000000), w->mask);
  return w->result != 0;
}

EXPORT int epoll_pwait(int file, struct epoll_event *events, int most, int limit_ms, const sigset_t *mask) {
  struct epoll_wait w = {file, most, events, mask, 0};
  if (limit_ms < 0 || !simulated_clock_is_on())
    return next_epoll_pwait()(file, events, most, limit_ms, mask);
  bounded_wait((int64_t)limit_ms * 1000000, true, try_epoll, &w);
  return w.result;
}

EXPORT int epoll_wait(int file, struct epoll_event *events, int most, int limit_ms) {
  return epoll_pwait(file, events, most, limit_ms, NULL);
}

/* Threads. A limit is a time that the clock will show. */

static int64_t until(clockid_t clock, const struct timespec *end) {
  return ns_of(end) - simulated_clock_shows(clock);
}

static struct timespec real_end(clockid_t clock, int64_t ns) {
  return bounded_timespec(real_clock(clock) + ns);
}

struct thread_wait {
  pthread_cond_t *condition;
  pthread_mutex_t *mutex;
  sem_t *semaphore;
  int result;
};

static bool try_condition(void *user, int64_t ns) {
  struct thread_wait *w = user;
  const struct timespec end = real_end(CLOCK_MONOTONIC, ns);
  w->result = next_pthread_cond_clockwait()(w->condition, w->mutex, CLOCK_MONOTONIC, &end);
  return w->result != ETIMEDOUT;
}

EXPORT int pthread_cond_clockwait(pthread_cond_t *restrict condition, pthread_mutex_t *restrict mutex, clockid_t clock,
                                  const struct timespec *restrict end) {
  struct thread_wait w = {.condition = condition, .mutex = mutex, .result = ETIMEDOUT};
  if (!is_valid(end) || !simulated_clock_is_on())
    return next_pthread_cond_clockwait()(condition, mutex, clock, end);
  bounded_wait(until(clock, end), true, try_condition, &w);
  return w.result;
}

/* The clock of a condition lies in its attributes, which are not told; glibc keeps it in a bit of the condition. A
 * limit that is nearer to the monotonic clock than to the real one is of the monotonic one. */
static clockid_t clock_of(const struct timespec *end) {
  const int64_t ns = ns_of(end);
  const int64_t monotonic = simulated_clock_base(CLOCK_MONOTONIC), real = simulated_clock_base(CLOCK_REALTIME);
  return ns - monotonic < real - ns ? CLOCK_MONOTONIC : CLOCK_REALTIME;
}

EXPORT int pthread_cond_timedwait(pthread_cond_t *restrict condition, pthread_mutex_t *restrict mutex,
                                  const struct timespec *restrict end) {
  if (!is_valid(end) || !simulated_clock_is_on())
    return next_pthread_cond_timedwait()(condition, mutex, end);
  return pthread_cond_clockwait(condition, mutex, clock_of(end), end);
}

static bool try_lock(void *user, int64_t ns) {
  struct thread_wait *w = user;
  const struct timespec end = real_end(CLOCK_REALTIME, ns);
  w->result = next_pthread_mutex_timedlock()(w->mutex, &end);
  return w->result != ETIMEDOUT;
}

EXPORT int pthread_mutex_timedlock(pthread_mutex_t *restrict mutex, const struct timespec *restrict end) {
  struct thread_wait w = {.mutex = mutex, .result = ETIMEDOUT};
  if (!is_valid(end) || !simulated_clock_is_on())
    return next_pthread_mutex_timedlock()(mutex, end);
  bounded_wait(until(CLOCK_REALTIME, end), true, try_lock, &w);
  return w.result;
}

static bool try_semaphore(void *user, int64_t ns) {
  struct thread_wait *w = user;
  const struct timespec end = real_end(CLOCK_MONOTONIC, ns);
  w->result = next_sem_clockwait()(w->semaphore, CLOCK_MONOTONIC, &end);
  return w->result == 0 || errno != ETIMEDOUT;
}

EXPORT int sem_clockwait(sem_t *restrict semaphore, clockid_t clock, const struct timespec *restrict end) {
  struct thread_wait w = {.semaphore = semaphore};
  if (!is_valid(end) || !simulated_clock_is_on())
    return next_sem_clockwait()(semaphore, clock, end);
  bounded_wait(until(clock, end), true, try_semaphore, &w);
  return w.result;
}

EXPORT int sem_timedwait(sem_t *restrict semaphore, const struct timespec *restrict end) {
  return sem_clockwait(semaphore, CLOCK_REALTIME, end);
}
