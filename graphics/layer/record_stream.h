/* Records in memory (graphics/frame/frame_record.h): of an object, or of the commands of a command buffer.
 *
 * Errors: where memory runs out, `failed` is set and the stream takes nothing more. */
#ifndef GRAPHICS_LAYER_RECORD_STREAM_H
#define GRAPHICS_LAYER_RECORD_STREAM_H

#include <stdbool.h>
#include <stddef.h>

#include "graphics/frame/frame_record.h"

struct record_stream {
  char *bytes;
  size_t length, room;
  size_t last, payload; /* where the last record begins, and its payload's bytes without the ones that fill it up */
  bool failed;
};

/* Appends a record of a structure of `size` bytes. */
void record_put(struct record_stream *stream, enum frame_record_kind kind, const void *structure, size_t size);
/* Appends bytes to the payload of the last record; they begin where the ones before end. */
void record_more(struct record_stream *stream, const void *bytes, size_t size);
/* Appends all records of another stream. */
void record_join(struct record_stream *stream, const struct record_stream *other);
/* Appends a record that names a command which the capture does not hold, and says which draws that concerns: with
 * FRAME_REACH_OBJECT those that read `object`, and all that follow where it is 0. */
void record_unsupported(struct record_stream *stream, const char *name, enum frame_reach reach, uint32_t object);
void record_stream_clear(struct record_stream *stream);

#endif
