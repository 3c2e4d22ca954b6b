/* Sources of a traced program's kernels, kept beside the traces as <name>.program-<id>.cl. */
#ifndef CLI_TRACE_PROGRAM_SOURCE_H
#define CLI_TRACE_PROGRAM_SOURCE_H

#include <jansson.h>

#include "base/error.h"

/* Copies the source of OpenCL program `id` from the capture's folder, unless `saved`, an object by id, says that it was
 * copied before. */
int program_source_save(json_t *saved, const char *capture, const char *folder, const char *name, json_int_t id,
                        struct error *error);
/* Names sources in a message, a text in memory of `size` bytes, by their copies: the capture goes away. */
void program_source_rename(const char *capture, const char *name, char *text, size_t size);

#endif
