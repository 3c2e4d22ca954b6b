/* The library of a program's clocks (tracegen/program/clock), in this program under names of its own, so that
 * sanitizers can watch it: before all other libraries, where it belongs, theirs have to be. CMakeLists.txt gives the
 * names. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/time.h>

#include "tracegen/program/clock/counter_probe.h"
#include "tracegen/program/clock/simulated_clock.h"

#define SECOND  INT64_C(1000000000)
#define THREADS 4
#define SLEEPS  200

int program_clock_gettime(clockid_t clock, struct timespec *out);
int program_gettimeofday(struct timeval *out, void *zone);
time_t program_time(time_t *out);
int program_timespec_get(struct timespec *out, int base);
clock_t program_clock(void);
int program_clock_nanosleep(clockid_t clock, int flags, const struct timespec *wanted, struct timespec *left);
int program_nanosleep(const struct timespec *wanted, struct timespec *left);
int program_usleep(useconds_t microseconds);
unsigned program_sleep(unsigned seconds);
int program_pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*function)(void *),
                           void *argument);
simulated_clock_attach reassemble_clock_attach;

static int64_t monotonic(void) {
  struct timespec t;
  assert_int_equal(program_clock_gettime(CLOCK_MONOTONIC, &t), 0);
  return t.tv_sec * SECOND + t.tv_nsec;
}

/* $REASSEMBLE_HOST_SCALE is 0: no time passes but what is slept. */
static void time_that_is_slept_passes_at_once(void **state) {
  const struct timespec wanted = {1, 500000000};
  struct timespec left = {7, 7};
  const int64_t before = monotonic(), real = real_clock(CLOCK_MONOTONIC);
  assert_int_equal(program_nanosleep(&wanted, &left), 0);
  assert_int_equal(left.tv_sec, 0);
  assert_int_equal(program_usleep(250000), 0);
  assert_int_equal(program_sleep(3), 0);
  assert_int_equal(monotonic() - before, 4 * SECOND + 750000000);
  assert_true(real_clock(CLOCK_MONOTONIC) - real < 4 * SECOND);
  (void)state;
}

static void all_clocks_agree(void **state) {
  struct timespec t, u;
  struct timeval v;
  time_t seconds;
  program_clock_gettime(CLOCK_REALTIME, &t);
  assert_int_equal(program_timespec_get(&u, TIME_UTC), TIME_UTC);
  assert_memory_equal(&t, &u, sizeof t);
  assert_int_equal(program_gettimeofday(&v, NULL), 0);
  assert_int_equal(v.tv_sec, t.tv_sec);
  assert_int_equal(program_time(&seconds), t.tv_sec);
  assert_int_equal(seconds, t.tv_sec);
  assert_true(program_clock() >= 4 * CLOCKS_PER_SEC); /* what was slept before */
  assert_int_equal(program_timespec_get(&u, -1), 0);
  (void)state;
}

static void absolute_sleeps_end_at_their_time(void **state) {
  const int64_t end = monotonic() + 2 * SECOND;
  const struct timespec until = {end / SECOND, end % SECOND};
  assert_int_equal(program_clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL), 0);
  assert_int_equal(monotonic(), end);
  assert_int_equal(program_clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL), 0); /* in the past */
  assert_int_equal(monotonic(), end);
  (void)state;
}

static void what_linux_refuses_is_refused(void **state) {
  const struct timespec bad = {0, SECOND}, negative = {-1, 0};
  struct timespec t;
  errno = 0;
  assert_int_equal(program_nanosleep(&bad, NULL), -1);
  assert_int_equal(errno, EINVAL);
  assert_int_equal(program_clock_nanosleep(CLOCK_MONOTONIC, 0, &negative, NULL), EINVAL);
  assert_int_equal(program_clock_gettime(1000, &t), -1);
  (void)state;
}

/* The layer, which keeps the time from here on. */

static _Atomic int64_t now_ns;
static atomic_int counter_reads;
static _Thread_local bool inside;

static int64_t now(void) {
  return atomic_load(&now_ns);
}

static void sleep_on(int64_t ns) {
  atomic_fetch_add(&now_ns, ns);
}

static bool is_inside(void) {
  return inside;
}

static void counter_is_read(void) {
  atomic_fetch_add(&counter_reads, 1);
}

static void nothing(void) {
}

static void is_uncovered(enum uncovered_call call) {
  (void)call; /* clock() is one */
}

static const struct clock_library *attach(void) {
  static const struct clock_source source = {.now = now,
                                             .sleep = sleep_on,
                                             .is_inside = is_inside,
                                             .counter_is_read = counter_is_read,
                                             .time_is_read = nothing,
                                             .is_uncovered = is_uncovered};
  return reassemble_clock_attach(&source);
}

static void *sleep_often(void *unused) {
  for (int i = 0; i < SLEEPS; i++)
    program_usleep(1000);
  return unused;
}

static void threads_share_the_layers_time(void **state) {
  pthread_t threads[THREADS];
  const struct clock_library *library = attach();
  assert_true(library->slept_ns >= 6 * SECOND);
  assert_true(library->ran_ns == 0);
  for (int i = 0; i < THREADS; i++)
    assert_int_equal(pthread_create(&threads[i], NULL, sleep_often, NULL), 0);
  for (int i = 0; i < THREADS; i++)
    pthread_join(threads[i], NULL);
  assert_int_equal(now(), THREADS * SLEEPS * INT64_C(1000000));
  (void)state;
}

static void opencl_gets_real_time(void **state) {
  const int64_t simulated = monotonic();
  inside = true;
  const int64_t real = monotonic();
  inside = false;
  assert_true(real - real_clock(CLOCK_MONOTONIC) <= 0);
  assert_int_equal(monotonic(), simulated);
  (void)state;
}

#ifdef WITH_THREAD_SANITIZER
#define FINDS_THE_NEXT false /* the sanitizer's pthread_create is in this program, behind which nobody looks */
#else
#define FINDS_THE_NEXT true
#endif

static void *read_once(void *out) {
  *(int64_t *)out = monotonic();
  return NULL;
}

static void threads_of_opencl_get_real_time(void **state) {
  pthread_t thread;
  int64_t own = 0, opencls = 0;
  if (!FINDS_THE_NEXT)
    skip();
  assert_int_equal(program_pthread_create(&thread, NULL, read_once, &own), 0);
  pthread_join(thread, NULL);
  inside = true;
  assert_int_equal(program_pthread_create(&thread, NULL, read_once, &opencls), 0);
  inside = false;
  pthread_join(thread, NULL);
  assert_int_equal(own, monotonic());
  assert_true(opencls != own);
  (void)state;
}

#if defined(__x86_64__)
static void read_counter(void) {
  unsigned low, high;
  __asm__ volatile("rdtsc" : "=a"(low), "=d"(high));
}

static void the_first_read_of_the_counter_is_reported(void **state) {
  if (!FINDS_THE_NEXT || !counter_can_be_caught())
    skip();
  signal(SIGSEGV, SIG_DFL); /* in place of this framework's handler: a program that has one is not watched */
  const struct clock_library *library = attach();
  library->watch(true);
  read_counter();
  read_counter();
  library->watch(false);
  assert_int_equal(counter_reads, 1);
  (void)state;
}
#endif

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(time_that_is_slept_passes_at_once),
    cmocka_unit_test(all_clocks_agree),
    cmocka_unit_test(absolute_sleeps_end_at_their_time),
    cmocka_unit_test(what_linux_refuses_is_refused),
    cmocka_unit_test(threads_share_the_layers_time),
    cmocka_unit_test(opencl_gets_real_time),
    cmocka_unit_test(threads_of_opencl_get_real_time),
#if defined(__x86_64__)
    cmocka_unit_test(the_first_read_of_the_counter_is_reported),
#endif
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
