/* Paths: folded block sequences. Building one from steps checks it completely; internal to trace/. */
#ifndef TRACE_PATH_H
#define TRACE_PATH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "trace/trace.h"

/* Takes ownership of `steps` (malloc) in any case. Checks nesting, the walk through the code and every product; takes
 * at most `memory_limit` bytes. */
int path_build(const struct trace_code *code, struct trace_step *steps, uint32_t step_count, size_t memory_limit,
               struct trace_path **out, struct error *error);
void path_destroy(struct trace_path *path);
size_t path_memory(const struct trace_path *path);

/* Whether the path's expansion is exactly this sequence. Linear, at the speed of memcmp inside loops. */
bool path_matches(const struct trace_path *path, const uint16_t *blocks, size_t count);

#endif
