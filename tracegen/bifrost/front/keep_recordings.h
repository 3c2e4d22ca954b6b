/* Keeps the submissions of a program as recordings, which are written when the program has ended: the driver's listing
 * of its shaders is whole then.
 *
 * Order of calls: open; for every submission begin before it runs and end after it; write; close.
 * Ownership: recordings_close frees. Threads: none is shared. */
#ifndef TRACEGEN_BIFROST_FRONT_KEEP_RECORDINGS_H
#define TRACEGEN_BIFROST_FRONT_KEEP_RECORDINGS_H

#include "tracegen/bifrost/live/serve.h"
#include "tracegen/bifrost/record/job_recording.h"

struct recordings {
  const char *folder, *name; /* borrowed */
  char *listing;             /* a temporary file for what the driver prints */
  struct bifrost_recording *list;
  size_t count;
};

int recordings_open(struct recordings *r, const char *folder, const char *name, struct error *error);
int recordings_begin(struct recordings *r, uint32_t product, const struct bifrost_submission *submission,
                     struct error *error);
int recordings_end(struct recordings *r, const struct bifrost_submission *submission, struct error *error);
/* Writes FOLDER/NAME.NUMBER.rbifrost. */
int recordings_write(struct recordings *r, struct error *error);
void recordings_close(struct recordings *r);

#endif
