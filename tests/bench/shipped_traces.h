/* For benchmarks: a shipped workload emulated, all its launches' traces loaded; the processor time of this process. */
#ifndef BENCH_SHIPPED_TRACES_H
#define BENCH_SHIPPED_TRACES_H

#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "shipped_workload.h"
#include "trace/trace.h"
#include "tracegen/emulate.h"

enum { MOST_LAUNCHES = 64 };

/* Those of the sweep g72-search: regular and irregular kernels, milliseconds of replay each. */
static const char *const small_workloads[] = {"gemm-64",
                                              "gemm-tiled-64",
                                              "2mm-64-kernel1",
                                              "atax-256-kernel1",
                                              "atax-256-kernel2",
                                              "backprop-4096",
                                              "blackscholes-64",
                                              "convolution-64-mask3",
                                              "saxpy",
                                              "reduction",
                                              "spmv-ell",
                                              "copy2d-float-128"};
enum { SMALL_WORKLOADS = sizeof small_workloads / sizeof small_workloads[0] };

struct shipped_traces {
  const char *name;
  struct trace *traces[MOST_LAUNCHES];
  size_t count;
};

static inline void shipped_traces_load(struct shipped_traces *out, const char *name) {
  char folder[] = "/tmp/reassemble-bench-XXXXXX";
  struct error error = ERROR_INIT;
  struct emulate_result result;
  struct workload *workload = shipped_workload(name);
  if (!mkdtemp(folder))
    exit(1);
  const struct emulate_options options = {.trace_directory = folder, .quiet = true};
  must(emulate_workload(workload, &options, false, &result, &error), &error);
  *out = (struct shipped_traces){.name = name};
  for (size_t i = 0; i < result.launch_count; i++) {
    if (out->count < MOST_LAUNCHES)
      must(trace_load(result.launches[i].trace_path, &out->traces[out->count++], &error), &error);
    unlink(result.launches[i].trace_path);
  }
  rmdir(folder);
  emulate_result_clear(&result);
  workload_destroy(workload);
}

static inline void shipped_traces_clear(struct shipped_traces *traces) {
  for (size_t i = 0; i < traces->count; i++)
    trace_destroy(traces->traces[i]);
}

static inline double processor_seconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

#endif
