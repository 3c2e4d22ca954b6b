/* One workload through the emulator and through OpenCL.
 *
 * Threads: each side runs in a process of its own, so a crash or an endless loop of either is an outcome. */
#ifndef DIFFERENTIAL_COMPARE_H
#define DIFFERENTIAL_COMPARE_H

#include <stddef.h>

enum outcome_kind {
  OUTCOME_AGREE,
  OUTCOME_DIFFER,
  OUTCOME_EMULATOR_FAILS,
  OUTCOME_TRACE_FAILS,
  OUTCOME_OPENCL_FAILS,
  OUTCOME_OPENCL_ENDLESS
};

struct outcome {
  enum outcome_kind kind;
  size_t launch; /* of the first difference, where `launch_known` */
  int launch_known;
  char start[24]; /* of the error's text, without places: failures with the same start are alike */
  char text[4096];
};

/* Emulates with tracing into the folder `scratch`, in rows of work-items wherever a kernel fits and then without, which
 * has to give the same traces and buffers; reads every trace back, runs the launches on the first OpenCL
 * device, whose compiler gets `opencl_options` besides the workload's own, and compares all buffers to the bit (NaN
 * equals NaN, +0 equals -0). */
void compare_workload_file(const char *path, const char *scratch, const char *opencl_options, struct outcome *out);

#endif
