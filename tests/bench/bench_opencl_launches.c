/* Seconds of a workload's launches on the first OpenCL device, built before; bench_against_oclgrind starts this, with
 * and without oclgrind. A program of its own, without LLVM: oclgrind brings another version into the process. Usage:
 * bench_opencl_launches WORKLOAD */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "opencl_run.h"
#include "shipped_workload.h"

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double device_seconds(const char *name) {
  struct error error = ERROR_INIT;
  struct workload *w = shipped_workload(name);
  struct opencl_session *session;
  double seconds = 0;
  must(opencl_session_open(w, &session, &error), &error);
  for (int round = 0; round < 2; round++) {
    seconds = 0;
    for (size_t i = 0; i < w->launch_count; i++) {
      must(opencl_session_run(session, w->source, &w->launches[i], &error), &error); /* builds */
      const double start = now();
      must(opencl_session_run(session, w->source, &w->launches[i], &error), &error);
      seconds += now() - start;
    }
  }
  opencl_session_close(session);
  workload_destroy(w);
  return seconds;
}

int main(int argc, char **argv) {
  if (argc != 2)
    return 2;
  printf("%.9f\n", device_seconds(argv[1]));
  return 0;
}
