/* The timeline of a whole program in Chrome's trace format, which Perfetto and chrome://tracing open: the host's time
 * as one track, and the commands of each queue as another. */
#ifndef CLI_RUN_TIMELINE_H
#define CLI_RUN_TIMELINE_H

#include "cli/run/timed_program.h"

int run_timeline_write(const struct timed_program *program, const char *gpu, const char *path, struct error *error);

#endif
