/* Reads a trace as a stream, from a file or a pipe without seeking: header and code first, then one work-group at a
 * time.
 *
 * Input is untrusted, so that everything is checked as it is read: indices, nesting, products that overflow, sizes
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
/* Let a caller that keeps all groups save the reader's copies. The caller calls trace_reader_keeps before the first
 * group, and trace_reader_kept after each group, with the place where its base and values are kept. */
void trace_reader_keeps(struct trace_reader *reader);
void trace_reader_kept(struct trace_reader *reader, const struct trace_group *group);
/* Makes the trace's tables of paths and streams lie in files where they take more than `memory_bytes`. It is called
 * before the first group. */
void trace_reader_spills(struct trace_reader *reader, size_t memory_bytes);
bool trace_reader_is_in_files(const struct trace_reader *reader);
/* Releases the pages of these files from the process's memory; they are read again when they are needed. Other threads
 * may read them meanwhile. */
void trace_reader_let_go(const struct trace_reader *reader);
/* Frees, after the last group, the memory that only reading needs, and closes the file: a program may load thousands of
 * traces. The trace stays valid. */
void trace_reader_release(struct trace_reader *reader);
void trace_reader_close(struct trace_reader *reader);

#endif
