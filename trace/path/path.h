/* Paths: folded block sequences. Building one from steps checks it completely; internal to trace/. */
#ifndef TRACE_PATH_H
#define TRACE_PATH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "trace/format/bytes.h"
#include "trace/path/pool.h"
#include "trace/trace.h"

/* Copies the steps. Checks nesting, the walk through the code and every product; takes at most `memory_limit` bytes,
 * from the pool, also for what turns out not to be a path. */
int path_build(const struct trace_code *code, const struct trace_step *steps, uint32_t step_count, size_t memory_limit,
               struct pool *pool, struct trace_path **out, struct error *error);
size_t path_memory(const struct trace_path *path);

/* Appends the path's record, as it stands in files. */
void path_encode(const struct trace_path *path, struct bytes *out);

/* Whether the path's expansion is exactly this sequence. Linear, at the speed of memcmp inside loops. */
bool path_matches(const struct trace_path *path, const uint16_t *blocks, size_t count);

#endif
