/* Processor seconds and seconds by the clock of a workload's launches on the first OpenCL device, built before, each
 * the best of some rounds;
 * bench_against_oclgrind starts this, with and without oclgrind. A program of its own, without LLVM: oclgrind brings
 * another version into the process. Usage: bench_opencl_launches WORKLOAD ROUNDS */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "opencl_run.h"
#include "shipped_workload.h"

struct seconds {
  double processor, clock;
};

static double now(clockid_t clock) {
  struct timespec t;
  clock_gettime(clock, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double less(double a, double b) {
  return a < b ? a : b;
}

static struct seconds run_launches(struct opencl_session *session, const struct workload *w) {
  struct error error = ERROR_INIT;
  struct seconds sum = {0};
  for (size_t i = 0; i < w->launch_count; i++) {
    const struct seconds start = {now(CLOCK_PROCESS_CPUTIME_ID), now(CLOCK_MONOTONIC)};
    must(opencl_session_run(session, w->source, &w->launches[i], &error), &error);
    sum.processor += now(CLOCK_PROCESS_CPUTIME_ID) - start.processor;
    sum.clock += now(CLOCK_MONOTONIC) - start.clock;
  }
  return sum;
}

/* The first round builds; the others begin with the same buffers, for what a launch does may depend on the one before.
 */
static struct seconds device_seconds(const char *name, int rounds) {
  struct error error = ERROR_INIT;
  struct workload *w = shipped_workload(name);
  struct opencl_session *session;
  struct seconds best = {0};
  must(opencl_session_open(w, &session, &error), &error);
  run_launches(session, w);
  for (int round = 0; round < rounds; round++) {
    must(opencl_session_refill(session, &error), &error);
    const struct seconds s = run_launches(session, w);
    best = round == 0 ? s : (struct seconds){less(best.processor, s.processor), less(best.clock, s.clock)};
  }
  opencl_session_close(session);
  workload_destroy(w);
  return best;
}

int main(int argc, char **argv) {
  if (argc != 3)
    return 2;
  const struct seconds s = device_seconds(argv[1], atoi(argv[2]));
  printf("%.9f %.9f\n", s.processor, s.clock);
  return 0;
}
