/* Sources that clang can read from a pipe as well as from their file. Private to this front end. */
#ifndef TRACEGEN_FRONT_CLANG_LONE_SOURCE_H
#define TRACEGEN_FRONT_CLANG_LONE_SOURCE_H

#include <stdbool.h>
#include <stddef.h>

#include "trace/format/bytes.h"

/* Returns whether the source means the same in a pipe: it includes no other file, and asks for nothing about its own
 * file but the name. May return false for a source that does. */
bool lone_source_is(const char *text, size_t length);
/* Appends what to send: the text, with a line that gives it the name `path`. A failure to allocate stays in `out`. */
void lone_source_stream(const char *path, const char *text, size_t length, struct bytes *out);

#endif
