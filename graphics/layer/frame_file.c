#include "graphics/layer/frame_file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zstd.h>

#include "base/array.h"
#include "graphics/frame/frame_record.h"

static struct {
  int file;
  bool is_plain; /* records go to the file uncompressed */
  char *bytes, *packed;
  size_t length, room, packed_room;
  char part[PATH_MAX];
} state = {.file = -1};

static bool put(const void *bytes, size_t length) {
  for (const char *at = bytes; length > 0;) {
    const ssize_t count = write(state.file, at, length);
    if (count < 0 && errno != EINTR)
      return false;
    at += count > 0 ? count : 0;
    length -= count > 0 ? (size_t)count : 0;
  }
  return true;
}

static bool put_head(uint32_t compressed) {
  const struct frame_file_head head = {FRAME_MAGIC, FRAME_VERSION, compressed};
  return put(&head, sizeof head);
}

/* Writes what has been collected and all that follows uncompressed. */
static bool become_plain(void) {
  const bool written = put_head(0) && put(state.bytes, state.length);
  state.is_plain = true;
  free(state.bytes);
  state.bytes = NULL;
  state.length = state.room = 0;
  return written;
}

/* A stream's function for writing; 0: failed. */
static ssize_t take(void *cookie, const char *bytes, size_t length) {
  (void)cookie;
  if (!state.is_plain &&
      (state.length + length > PACKED_MOST || !array_room(&state.bytes, &state.room, state.length + length, 1)) &&
      !become_plain())
    return 0;
  if (state.is_plain)
    return put(bytes, length) ? (ssize_t)length : 0;
  memcpy(state.bytes + state.length, bytes, length);
  state.length += length;
  return (ssize_t)length;
}

FILE *frame_file_begin(const char *part) {
  snprintf(state.part, sizeof state.part, "%s", part);
  state.length = 0;
  state.is_plain = false;
  state.file = open(part, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  FILE *stream = state.file >= 0 ? fopencookie(NULL, "w", (cookie_io_functions_t){.write = take}) : NULL;
  if (!stream && state.file >= 0)
    close(state.file);
  return stream;
}

static bool put_packed(void) {
  const size_t bound = ZSTD_compressBound(state.length);
  if (!array_room(&state.packed, &state.packed_room, bound, 1))
    return become_plain();
  const size_t size = ZSTD_compress(state.packed, state.packed_room, state.bytes, state.length, FRAME_ZSTD_LEVEL);
  return !ZSTD_isError(size) && put_head(1) && put(state.packed, size);
}

void frame_file_end(FILE *stream, const char *name) {
  const bool taken = fflush(stream) == 0 && !ferror(stream);
  const bool closed = fclose(stream) == 0;
  const bool written = taken && closed && (state.is_plain || put_packed());
  if (close(state.file) == 0 && written)
    rename(state.part, name);
  else
    unlink(state.part);
}
