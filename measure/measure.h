/* Measures workloads on an OpenCL device, launch by launch, and keeps what came out for a board file.
 *
 * A repetition refills every buffer and runs all launches of the workload in order, so that each does the same work
 * every time. After the last one the workload's checks run on the device as well; a workload whose results differ is
 * not measured but refused. Times are the device's own (profiling events), without transfers. Ownership: struct
 * measurements owns its texts; measurements_clear frees. Threads: one at a time per device. */
#ifndef MEASURE_MEASURE_H
#define MEASURE_MEASURE_H

#include <stdbool.h>

#include "measure/device.h"
#include "measure/repetitions.h"
#include "workload/workload.h"

struct measure_options {
  unsigned warm_up, runs; /* repetitions that do not count, and that do (at least 1) */
  bool check;
};

struct measured_launch {
  char *workload; /* its name as `reassemble list workloads` has it, else the file */
  char *kernel;
  char *group;               /* the kernel file's name without ending: variants and launches of one program */
  unsigned launch, launches; /* of how many in the workload */
  struct repetitions ns;
};

struct skipped_workload {
  char *workload, *reason;
};

struct measurements {
  struct measured_launch *launches;
  size_t count, capacity;
  struct skipped_workload *skipped;
  size_t skipped_count;
};

/* Appends the launches of one workload; `name` is what the board file calls it. What the device cannot do, or gets
 * wrong, is appended to `skipped` with the reason and is no error. */
int measure_workload(const struct opencl_api *api, const struct device *device, const char *name,
                     const struct workload *workload, const struct measure_options *options,
                     struct measurements *measurements, struct error *error);
void measurements_clear(struct measurements *measurements);

#endif
