/* Reads one trace completely and says what came of it. An input that does not start with the trace magic is taken as
 * the payloads of frames, so that fuzzers get behind the checksums: one byte kind, three bytes length (little endian),
 * payload, and so on. Exit code 0 in any case but a crash. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/file.h"
#include "reframe.h"

static void build(const unsigned char *data, size_t length, const char *path) {
  struct loose_trace t = {0};
  for (size_t at = 0; at + 4 <= length && t.count < REFRAME_MAX;) {
    size_t size = data[at + 1] | (size_t)data[at + 2] << 8 | (size_t)data[at + 3] << 16;
    if (size > length - at - 4)
      size = length - at - 4;
    t.frames[t.count++] =
        (struct loose_frame){(enum frame_kind)(1 + data[at] % 6), (unsigned char *)data + at + 4, size};
    at += 4 + size;
  }
  loose_trace_write(path, &t);
}

int main(int argc, char **argv) {
  const char *path = argc > 1 ? argv[1] : "";
  struct error error = ERROR_INIT;
  char *data;
  size_t length;
  char built[] = "/tmp/fuzz-trace-XXXXXX";
  if (file_read(path, 64u << 20, &data, &length, &error) != 0) {
    error_print(&error, stderr);
    return 0;
  }
  const int descriptor = mkstemp(built);
  if (descriptor < 0)
    return 1;
  close(descriptor);
  if (length == 0 || (unsigned char)data[0] != 0x89) {
    build((const unsigned char *)data, length, built);
    path = built;
  }
  if (read_whole_trace(path, &error) != 0)
    error_print(&error, stdout);
  remove(built);
  free(data);
  return 0;
}
