/* Counts which files with contents of buffers (layer/contents.h) are still needed, so that each is removed as soon as
 * it is not.
 *
 * Each launch that names a file needs it. The last contents of a buffer stay, too: the next launch may find the buffer
 * unchanged. Ownership: contents_clear frees; the files belong to the capture's folder. Private to program/capture. */
#ifndef TRACEGEN_PROGRAM_CAPTURE_CONTENTS_H
#define TRACEGEN_PROGRAM_CAPTURE_CONTENTS_H

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
  uint64_t *last;                  /* by buffer: the number of its last contents; 0: none */
  size_t count, buffers;
};

/* A launch names contents `number` of a buffer, which become the buffer's last ones. */
int contents_use(struct contents *contents, uint64_t buffer, uint64_t number, uint64_t bytes, struct error *error);
/* One launch less needs the contents. */
void contents_drop(struct contents *contents, uint64_t number);
/* The program has released the buffer. */
void contents_forget(struct contents *contents, uint64_t buffer);
void contents_clear(struct contents *contents);

/* Returns the path of the contents' file; the caller frees it. NULL: out of memory. */
char *contents_path(const char *folder, uint64_t number);

#endif
