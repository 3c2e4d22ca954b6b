/* The output of the layer: the folder $REASSEMBLE_CAPTURE with the file `log`, which has a JSON object per line, and
 * the files that its lines name. A line is appended with one write, after the files that it names are complete, so that
 * complete lines describe complete launches even of a program that crashes. docs/capture.md lists the lines.
 *
 * Threads: several may call log_line and log_file. */
#ifndef TRACEGEN_PROGRAM_LAUNCH_LOG_H
#define TRACEGEN_PROGRAM_LAUNCH_LOG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <jansson.h>

#include "tracegen/program/control.h"

/* Returns false when no capture is wanted or its folder cannot be written; the layer then only forwards calls. */
bool log_open(void);
/* Appends the line, whose reference it takes over. Returns false when it was not written. */
bool log_line(json_t *line);
struct log_piece {
  const void *bytes;
  size_t length;
};

/* Makes a file in the folder. Returns false, and leaves none, when it cannot be written. */
bool log_file(const char *name, const void *bytes, size_t length);
/* Writes pieces one after the other to a store (content_file.h), from `offset` on. Returns false when they cannot be
 * written. */
bool log_store(enum content_store store, uint64_t offset, const struct log_piece *pieces, size_t count);
/* Returns the seconds since the capture began. */
double log_clock(void);
/* Returns what is shared with the program's other processes and with the reader; valid after log_open was true. */
struct capture_control *log_control(void);

#endif
