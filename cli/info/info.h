/* Parts of `reassemble info`: each shows one view of a trace, as a table for people and as JSON. */
#ifndef CLI_INFO_H
#define CLI_INFO_H

#include <stdio.h>

#include <jansson.h>

#include "base/error.h"
#include "cli/core/command.h"
#include "model/isa/isa.h"
#include "trace/statistics/statistics.h"
#include "trace/statistics/summary.h"
#include "trace/trace.h"

/* Functional statistics. A new reference, NULL when out of memory. */
json_t *info_statistics_json(const struct statistics *statistics);
int info_statistics_print(const struct statistics *statistics, struct error *error);

/* The control-flow graph in Graphviz' language: blocks with their executions, ways with how often they were taken. */
void info_dot_print(const struct trace *trace, const struct trace_summary *summary, FILE *out);

/* The code table, block by block, priced by a profile. An operation without a rule is an error. json: a new reference
 * in *out. `summary`: NULL for code that did not run; then only its code and the header's IR are looked at. */
int info_blocks_json(const struct trace *trace, const struct trace_summary *summary, const struct isa_profile *isa,
                     json_t **out, struct error *error);
/* Whether the profile has a rule for every operation: before anything is printed. */
int info_blocks_check(const struct trace *trace, const struct isa_profile *isa, struct error *error);
int info_blocks_print(const struct trace *trace, const struct trace_summary *summary, const struct isa_profile *isa,
                      struct error *error);

/* Which kernels the source files among the arguments have, and which of them are refused; with a profile also their
 * code tables. */
int info_kernels_show(const struct options *options, const char *build_options, const struct isa_profile *isa,
                      struct error *error);

#endif
