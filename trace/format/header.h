/* Converts a trace header to JSON text and back, and checks it. Internal to trace/. Source: docs/trace-format.md,
 * payload "header". */
#ifndef TRACE_HEADER_H
#define TRACE_HEADER_H

#include <stddef.h>

#include "base/error.h"
#include "trace/trace.h"

/* Checks dimensions and limits, and that the local size divides the global size. */
int header_check(const struct trace_header *header, struct error *error);
/* Returns the number of work-groups that the trace holds; the header has been checked. */
uint32_t header_groups(const struct trace_header *header);
/* Writes the header as JSON; the caller frees *text. */
int header_to_json(const struct trace_header *header, char **text, struct error *error);
/* Reads a header from JSON and checks it. On failure *header is clear. */
int header_from_json(const char *text, size_t length, struct trace_header *header, struct error *error);
/* Makes *to a deep copy of `from`. Missing texts become "". */
int header_copy(struct trace_header *to, const struct trace_header *from, struct error *error);

#endif
