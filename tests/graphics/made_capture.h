/* A capture that a test makes record by record, in memory. */
#ifndef MADE_CAPTURE_H
#define MADE_CAPTURE_H

#include <string.h>

#include "graphics/frame/frame_capture.h"

static struct {
  char bytes[1 << 16];
  size_t length;
} made;

static void made_begin(void) {
  const struct frame_file_head head = {FRAME_MAGIC, FRAME_VERSION, 0};
  memcpy(made.bytes, &head, sizeof head);
  made.length = sizeof head;
}

/* Adds a record: a structure, more bytes behind it, and zeros up to a multiple of 8. */
static void made_put(uint32_t kind, const void *structure, size_t size, const void *more, size_t length) {
  const uint32_t all = (uint32_t)((size + length + 7) & ~(size_t)7);
  const struct frame_record_head head = {kind, all};
  assert_true(made.length + sizeof head + all <= sizeof made.bytes);
  memcpy(made.bytes + made.length, &head, sizeof head);
  memset(made.bytes + made.length + sizeof head, 0, all);
  memcpy(made.bytes + made.length + sizeof head, structure, size);
  if (length > 0)
    memcpy(made.bytes + made.length + sizeof head + size, more, length);
  made.length += sizeof head + all;
}

#define PUT(kind, ...) made_put(kind, &(__VA_ARGS__), sizeof(__VA_ARGS__), NULL, 0)

/* The caller destroys it. */
static struct frame_capture *made_read(void) {
  struct frame_capture *capture;
  struct error error = ERROR_INIT;
  if (frame_capture_read("made", made.bytes, made.length, &capture, &error) != 0)
    fail_msg("%s", error.text);
  return capture;
}

#endif
