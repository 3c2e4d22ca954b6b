/* Which bytes of the buffers of a captured program nobody has written: what the layer knows of the program's own writes
 * (layer/initialised_bytes.h), less what the launches that were emulated wrote. Private to tracegen.
 *
 * Ownership: starts from zero; unwritten_clear frees. In doubt, bytes count as written. */
#ifndef TRACEGEN_CAPTURE_UNWRITTEN_H
#define TRACEGEN_CAPTURE_UNWRITTEN_H

#include <stddef.h>
#include <stdint.h>

#include <jansson.h>

#include "base/error.h"

struct unwritten_buffer {
  uint64_t id;
  char *bytes; /* 1: not written by any launch so far; NULL: all are written */
};

struct unwritten {
  struct unwritten_buffer *list; /* those that were unwritten in some launch */
  size_t count, capacity;
};

/* *out: a byte for each of the buffer's, 1 where it is unwritten, NULL when none is; the caller frees. `gaps`: the
 * layer's [[offset, bytes], ...], or NULL. */
int unwritten_find(const struct unwritten *unwritten, uint64_t id, const json_t *gaps, size_t bytes, const char *place,
                   char **out, struct error *error);
/* From here on no more than these bytes of the buffer are unwritten; NULL: none. */
int unwritten_keep(struct unwritten *unwritten, uint64_t id, const char *bytes, size_t count, struct error *error);
void unwritten_clear(struct unwritten *unwritten);

#endif
