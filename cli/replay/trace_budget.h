/* Loads traces of as much work as --max-instructions allows.
 *
 * A trace of a few bytes can hold loops that run for years. What a launch executes is known when its trace has been
 * read, before anything walks through it; a launch of more than 1e12 work-item instructions, or what the option says,
 * is refused, and the message says how long a replay would take. */
#ifndef CLI_TRACE_BUDGET_H
#define CLI_TRACE_BUDGET_H

#include "base/error.h"
#include "cli/core/options.h"
#include "trace/trace.h"

/* Like trace_load; of the options --max-instructions counts. */
int trace_load_within(const char *path, const struct options *options, struct trace **out, struct error *error);

#endif
