#include "tracegen/program/clock/simulated_clock.h"

#include <dlfcn.h>
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#define EXPORT      __attribute__((visibility("default")))
#define REAL_NAP_NS 50000 /* of a sleep: other threads get to run */

static struct clock_source source;
static atomic_bool attached;
static int64_t start_ns, realtime_base_ns, monotonic_base_ns;
static _Atomic int64_t slept_ns;   /* before the layer was attached */
static _Atomic unsigned uncovered; /* bits, before the layer was attached */
static double host_scale = 1;
static _Thread_local bool of_opencl; /* OpenCL made this thread, and it does not run the program's code */

__attribute__((constructor)) static void start(void) {
  const char *scale = getenv("REASSEMBLE_HOST_SCALE");
  host_scale = scale ? strtod(scale, NULL) : 1;
  realtime_base_ns = real_clock(CLOCK_REALTIME);
  start_ns = monotonic_base_ns = real_clock(CLOCK_MONOTONIC);
}

static int64_t ran_ns(void) {
  return llround(host_scale * (double)(real_clock(CLOCK_MONOTONIC) - start_ns));
}

static bool adopt(bool adopted) {
  const bool before = !of_opencl;
  of_opencl = !adopted;
  return before;
}

EXPORT const struct clock_library *reassemble_clock_attach(const struct clock_source *given);
EXPORT const struct clock_library *reassemble_clock_attach(const struct clock_source *given) {
  static struct clock_library library;
  library = (struct clock_library){ran_ns(), atomic_load(&slept_ns), adopt, counter_trap_watch};
  source = *given;
  atomic_store(&attached, true);
  for (unsigned call = 0; call < UNCOVERED_COUNT; call++)
    if (atomic_load(&uncovered) & 1u << call)
      source.is_uncovered((enum uncovered_call)call);
  counter_trap_set(source.counter_is_read);
  return &library;
}

bool simulated_clock_is_on(void) {
  return start_ns > 0 && !of_opencl && !(atomic_load(&attached) && source.is_inside());
}

int64_t simulated_clock_now(void) {
  return atomic_load(&attached) ? source.now() : ran_ns() + atomic_load(&slept_ns);
}

int64_t simulated_clock_base(clockid_t clock) {
  switch (clock) {
  case CLOCK_REALTIME:
  case CLOCK_REALTIME_COARSE:
  case CLOCK_TAI:
    return realtime_base_ns;
  case CLOCK_PROCESS_CPUTIME_ID:
  case CLOCK_THREAD_CPUTIME_ID:
    return 0;
  default:
    return monotonic_base_ns;
  }
}

int64_t simulated_clock_shows(clockid_t clock) {
  return simulated_clock_is_on() ? simulated_clock_base(clock) + simulated_clock_now() : real_clock(clock);
}

void simulated_clock_is_read(void) {
  if (simulated_clock_is_on() && atomic_load(&attached))
    source.time_is_read();
}

/* Calls before the layer is attached are kept until it is. */
void simulated_clock_is_uncovered(enum uncovered_call call) {
  if (!simulated_clock_is_on())
    return;
  if (atomic_load(&attached))
    source.is_uncovered(call);
  else
    atomic_fetch_or(&uncovered, 1u << call);
}

void simulated_clock_pass(int64_t ns) {
  if (ns > 0 && atomic_load(&attached))
    source.sleep(ns);
  else if (ns > 0)
    atomic_fetch_add(&slept_ns, ns);
}

/* Lets other threads run, in real time. */
static void nap_for(int64_t ns) {
  static __typeof__(&nanosleep) next;
  const struct timespec nap = {.tv_nsec = ns};
  if (!next) {
    void *found = simulated_clock_next("nanosleep");
    __builtin_memcpy(&next, &found, sizeof next);
  }
  next(&nap, NULL);
}

void simulated_clock_sleep(int64_t ns) {
  if (ns <= 0)
    return;
  simulated_clock_pass(ns);
  nap_for(ns < REAL_NAP_NS ? ns : REAL_NAP_NS);
}

void *simulated_clock_next(const char *name) {
  return dlsym(RTLD_NEXT, name);
}

/* Threads. Those that are made inside of an OpenCL call are OpenCL's. */

struct thread_start {
  void *(*function)(void *);
  void *argument;
  bool of_opencl;
};

static void *run_thread(void *user) {
  const struct thread_start t = *(struct thread_start *)user;
  free(user);
  of_opencl = t.of_opencl;
  return t.function(t.argument);
}

typedef int create_thread(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);

EXPORT int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*function)(void *),
                          void *argument) {
  static create_thread *next;
  struct thread_start *t = malloc(sizeof *t);
  if (!next) {
    void *found = simulated_clock_next("pthread_create");
    __builtin_memcpy(&next, &found, sizeof next);
  }
  if (!t)
    return next(thread, attributes, function, argument);
  *t = (struct thread_start){function, argument, of_opencl || (atomic_load(&attached) && source.is_inside())};
  const int status = next(thread, attributes, run_thread, t);
  if (status)
    free(t);
  return status;
}
