/* What a trace says of its launch, in front of its groups (docs/trace-format.md). Private to tracegen. */
#ifndef TRACEGEN_LAUNCH_TRACE_H
#define TRACEGEN_LAUNCH_TRACE_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "trace/write/writer.h"
#include "tracegen/abi/arena.h"
#include "tracegen/abi/kernel_abi.h"
#include "workload/workload.h"

/* Of all launches of a workload. */
struct launch_trace {
  const struct workload *workload;
  const struct arena *arena;
  char digest[32]; /* of its source */
};

int launch_trace_prepare(struct launch_trace *t, const struct workload *workload, const struct arena *arena,
                         struct error *error);
/* Begins the trace of launch number `index`; the caller closes or aborts *writer. */
int launch_trace_open(struct launch_trace *t, size_t index, const struct kernel_program *program, uint32_t local_bytes,
                      const char *path, struct trace_writer **writer, struct error *error);

#endif
