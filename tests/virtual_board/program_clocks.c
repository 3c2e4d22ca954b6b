/* Looks at the time and sleeps, before and behind its first OpenCL call, with a kernel between. On a virtual board
 * whose host costs nothing, clocks show what was slept and what the GPU took, and sleeping takes no time here. */
#include "program.h"

#include <stdio.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#if defined(__x86_64__)
#include <x86intrin.h>
#endif

enum { COUNT = 4096 };

static const char source[] = "kernel void add(global int *a) {\n"
                             "  a[get_global_id(0)] += 1;\n"
                             "}\n";

static double seconds(clockid_t clock) {
  struct timespec now;
  clock_gettime(clock, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static double seconds_of_day(void) {
  struct timeval now;
  gettimeofday(&now, NULL);
  return (double)now.tv_sec + 1e-6 * (double)now.tv_usec;
}

static void expect(const char *what, double found, double wanted, double tolerance) {
  if (found < wanted - tolerance || found > wanted + tolerance) {
    fprintf(stderr, "%s: found %.9f s, expected %.9f s\n", what, found, wanted);
    exit(1);
  }
}

static void sleep_and_look(double wanted) {
  const double monotonic = seconds(CLOCK_MONOTONIC), day = seconds_of_day();
  const time_t whole = time(NULL);
  sleep((unsigned)wanted);
  expect("monotonic clock", seconds(CLOCK_MONOTONIC) - monotonic, wanted, 1e-5);
  expect("time of day", seconds_of_day() - day, wanted, 1e-5);
  expect("whole seconds", (double)(time(NULL) - whole), wanted, 1);
}

int main(int count, char **words) {
  static int values[COUNT];
  struct program p;
  sleep_and_look(1000);
  program_open(&p, CL_DEVICE_TYPE_ALL, 0, source, NULL);
  cl_mem buffer = program_buffer(&p, CL_MEM_COPY_HOST_PTR, sizeof values, values);
  cl_kernel kernel = program_kernel(&p, "add");
  program_set(kernel, 0, sizeof buffer, &buffer);
  const double start = seconds(CLOCK_MONOTONIC);
  program_launch(&p, kernel, COUNT, 64);
  program_read(&p, buffer, sizeof values, values);
  expect("a launch and a read", seconds(CLOCK_MONOTONIC) - start, 5e-4, 4.99e-4);
  sleep_and_look(2000);
#if defined(__x86_64__)
  if (count > 1 && strcmp(words[1], "counter") == 0)
    printf("%d\n", __rdtsc() > 0);
#endif
  return values[COUNT - 1] == 1 && count > 0 && words ? 0 : 1;
}
