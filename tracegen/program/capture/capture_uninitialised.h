/* Knows which bytes of a captured program's buffers are not initialised: what the layer knows from the program's own
 * writes (launch/initialised_bytes.h), less what the emulated launches wrote. Private to program/capture.
 *
 * Ownership: starts from zero; uninitialised_clear frees. In doubt, bytes count as initialised. */
#ifndef TRACEGEN_PROGRAM_CAPTURE_UNINITIALISED_H
#define TRACEGEN_PROGRAM_CAPTURE_UNINITIALISED_H

#include <stddef.h>
#include <stdint.h>

#include <jansson.h>

#include "base/error.h"

struct uninitialised_buffer {
  uint64_t id;
  char *bytes; /* 1: no launch has written it so far; NULL: all are initialised */
};

struct uninitialised {
  struct uninitialised_buffer *list; /* buffers that had uninitialised bytes in some launch */
  size_t count, capacity;
};

/* *out becomes a byte for each of the buffer's, 1 where it is uninitialised, or NULL when none is; the caller frees it.
 * `gaps`: the layer's [[offset, bytes], ...], or NULL. */
int uninitialised_find(const struct uninitialised *uninitialised, uint64_t id, const json_t *gaps, size_t bytes,
                       const char *place, char **out, struct error *error);
/* No more than these bytes of the buffer are uninitialised from now on; NULL: none. */
int uninitialised_keep(struct uninitialised *uninitialised, uint64_t id, const char *bytes, size_t count,
                       struct error *error);
void uninitialised_clear(struct uninitialised *uninitialised);

#endif
