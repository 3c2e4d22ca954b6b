/* Paths are folded sequences of blocks. Building a path from steps checks it completely. Internal to trace/. */
#ifndef TRACE_PATH_H
#define TRACE_PATH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "trace/format/bytes.h"
#include "trace/path/pool.h"
#include "trace/trace.h"

/* Builds a path from a copy of the steps. Checks the nesting, that the path is a walk through the code, and that no
 * product overflows. Takes at most `memory_limit` bytes from the pool, also on failure. */
int path_build(const struct trace_code *code, const struct trace_step *steps, uint32_t step_count, size_t memory_limit,
               struct pool *pool, struct trace_path **out, struct error *error);
/* Returns the number of bytes that the path takes. */
size_t path_memory(const struct trace_path *path);

/* Appends the path's record, in the form of the file format. */
void path_encode(const struct trace_path *path, struct bytes *out);

/* Returns whether the path's expansion is exactly this sequence. Cost: linear, at the speed of memcmp inside loops. */
bool path_matches(const struct trace_path *path, const uint16_t *blocks, size_t count);

#endif
