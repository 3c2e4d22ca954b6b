/* The values of the options of `reassemble trace`, for each kind of input. */
#ifndef CLI_TRACE_TRACE_ARGUMENTS_H
#define CLI_TRACE_TRACE_ARGUMENTS_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "cli/launch/kernel_file.h"
#include "cli/trace/trace_frames.h"
#include "tracegen/emulate.h"

struct trace_arguments {
  const char *folder, *save;
  const char *groups; /* NULL: what the workload says */
  bool no_check;
  bool every_launch;
  int undefined_reads; /* enum undefined_reads */
  int out_of_bounds;   /* enum out_of_bounds */
  int front_end;       /* index of front_ends */
  struct kernel_file kernel;
  const char *launches; /* the rest: of a program; NULL, 0 and -1: not given */
  int64_t most, space_bytes;
  double stop_after_s, ulps;
  const char *opencl_options, *gpu;
  const char *gpu_id; /* of a front end of machine code */
  bool records;
  struct trace_frames frames;
};

static inline bool trace_to_stdout(const struct trace_arguments *a) {
  return strcmp(a->folder, TRACE_TO_STDOUT) == 0;
}

#endif
