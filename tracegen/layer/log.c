#include "layer/log.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static int folder = -1, file = -1;
static struct capture_control *control;

double log_clock(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return 1e-9 * (double)(now.tv_sec * INT64_C(1000000000) + now.tv_nsec - atomic_load(&control->start_ns));
}

struct capture_control *log_control(void) {
  return control;
}

bool log_open(void) {
  const char *name = getenv("REASSEMBLE_CAPTURE");
  if (!name || !*name)
    return false;
  folder = open(name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  file = folder < 0 ? -1 : openat(folder, "log", O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  control = file < 0 ? NULL : control_map(folder);
  if (control)
    return true;
  fprintf(stderr, "reassemble: cannot write to $REASSEMBLE_CAPTURE (%s): %s; nothing is captured\n", name,
          strerror(errno));
  return false;
}

static bool write_all(int descriptor, const char *bytes, size_t length) {
  while (length > 0) {
    const ssize_t written = write(descriptor, bytes, length);
    if (written < 0 && errno == EINTR)
      continue;
    if (written <= 0)
      return false;
    bytes += written;
    length -= (size_t)written;
  }
  return true;
}

bool log_line(json_t *line) {
  char *text = line ? json_dumps(line, JSON_COMPACT) : NULL;
  json_decref(line);
  if (!text)
    return false;
  const size_t length = strlen(text);
  text[length] = '\n'; /* in place of the end: one write a line */
  const bool written = write_all(file, text, length + 1);
  free(text);
  return written;
}

bool log_file(const char *name, const void *bytes, size_t length) {
  const int descriptor = openat(folder, name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (descriptor < 0)
    return false;
  const bool written = write_all(descriptor, bytes, length), closed = close(descriptor) == 0;
  if (!written || !closed)
    unlinkat(folder, name, 0);
  return written && closed;
}

bool log_file_is(const char *name, const void *bytes, size_t length) {
  struct stat about;
  const int descriptor = openat(folder, name, O_RDONLY | O_CLOEXEC);
  if (descriptor < 0)
    return false;
  const bool comparable = fstat(descriptor, &about) == 0 && (size_t)about.st_size == length && length > 0;
  void *map = comparable ? mmap(NULL, length, PROT_READ, MAP_PRIVATE, descriptor, 0) : MAP_FAILED;
  close(descriptor);
  if (map == MAP_FAILED)
    return false;
  const bool same = memcmp(map, bytes, length) == 0;
  munmap(map, length);
  return same;
}
