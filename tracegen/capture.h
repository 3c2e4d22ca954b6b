/* What the OpenCL layer captured of a program (docs/capture.md), read back, and each of its launches emulated and
 * compared with what OpenCL computed.
 *
 * Ownership: capture_read allocates, capture_clear frees; JSON values are borrowed from the capture.
 * Errors: a log that ends in the middle of a line is that of a program that was stopped: the rest counts. Anything else
 * that the layer would not write is ERROR_WORK with the line.
 * Threads: one at a time. */
#ifndef TRACEGEN_CAPTURE_H
#define TRACEGEN_CAPTURE_H

#include <stdbool.h>
#include <stddef.h>

#include <jansson.h>

#include "base/error.h"
#include "tracegen/emulate.h"

struct capture {
  char *folder;
  json_t *launches; /* in order; of a captured one that came to its end, "status" and "after" are set */
  json_t *memories; /* buffers and images; "released_at_s" where the program released them */
  json_t *refused;  /* calls that were answered with an error */
};

int capture_read(const char *folder, struct capture *out, struct error *error);
void capture_clear(struct capture *capture);

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
int capture_emulate(const struct capture *capture, size_t index, const char *name,
                    const struct emulate_options *options, double ulps, struct capture_outcome *out,
                    struct error *error);
void capture_outcome_clear(struct capture_outcome *outcome);

#endif
