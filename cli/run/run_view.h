/* Shows the time of a program on a GPU by its parts, as text and as JSON. */
#ifndef CLI_RUN_VIEW_H
#define CLI_RUN_VIEW_H

#include "cli/core/view.h"
#include "cli/run/timed_program.h"

/* The current object gets "gpu", "total_ns", "complete" (every launch has a time), "host" (parts that add up to the
 * total), "kernels", "without_time" (the launches that have none, and why) and "moves". `gpu`: the GPU's number among
 * those of the predictor. */
void run_view(struct view *view, const char *name, const struct predictor *predictor, size_t gpu,
              const struct timed_program *program);

#endif
