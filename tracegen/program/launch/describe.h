/* A launch that is being captured, and its lines in the log. Private to the layer. */
#ifndef TRACEGEN_PROGRAM_LAUNCH_DESCRIBE_H
#define TRACEGEN_PROGRAM_LAUNCH_DESCRIBE_H

#include <jansson.h>

#include "tracegen/program/launch/launch.h"

#define REASON_BYTES 256

struct captured_launch {
  const struct launch *launch;
  struct kernel_record kernel; /* a copy, because the program may set arguments meanwhile */
  uint64_t index;
  double start_s, last_end_s; /* by log_clock: of this launch; when the launch before it ended */
  size_t global[3], local[3], offset[3];
  bool chose_local;
  cl_context context;
  cl_command_queue reader; /* the layer's own, in order */
  struct memory_record *roots[MAX_ARGUMENTS];
  size_t root_count;
  uint64_t writes[MAX_ARGUMENTS]; /* by root: how often it had been written to before the launch; 0: not known */
  bool repeats;                   /* it has the trace of launch `traced`, and nothing of its buffers is saved */
  uint64_t traced, stored;        /* where it repeats: that launch; bits of the arguments through which it may store */
  bool knows_stored;              /* `stored` says which; else any buffer may be */
  char reason[REASON_BYTES];      /* why it is skipped; "": it is not */
};

/* Keeps the reason why the launch is skipped. Returns false. */
bool launch_skip(struct captured_launch *c, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Returns the buffer that a sub-buffer is part of, or the buffer itself. */
struct memory_record *whole_buffer(struct memory_record *memory);

/* Adds the sizes of an image and, unless it is two-dimensional, its kind. */
void describe_sizes(const struct memory_record *image, json_t *out);
/* Logs what is known before the launch runs. Returns whether the line was written. */
bool describe_launch(const struct captured_launch *c);
/* Returns a list with the file that holds the present contents of each of its buffers. */
json_t *describe_contents(const struct captured_launch *c);

#endif
