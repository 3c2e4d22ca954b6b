/* Processor seconds of a workload's launches on the first OpenCL device, built before, the best of some rounds;
 * bench_against_oclgrind starts this, with and without oclgrind. A program of its own, without LLVM: oclgrind brings
 * another version into the process. Usage: bench_opencl_launches WORKLOAD ROUNDS */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "opencl_run.h"
#include "shipped_workload.h"

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double run_launches(struct opencl_session *session, const struct workload *w) {
  struct error error = ERROR_INIT;
  double seconds = 0;
  for (size_t i = 0; i < w->launch_count; i++) {
    const double start = now();
    must(opencl_session_run(session, w->source, &w->launches[i], &error), &error);
    seconds += now() - start;
  }
  return seconds;
}

/* The first round builds; the others begin with the same buffers, for what a launch does may depend on the one before.
 */
static double device_seconds(const char *name, int rounds) {
  struct error error = ERROR_INIT;
  struct workload *w = shipped_workload(name);
  struct opencl_session *session;
  double best = 0;
  must(opencl_session_open(w, &session, &error), &error);
  run_launches(session, w);
  for (int round = 0; round < rounds; round++) {
    must(opencl_session_refill(session, &error), &error);
    const double seconds = run_launches(session, w);
    best = round == 0 || seconds < best ? seconds : best;
  }
  opencl_session_close(session);
  workload_destroy(w);
  return best;
}

int main(int argc, char **argv) {
  if (argc != 3)
    return 2;
  printf("%.9f\n", device_seconds(argv[1], atoi(argv[2])));
  return 0;
}
