/* Which launches still need which states of buffers (layer/contents.h), so that files go away as soon as nobody does.
 *
 * A state is needed by every launch that names it, and while it is the last one of its buffer: the next launch may find
 * the buffer as it is. Ownership: contents_clear frees; the files belong to the capture's folder. Private to tracegen.
 */
#ifndef TRACEGEN_CAPTURE_CONTENTS_H
#define TRACEGEN_CAPTURE_CONTENTS_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "tracegen/program/control.h"

struct content {
  uint64_t bytes;
  uint32_t uses;
};

struct contents {
  const char *folder;              /* borrowed */
  struct capture_control *control; /* borrowed: freed_bytes */
  struct content *list;            /* by number */
  uint64_t *last;                  /* by buffer: its last state, 0: none */
  size_t count, buffers;
};

/* A launch names state `number` of a buffer, which becomes the buffer's last one. */
int contents_use(struct contents *contents, uint64_t buffer, uint64_t number, uint64_t bytes, struct error *error);
/* One launch less needs it. */
void contents_drop(struct contents *contents, uint64_t number);
/* The buffer was released. */
void contents_forget(struct contents *contents, uint64_t buffer);
void contents_clear(struct contents *contents);

/* The file of a state; the caller frees. NULL: out of memory. */
char *contents_path(const char *folder, uint64_t number);

#endif
