/* simulate --timeline: what every execution engine, warp and work-group did when, in Chrome's trace format, which
 * Perfetto and chrome://tracing open.
 *
 * A core of a kernel is a process; its threads are the execution engines (runs, accesses, barriers), the places of
 * resident work-groups, and the places of resident warps (what they wait between two events). One microsecond shown is
 * a cycle. At most TIMELINE_SPANS spans are written, the same number for each core of each kernel, the first ones; what
 * is left out is said in the file ("otherData") and to the user.
 * Errors: of the file. */
#ifndef CLI_TIMELINE_H
#define CLI_TIMELINE_H

#include "cli/replay/replay.h"

#define TIMELINE_SPANS 200000 /* in all: about 30 MB */

/* *left_out: spans that are not in the file. */
int timeline_write(const struct replay *replay, const char *path, uint64_t *left_out, struct error *error);

#endif
