/* A launch on its way into the log, and its lines there. Private to the layer. */
#ifndef LAYER_DESCRIBE_H
#define LAYER_DESCRIBE_H

#include <jansson.h>

#include "tracegen/program/layer/launch.h"

#define REASON_BYTES 256

struct capture {
  const struct launch *launch;
  struct kernel_record kernel; /* a copy: the program may set arguments meanwhile */
  uint64_t index;
  double start_s, last_end_s; /* of it, and of the launch before; log_clock's */
  size_t global[3], local[3], offset[3];
  bool chose_local;
  cl_context context;
  cl_command_queue reader; /* private, in order */
  struct memory_record *roots[MAX_ARGUMENTS];
  size_t root_count;
  char reason[REASON_BYTES]; /* why it is skipped; "" when it is not */
};

/* Keeps why the launch is skipped; false. */
bool capture_skip(struct capture *c, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The buffer that a sub-buffer is part of, or the buffer itself. */
struct memory_record *root_of(struct memory_record *memory);

/* Its line: all that is known before it runs. */
bool describe_launch(const struct capture *c);
/* Which state each of its buffers has now. */
json_t *describe_contents(const struct capture *c);

#endif
