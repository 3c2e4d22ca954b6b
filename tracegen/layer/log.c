#include "layer/log.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static int folder = -1, file = -1;
static double start_s;

static double now_s(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

double log_clock(void) {
  return now_s() - start_s;
}

bool log_open(void) {
  const char *name = getenv("REASSEMBLE_CAPTURE");
  if (!name || !*name)
    return false;
  folder = open(name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  file = folder < 0 ? -1 : openat(folder, "log", O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  start_s = now_s();
  if (file >= 0)
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
  const bool written = write_all(descriptor, bytes, length);
  return close(descriptor) == 0 && written;
}
