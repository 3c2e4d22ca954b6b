/* Shows the time of a program on a GPU by its parts, as text and as JSON. */
#ifndef CLI_RUN_VIEW_H
#define CLI_RUN_VIEW_H

#include "cli/core/view.h"
#include "cli/run/timed_program.h"

/* The current object gets "gpu", "total_ns", "host" (parts that add up to the total), "kernels" and "moves". */
void run_view(struct view *view, const char *gpu, const struct timed_program *program);

#endif
