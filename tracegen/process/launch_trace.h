/* The header of a launch's trace, in front of its work-groups (docs/trace-format.md). Private to tracegen.
 *
 * Ownership: launch_trace keeps pointers to what it is given, and allocates nothing. */
#ifndef TRACEGEN_PROCESS_LAUNCH_TRACE_H
#define TRACEGEN_PROCESS_LAUNCH_TRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "trace/write/writer.h"
#include "tracegen/abi/arena.h"
#include "tracegen/abi/kernel_abi.h"
#include "workload/workload.h"

/* The parts that the headers of a workload's launches have in common. */
struct launch_trace {
  const struct workload *workload;
  const struct index_ranges *samples; /* by launch: the work-groups that run; an empty set: all */
  const struct arena *arena;
  const char *front_end; /* its version */
  char digest[32];       /* of the workload's source */
  bool small;            /* trace_writer_open_packed */
};

int launch_trace_prepare(struct launch_trace *t, const struct workload *workload, const struct index_ranges *samples,
                         const struct arena *arena, const char *front_end, struct error *error);
/* Begins the trace of launch number `index`; the caller closes or aborts *writer. `local_bytes`: of a work-group. */
int launch_trace_open(const struct launch_trace *t, size_t index, const struct kernel_program *program,
                      uint32_t local_bytes, uint32_t sub_group, const char *path, struct trace_writer **writer,
                      struct error *error);

#endif
