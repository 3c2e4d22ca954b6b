/* Sources that clang can read from a pipe as well as from their file. Private to tracegen. */
#ifndef TRACEGEN_LONE_SOURCE_H
#define TRACEGEN_LONE_SOURCE_H

#include <stdbool.h>
#include <stddef.h>

#include "trace/format/bytes.h"

/* Whether it means the same wherever it is read from: it asks for no other file, nor for anything about its own but the
 * name. May say no where it is so. */
bool lone_source_is(const char *text, size_t length);
/* What to send: the text, in which `path` is its name. Failure stays in `out`. */
void lone_source_stream(const char *path, const char *text, size_t length, struct bytes *out);

#endif
