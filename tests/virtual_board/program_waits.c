/* Waits with limits, on a virtual board whose host costs nothing: a wait that nothing ends takes its limit in simulated
 * time, to the nanosecond, and one that is ended before takes none. Waits for nothing take next to no real time.
 * Usage: program_waits [timer]; with it, also sets a timer, which is not simulated. */
#include "program.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

enum { READING_NS = 25 }; /* of a look at the clock (tracegen/program/board/virtual_time.c) */

#define SECOND   1000000000LL
#define LIMIT_NS 20000000LL

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static sem_t semaphore;
static int pipe_ends[2];

static long long now(clockid_t clock) {
  struct timespec t;
  clock_gettime(clock, &t);
  return t.tv_sec * SECOND + t.tv_nsec;
}

static struct timespec end_of(clockid_t clock, long long ns) {
  const long long end = now(clock) + ns;
  return (struct timespec){.tv_sec = end / SECOND, .tv_nsec = end % SECOND};
}

static int wait_poll(void) {
  struct pollfd file = {.fd = pipe_ends[0], .events = POLLIN};
  return poll(&file, 1, (int)(LIMIT_NS / 1000000)) == 0;
}

static int wait_select(void) {
  struct timeval limit = {.tv_usec = LIMIT_NS / 1000};
  fd_set files;
  FD_ZERO(&files);
  FD_SET(pipe_ends[0], &files);
  return select(pipe_ends[0] + 1, &files, NULL, NULL, &limit) == 0 && limit.tv_sec == 0 && limit.tv_usec == 0;
}

static int wait_epoll(void) {
  struct epoll_event event = {.events = EPOLLIN};
  const int file = epoll_create1(0);
  epoll_ctl(file, EPOLL_CTL_ADD, pipe_ends[0], &event);
  const int none = epoll_wait(file, &event, 1, (int)(LIMIT_NS / 1000000));
  close(file);
  return none == 0;
}

/* These three look at the clock once, for the end of the wait. */
static int wait_condition(void) {
  const struct timespec end = end_of(CLOCK_REALTIME, LIMIT_NS - READING_NS);
  pthread_mutex_lock(&mutex);
  const int status = pthread_cond_timedwait(&condition, &mutex, &end);
  pthread_mutex_unlock(&mutex);
  return status == ETIMEDOUT;
}

static int wait_condition_of_clock(void) {
  const struct timespec end = end_of(CLOCK_MONOTONIC, LIMIT_NS - READING_NS);
  pthread_mutex_lock(&mutex);
  const int status = pthread_cond_clockwait(&condition, &mutex, CLOCK_MONOTONIC, &end);
  pthread_mutex_unlock(&mutex);
  return status == ETIMEDOUT;
}

static int wait_semaphore(void) {
  const struct timespec end = end_of(CLOCK_REALTIME, LIMIT_NS - READING_NS);
  return sem_timedwait(&semaphore, &end) == -1 && errno == ETIMEDOUT;
}

static int sleep_by_poll(void) {
  return poll(NULL, 0, (int)(LIMIT_NS / 1000000)) == 0;
}

static int sleep_by_select(void) {
  struct timeval limit = {.tv_usec = LIMIT_NS / 1000};
  return select(0, NULL, NULL, NULL, &limit) == 0;
}

static const struct {
  const char *name;
  int (*wait)(void);
} waits[] = {{"poll", wait_poll},
             {"select", wait_select},
             {"epoll_wait", wait_epoll},
             {"pthread_cond_timedwait", wait_condition},
             {"pthread_cond_clockwait", wait_condition_of_clock},
             {"sem_timedwait", wait_semaphore},
             {"poll of nothing", sleep_by_poll},
             {"select of nothing", sleep_by_select}};

static void check_limits(void) {
  for (size_t i = 0; i < sizeof waits / sizeof *waits; i++) {
    const long long start = now(CLOCK_MONOTONIC);
    const int ended = waits[i].wait();
    const long long ns = now(CLOCK_MONOTONIC) - start;
    if (!ended || ns != LIMIT_NS + READING_NS) {
      fprintf(stderr, "%s: %s, took %lld ns, expected %lld\n", waits[i].name,
              ended ? "ended at its limit" : "wrong result", ns, LIMIT_NS + READING_NS);
      exit(1);
    }
  }
}

/* Data that are there already end a wait of an hour at once. */
static void check_events(void) {
  struct pollfd file = {.fd = pipe_ends[0], .events = POLLIN};
  const struct timespec end = end_of(CLOCK_REALTIME, 3600 * SECOND);
  const long long start = now(CLOCK_MONOTONIC);
  sem_post(&semaphore);
  if (write(pipe_ends[1], "x", 1) != 1 || poll(&file, 1, 3600000) != 1 || sem_timedwait(&semaphore, &end) != 0 ||
      now(CLOCK_MONOTONIC) - start != READING_NS) {
    fprintf(stderr, "waits for what is there took %lld ns\n", now(CLOCK_MONOTONIC) - start);
    exit(1);
  }
}

int main(int count, char **words) {
  struct program p;
  sem_init(&semaphore, 0, 0);
  if (pipe(pipe_ends))
    return 1;
  program_open(&p, CL_DEVICE_TYPE_ALL, 0, NULL, NULL);
  check_limits();
  if (count > 1 && strcmp(words[1], "timer") == 0) {
    const struct itimerval never = {.it_value = {.tv_sec = 3600}};
    setitimer(ITIMER_REAL, &never, NULL);
  }
  check_events();
  program_close(&p);
  return 0;
}
