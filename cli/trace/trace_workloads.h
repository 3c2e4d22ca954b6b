/* reassemble trace WORKLOAD... and KERNEL.cl: emulates workloads, each launch into a trace, and prints a row a launch.
 *
 * Errors: 0 or -1; the traces of launches that were complete before the error stay. */
#ifndef CLI_TRACE_TRACE_WORKLOADS_H
#define CLI_TRACE_TRACE_WORKLOADS_H

#include "base/error.h"
#include "cli/core/options.h"
#include "cli/trace/trace_arguments.h"

/* Writes into `arguments->kernel` where the kernel files and the seed come from. */
int trace_workloads_run(struct trace_arguments *arguments, const struct options *options, struct error *error);

#endif
