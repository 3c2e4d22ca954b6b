/* For benchmarks: a shipped workload by its name; what goes wrong ends the program with its message. */
#ifndef BENCH_SHIPPED_WORKLOAD_H
#define BENCH_SHIPPED_WORKLOAD_H

#include <stdio.h>
#include <stdlib.h>

#include "base/file.h"
#include "workload/workload.h"

static inline void must(int status, const struct error *error) {
  if (status == 0)
    return;
  error_print(error, stderr);
  exit(1);
}

static inline struct workload *shipped_workload(const char *name) {
  struct error error = ERROR_INIT;
  char *path;
  struct workload *workload;
  must(data_find(DATA_WORKLOAD, name, &path, &error), &error);
  must(workload_load(path, &workload, &error), &error);
  free(path);
  return workload;
}

#endif
