/* Takes traces apart into frames and puts them together again with right checksums, so that tests can change their
 * contents. */
#ifndef SUPPORT_REFRAME_H
#define SUPPORT_REFRAME_H

#include <stddef.h>
#include <stdint.h>

#include "trace/format/frame.h"

#define REFRAME_MAX 64

struct loose_frame {
  enum frame_kind kind;
  unsigned char *raw;
  size_t length;
};

struct loose_trace {
  struct loose_frame frames[REFRAME_MAX];
  size_t count;
};

/* Both functions abort the program when the file cannot be read or written. */
void loose_trace_read(const char *path, struct loose_trace *out);
void loose_trace_write(const char *path, const struct loose_trace *trace);
struct loose_frame *loose_trace_find(struct loose_trace *trace, enum frame_kind kind);
void loose_trace_clear(struct loose_trace *trace);

/* Opens a trace and reads all groups, and every address of every work-item. Returns 0 if it was read to the end. */
int read_whole_trace(const char *path, struct error *error);

#endif
