/* Streaming reader: header and code first, then one work-group at a time, from a file or a pipe, without seeking.
 *
 * Everything is checked as it comes (untrusted input): indices, nesting, products that overflow, sizes against limits,
 * checksums. Memory is bounded by the tables and one work-group.
 * The trace that `trace_reader_trace` gives grows its paths and shapes as groups arrive; its groups array stays empty.
 */
#ifndef TRACE_READER_H
#define TRACE_READER_H

#include "base/error.h"
#include "trace/trace.h"

struct trace_reader;

int trace_reader_open(const char *path, struct trace_reader **out, struct error *error);
const struct trace *trace_reader_trace(const struct trace_reader *reader);
/* 1: *group is the next group, valid until the next call; 0: the end, all checks passed; -1: error. */
int trace_reader_next(struct trace_reader *reader, struct trace_group *group, struct error *error);
/* For whoever keeps all groups (trace_load), so that the reader needs no copy of any: before the first group; then
 * after each, where its base and values are from now on. */
void trace_reader_keeps(struct trace_reader *reader);
void trace_reader_kept(struct trace_reader *reader, const struct trace_group *group);
/* After the last group: frees what only reading needs. The trace stays. */
void trace_reader_release(struct trace_reader *reader);
void trace_reader_close(struct trace_reader *reader);

#endif
