/* The lines of the source file that a trace was made of, for people who read results.
 *
 * The text is there if the file still has the contents that the trace's header names by their digest. Ownership:
 * source_text_load fills, source_text_clear frees. Errors: none but memory; without the file there are no lines. */
#ifndef CLI_SOURCE_TEXT_H
#define CLI_SOURCE_TEXT_H

#include <stdint.h>

#include "trace/trace.h"

struct source_text {
  char *bytes, **lines; /* [count], without the spaces around them */
  uint32_t count;
};

/* `path` NULL: the file of the header's name in the current folder. Returns false when memory has run out. */
bool source_text_load(const char *path, const struct trace_header *header, struct source_text *out);
/* Returns line `number`, counted from 1; "" where it is not known. */
const char *source_text_line(const struct source_text *text, uint32_t number);
void source_text_clear(struct source_text *text);

#endif
