/* What the OpenCL layer captures of a program (docs/capture.md), read while it is written, and each of its launches
 * emulated and compared with what OpenCL computed.
 *
 * Ownership: capture_open allocates, capture_close frees; JSON values are borrowed from the capture.
 * Errors: a log that ends in the middle of a line is that of a program that was stopped: the rest counts. Anything else
 * that the layer would not write is ERROR_WORK with the line.
 * Threads: one at a time. */
#ifndef TRACEGEN_CAPTURE_H
#define TRACEGEN_CAPTURE_H

#include <stdbool.h>
#include <stddef.h>

#include <jansson.h>

#include "base/error.h"
#include "tracegen/program/capture/capture_contents.h"
#include "tracegen/program/capture/capture_unwritten.h"
#include "tracegen/process/emulation.h"

struct capture {
  char *folder;
  json_t *launches; /* in the order of the log; of a captured one that came to its end, "status" is set */
  json_t *memories; /* buffers and images; "released_at_s" where the program released them */
  json_t *refused;  /* calls that were answered with an error */
  json_t *held;     /* launches whose turn has not come, by index: their kernels */
  struct contents contents;
  struct unwritten unwritten; /* after the launches that were emulated */
  struct capture_control *control;
  char *text; /* what was read of the log and is not yet a line */
  size_t text_bytes;
  long log_at;              /* where to go on reading */
  unsigned line;            /* the last one that was taken */
  struct worker_pool *pool; /* NULL: none */
  size_t done;              /* launches that capture_done was called for */
};

/* Makes the folder ready for the layer, with this process as the reader. */
int capture_open(const char *folder, struct capture *out, struct error *error);
void capture_close(struct capture *capture);
/* Takes the lines that were written since. *any: whether the layer has written a log at all. */
int capture_advance(struct capture *capture, bool *any, struct error *error);
/* The program has ended: launches whose turn never came are skipped. */
int capture_end(struct capture *capture, struct error *error);
/* Whether a launch waits until capture_done has made room. */
bool capture_is_waiting(const struct capture *capture);
/* Lines that the layer could not write to the log; it said why on the program's stderr. */
unsigned capture_lost(const struct capture *capture);
/* Whether all there will be of a launch is in the log. */
bool capture_is_complete(const json_t *launch);
/* The launch is done with: what only it needed is removed, and what only the emulation needed to know. */
void capture_done(struct capture *capture, json_t *launch);

enum capture_agreement {
  CAPTURE_NOT_COMPARED, /* not wanted, or the program ended before the launch did */
  CAPTURE_EQUAL,        /* every byte of every buffer */
  CAPTURE_CLOSE,        /* floats within the bound, the rest equal */
  CAPTURE_DIFFERS,
};

struct capture_outcome {
  struct emulate_result emulated;
  enum capture_agreement agreement;
  char difference[512]; /* CAPTURE_DIFFERS: the first one, in words */
};

/* Emulates launch `index` of the capture on the buffers that it found; `name` names the trace. Floats may be `ulps`
 * apart from OpenCL's. capture_outcome_clear frees what is in *out. */
int capture_emulate(struct capture *capture, size_t index, const char *name, const struct emulate_options *options,
                    double ulps, struct capture_outcome *out, struct error *error);
void capture_outcome_clear(struct capture_outcome *outcome);

#endif
