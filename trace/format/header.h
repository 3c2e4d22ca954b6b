/* A trace header as JSON text, and its check. Internal to trace/. Source: docs/trace-format.md. */
#ifndef TRACE_HEADER_H
#define TRACE_HEADER_H

#include <stddef.h>

#include "base/error.h"
#include "trace/trace.h"

/* Rules on numbers: dimensions, local divides global, limits. */
int header_check(const struct trace_header *header, struct error *error);
/* Work-groups of the launch; the header has been checked. */
uint32_t header_groups(const struct trace_header *header);
/* The caller frees *text. */
int header_to_json(const struct trace_header *header, char **text, struct error *error);
/* On failure *header is clear. The result has been checked. */
int header_from_json(const char *text, size_t length, struct trace_header *header, struct error *error);
/* Deep copy; missing texts become "". */
int header_copy(struct trace_header *to, const struct trace_header *from, struct error *error);

#endif
