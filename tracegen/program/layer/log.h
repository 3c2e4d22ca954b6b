/* What the layer leaves behind: the folder $REASSEMBLE_CAPTURE with `log`, one JSON object a line, and files that its
 * lines name. A line is appended with one write when everything that it names is there, so whatever happens to the
 * program, complete lines describe complete launches. docs/capture.md lists the lines.
 *
 * Threads: log_line and log_file may be called by several. */
#ifndef LAYER_LOG_H
#define LAYER_LOG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <jansson.h>

#include "tracegen/program/control.h"

/* False: no capture is wanted, or its folder cannot be written; the layer then only forwards. */
bool log_open(void);
/* Takes over the reference. False: nothing was written. */
bool log_line(json_t *line);
/* A new file in the folder. */
bool log_file(const char *name, const void *bytes, size_t length);
/* Whether a file of the folder holds exactly these bytes. */
bool log_file_is(const char *name, const void *bytes, size_t length);
/* Monotonic seconds since the capture began. */
double log_clock(void);
/* Shared with the other processes of the program and with the reader; valid once log_open was true. */
struct capture_control *log_control(void);

#endif
