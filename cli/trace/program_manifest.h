/* The manifest of a traced program (docs/capture.md). */
#ifndef CLI_PROGRAM_MANIFEST_H
#define CLI_PROGRAM_MANIFEST_H

#include <stdbool.h>

#include <jansson.h>

#include "base/error.h"
#include "cli/trace/program_start.h"
#include "tracegen/program/capture/capture.h"

/* A new reference; NULL when out of memory. */
json_t *manifest_describe(const struct program *program, const struct capture *capture);
/* Writes <folder>/<name>.manifest.json, which appears whole. One that is not complete, because launches are still to be
 * emulated, says so: "complete" is false. */
int manifest_write(const struct program *program, const struct capture *capture, bool is_complete, const char *folder,
                   const char *name, struct error *error);

#endif
