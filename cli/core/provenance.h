/* The provenance of a document's numbers: the object "provenance" of JSON, which `reassemble report` shows. Text has
 * nothing of it.
 *
 *   provenance_begin(&view, gpu);
 *   provenance_trace(&view, trace);            // any number; provenance_origin where the trace is not kept
 *   provenance_end(&view);
 *
 * Ownership: trace_origin_make copies, trace_origin_destroy frees; NULL is none. */
#ifndef CLI_PROVENANCE_H
#define CLI_PROVENANCE_H

#include <stdbool.h>
#include <stdint.h>

#include "cli/core/view.h"
#include "model/params/gpu.h"
#include "trace/trace.h"

/* The command as the system keeps it (null without /proc), without --jobs and --quiet; the version, and the GPU with a
 * digest of all its parameters. */
void provenance_begin(struct view *view, const struct gpu *gpu);
/* A kernel, the digest of its source, the options and the front end that it was built with; how many of its loads gave
 * zeros where it was traced so. */
void provenance_trace(struct view *view, const struct trace *trace);

/* A copy of what provenance_trace says of a trace. */
struct trace_origin {
  char *kernel, *source_file, *source_digest, *options, *front_end;
  bool reads_zero;
  uint64_t outside_loads;
};

/* Returns NULL when memory ran out. */
struct trace_origin *trace_origin_make(const struct trace *trace);
void trace_origin_destroy(struct trace_origin *origin);
void provenance_origin(struct view *view, const struct trace_origin *origin);
/* Returns the digest of all parameters of the GPU that provenance_begin shows. */
uint64_t provenance_gpu_digest(const struct gpu *gpu);
void provenance_end(struct view *view);

#endif
