/* Traces of equal kernels in one folder keep one code table and listing: a trace becomes one that names another trace,
 * which has both.
 *
 * Errors: a trace that cannot be read or written; it then stays as it was. What is no regular file stays, too.
 * Cost: reading both traces' heads and copying the rest of one. Threads: any. */
#ifndef TRACE_SHARE_CODE_H
#define TRACE_SHARE_CODE_H

#include <stdint.h>

#include "base/error.h"

/* Writes the trace `path` again without its code table and listing where the trace `owner`, in the same folder, has the
 * same; otherwise it stays as it is. Sets *bytes to its length, where it was written again. */
int trace_share_code(const char *path, const char *owner, uint64_t *bytes, struct error *error);

#endif
