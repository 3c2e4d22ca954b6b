/* Reads a trace as a stream: header and code first, then one work-group at a time, from a file or a pipe, without
 * seeking.
 *
 * Everything is checked as it is read, because input is untrusted: indices, nesting, products that overflow, sizes
 * against limits, checksums. Memory is bounded by the tables and one work-group. The trace that trace_reader_trace
 * returns grows its paths and shapes as groups are read; its array of groups stays empty.
 * Threads: a reader belongs to one thread. */
#ifndef TRACE_READER_H
#define TRACE_READER_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "trace/trace.h"

struct trace_reader;

int trace_reader_open(const char *path, struct trace_reader **out, struct error *error);
const struct trace *trace_reader_trace(const struct trace_reader *reader);
/* Returns 1 when *group is the next group, valid until the next call; 0 at the end, when all checks have passed; -1
 * on an error. */
int trace_reader_next(struct trace_reader *reader, struct trace_group *group, struct error *error);
/* For a caller that keeps all groups, so that the reader needs no copies: trace_reader_keeps before the first group,
 * and trace_reader_kept after each group, with the place where its base and values are kept. */
void trace_reader_keeps(struct trace_reader *reader);
void trace_reader_kept(struct trace_reader *reader, const struct trace_group *group);
/* Makes the trace's tables of paths and streams lie in files where they take more than `memory_bytes`; before the first
 * group. */
void trace_reader_spills(struct trace_reader *reader, size_t memory_bytes);
bool trace_reader_is_in_files(const struct trace_reader *reader);
/* Takes what lies in files out of the process; it comes back where it is read. Threads: any may read it. */
void trace_reader_let_go(const struct trace_reader *reader);
/* Frees, after the last group, what only reading needs, and closes the file, of which a program may load thousands. The
 * trace stays. */
void trace_reader_release(struct trace_reader *reader);
void trace_reader_close(struct trace_reader *reader);

#endif
