/* Measures workloads on an OpenCL device, launch by launch, for a board file.
 *
 * A repetition refills every buffer (but with CACHES_WARM) and runs all launches of the workload in order, so that each
 * does the same work every time. After the last one the workload's checks run on the device as well, and a workload
 * whose results differ is refused.
 * Units:     times are in ns, from the device's profiling events, without transfers.
 * Ownership: struct measurements owns its texts; measurements_clear frees. Threads: one at a time for a device. */
#ifndef MEASURE_MEASURE_H
#define MEASURE_MEASURE_H

#include <stdbool.h>

#include "measure/repetitions.h"
#include "measure/session.h"
#include "workload/workload.h"

/* The contents of the device's caches when the first launch of a repetition starts. */
enum measure_caches {
  CACHES_FILLED, /* whatever writing the buffers has left there */
  CACHES_COLD,   /* data that the workload does not use, none of it to be written back */
  CACHES_WARM,   /* what the repetition before has left there: the buffers are written once */
};

/* Returns "filled", "cold" or "warm". */
const char *measure_caches_name(enum measure_caches caches);

struct measure_options {
  unsigned warm_up, runs; /* repetitions that do not count, and that do (at least 1) */
  bool check;
  enum measure_caches caches;
};

struct measured_launch {
  char *workload; /* the name in `reassemble list workloads`, or else the file */
  char *kernel;
  char *group;               /* the kernel file's name without ending: variants and launches of one program */
  unsigned launch, launches; /* the launch, and the number of launches in the workload */
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

/* Appends the launches of one workload, which the board file calls `name`. A workload that the device cannot run or
 * computes wrongly is appended to `skipped` with the reason; that is not an error. */
int measure_workload(struct session *session, const char *name, const struct workload *workload,
                     const struct measure_options *options, struct measurements *measurements, struct error *error);
/* Appends a copy of the launch. */
int measurements_add(struct measurements *m, const struct measured_launch *launch, struct error *error);
void measurements_clear(struct measurements *measurements);

#endif
