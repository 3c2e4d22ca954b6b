/* The provenance of a document's numbers: the object "provenance" of JSON, which `reassemble report` shows. Text has
 * nothing of it.
 *
 *   provenance_begin(&view, gpu);
 *   provenance_trace(&view, trace);            // any number
 *   provenance_end(&view); */
#ifndef CLI_PROVENANCE_H
#define CLI_PROVENANCE_H

#include "cli/core/view.h"
#include "model/params/gpu.h"
#include "trace/trace.h"

/* The command as the system keeps it (null without /proc), without --jobs and --quiet; the version, and the GPU with a
 * digest of all its parameters. */
void provenance_begin(struct view *view, const struct gpu *gpu);
/* A kernel, the digest of its source, the options and the front end that it was built with; how many of its loads gave
 * zeros where it was traced so. */
void provenance_trace(struct view *view, const struct trace *trace);
void provenance_end(struct view *view);

#endif
