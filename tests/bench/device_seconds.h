/* The time that OpenCL implementations take for a workload's launches. Private to benchmarks. */
#ifndef BENCH_DEVICE_SECONDS_H
#define BENCH_DEVICE_SECONDS_H

#include <stdio.h>
#include <string.h>

struct device_times {
  double cpu, clock; /* seconds; 0: it failed */
};

/* Returns what bench_opencl_launches, which lies beside `program`, prints of the workload `name`; `before`: words
 * before its name in the command. */
static inline struct device_times device_seconds(const char *before, const char *program, const char *name,
                                                 int rounds) {
  char command[8192];
  struct device_times times = {0};
  snprintf(command, sizeof command, "%s '%.*s/bench_opencl_launches' '%s' %d", before,
           (int)(strrchr(program, '/') - program), program, name, rounds);
  FILE *from = popen(command, "r");
  const int found = from ? fscanf(from, "%lf %lf", &times.cpu, &times.clock) : 0;
  return from && pclose(from) == 0 && found == 2 ? times : (struct device_times){0};
}

#endif
