/* Reads what the OpenCL layer captures of a program (docs/capture.md), while the program runs, emulates each of its
 * launches, and compares the results with OpenCL's.
 *
 * Ownership: capture_open allocates, capture_close frees; JSON values are borrowed from the capture.
 * Errors: a log may end in the middle of a line, where the program was stopped; the lines before count. Anything else
 * that the layer would not write is ERROR_WORK with the line.
 * Threads: one at a time. */
#ifndef TRACEGEN_PROGRAM_CAPTURE_H
#define TRACEGEN_PROGRAM_CAPTURE_H

#include <stdbool.h>
#include <stddef.h>

#include <jansson.h>

#include "base/error.h"
#include "tracegen/program/capture/capture_contents.h"
#include "tracegen/program/capture/capture_repeats.h"
#include "tracegen/program/capture/capture_uninitialised.h"
#include "tracegen/process/emulation.h"

struct capture {
  char *folder;
  json_t *launches; /* in the order of the log; a captured one that has ended has "status" */
  json_t *memories; /* buffers and images; "released_at_s" where the program has released them */
  json_t *refused;  /* calls that the layer answered with an error */
  json_t *deferred; /* launches whose turn has not come, by index */
  struct contents contents;
  struct uninitialised uninitialised; /* after the launches that were emulated */
  struct capture_control *control;
  char *text; /* read from the log, and not a whole line yet */
  size_t text_bytes;
  long log_at;                 /* where reading goes on */
  unsigned line;               /* the number of the last line that was taken */
  struct worker_pool *pool;    /* NULL: none */
  const char *groups;          /* work-groups that are emulated, as `trace --groups` takes them; NULL: all */
  bool repeats_copied;         /* capture_share_traces was called */
  struct repeats repeats;      /* the launches that were emulated */
  bool keeps_results;          /* what launches leave in their memory goes to files for the layer (launch_result.h) */
  struct launch_finding found; /* about the launch that was emulated last, for the layer */
  size_t done;                 /* launches for which capture_done was called */
};

/* Makes the folder ready for the layer, with this process as the reader. */
int capture_open(const char *folder, struct capture *out, struct error *error);
/* A launch that repeats an earlier one gets a copy of its trace, and is not emulated. The layer waits until the launch
 * that may be repeated is emulated, and does not capture what repeats it (control.h). */
void capture_share_traces(struct capture *capture);
void capture_close(struct capture *capture);
/* Takes the lines that were written since the last call. *any: whether there is a log at all. */
int capture_advance(struct capture *capture, bool *any, struct error *error);
/* The program has ended: launches whose turn never came are skipped. */
int capture_end(struct capture *capture, struct error *error);
/* Returns whether a launch waits until capture_done has made room, or has been called for an earlier launch. */
bool capture_is_waiting(const struct capture *capture);
/* Returns how many lines the layer could not write to the log; it has printed the reason to the program's stderr. */
unsigned capture_lost(const struct capture *capture);
/* Returns whether the log has everything about the launch. */
bool capture_is_complete(const json_t *launch);
/* Removes the files that only this launch needed, and what only its emulation needed to know. */
void capture_done(struct capture *capture, json_t *launch);

enum capture_agreement {
  CAPTURE_NOT_COMPARED, /* not wanted, or the program ended before the launch did */
  CAPTURE_EQUAL,        /* every byte of every buffer is */
  CAPTURE_CLOSE,        /* floats within the bound, the rest equal */
  CAPTURE_DIFFERS,
  CAPTURE_REPEATED, /* not emulated: the trace is that of an earlier launch */
};

struct capture_outcome {
  struct emulate_result emulated;
  enum capture_agreement agreement;
  size_t repeats;       /* CAPTURE_REPEATED: the earlier launch, by its place in the capture */
  char difference[512]; /* CAPTURE_DIFFERS: the first one, in words */
};

/* Emulates launch `index` of the capture on the buffers that it found; `name` names the trace. Floats may be `ulps`
 * apart from OpenCL's. capture_outcome_clear frees what is in *out. */
int capture_emulate(struct capture *capture, size_t index, const char *name, const struct emulate_options *options,
                    double ulps, struct capture_outcome *out, struct error *error);
void capture_outcome_clear(struct capture_outcome *outcome);

#endif
