/* Traces taken apart into frames and put together again with right checksums, so that tests can lie in them. */
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

/* Both abort the program when the file cannot be read or written. */
void loose_trace_read(const char *path, struct loose_trace *out);
void loose_trace_write(const char *path, const struct loose_trace *trace);
struct loose_frame *loose_trace_find(struct loose_trace *trace, enum frame_kind kind);
void loose_trace_clear(struct loose_trace *trace);

/* Opens and reads all groups, touching every address of every work-item while they come. 0: read to the end. */
int read_whole_trace(const char *path, struct error *error);

#endif
