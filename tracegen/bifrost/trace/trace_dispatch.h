/* Runs a compute job work-group by work-group and writes its trace.
 *
 * Ownership: all is borrowed for the call. Errors: code that is none, an access outside of the GPU's memory, a trace
 * that cannot be written. Cost: that of running the job (docs/bifrost.md). Threads: the caller's, and `jobs` of its
 * own. */
#ifndef TRACEGEN_BIFROST_TRACE_TRACE_DISPATCH_H
#define TRACEGEN_BIFROST_TRACE_TRACE_DISPATCH_H

#include <stdint.h>

#include "base/error.h"
#include "base/index_ranges.h"
#include "tracegen/bifrost/bifrost_dispatch.h"

/* The compiler of the driver that tools/bifrost-setup unpacks, for headers of traces. */
#define BIFROST_COMPILER "Mesa 25.0.7"

/* The facts about a launch that its job does not state. No text is NULL. */
struct bifrost_launch {
  const char *kernel, *workload, *source_file, *source_digest, *options;
  uint32_t index, dimensions;
  uint64_t offset[3], seed;
  double timeout_s;           /* the job is stopped then; 0: never */
  struct index_ranges sample; /* the work-groups that run; empty: all */
  unsigned jobs; /* threads, which the trace does not depend on; 0: one. Jobs with atomic operations take one */
  uint64_t max_instructions; /* of all work-items of a traced job, for which it fails; 0: no limit */
};

struct bifrost_outcome {
  uint64_t groups, launch_groups; /* that ran, and that the job has */
  uint64_t work_item_instructions, trace_bytes;
  double run_s, cpu_s; /* by the clock, and processor time of the process */
  double around_cpu_s; /* of cpu_s: before the first work-group (decoding, the code table) and after the last */
};

/* Writes the trace to `path`; NULL: the job runs without one. */
int bifrost_trace_dispatch(const struct bifrost_dispatch *dispatch, const struct bifrost_launch *launch,
                           const char *path, struct bifrost_outcome *out, struct error *error);

#endif
