/* Copies a trace under other names: of the workload, and of the buffers that the launch was given. Everything else
 * stays the same, to the byte.
 *
 * Errors: a trace that cannot be read or written; `to` then does not exist. Cost: that of copying the file. The copy is
 * not brought to the disk. Threads: any. */
#ifndef TRACE_RENAMED_TRACE_H
#define TRACE_RENAMED_TRACE_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

struct trace_names {
  const char *workload;
  const char *const *buffers; /* [buffer_count]: names of the trace's first buffers */
  size_t buffer_count;
};

/* Copies the trace `from` to `to` and sets *bytes to the length of the copy. */
int trace_copy_renamed(const char *from, const char *to, const struct trace_names *names, uint64_t *bytes,
                       struct error *error);

#endif
