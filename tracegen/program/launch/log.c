#include "tracegen/program/launch/log.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tracegen/program/clock/simulated_clock.h"

/* No file stays open: programs close descriptors that they do not know (daemons all from 3 on), and the next file that
 * is opened gets the same number. */
static char folder[PATH_MAX];
static struct capture_control *control;

double log_clock(void) {
  return 1e-9 * (double)(real_clock(CLOCK_MONOTONIC) - atomic_load(&control->start_ns));
}

struct capture_control *log_control(void) {
  return control;
}

static int open_in_folder(const char *name, int flags) {
  char path[PATH_MAX + 64];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  return open(path, flags | O_CLOEXEC, 0666);
}

static bool map_folder(const char *name) {
  const int descriptor = realpath(name, folder) ? open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
  if (descriptor < 0)
    return false;
  control = control_map(descriptor);
  close(descriptor);
  return control;
}

static bool can_write(void) {
  const int log = open_in_folder("log", O_WRONLY | O_CREAT | O_APPEND);
  return log >= 0 && close(log) == 0;
}

bool log_open(void) {
  const char *name = getenv("REASSEMBLE_CAPTURE");
  if (!name || !*name)
    return false;
  if (map_folder(name) && can_write())
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

/* Counts a line that is missing, which tells the reader, and prints the reason, which only this process knows. */
static bool note_loss(const char *reason) {
  if (atomic_fetch_add(&control->lost, 1) == 0)
    fprintf(stderr, "reassemble: cannot write to %s/log: %s; what is not written there is missing in the traces\n",
            folder, reason);
  return false;
}

static bool append(const char *text, size_t length) {
  const int log = open_in_folder("log", O_WRONLY | O_APPEND);
  if (log < 0)
    return note_loss(strerror(errno));
  const bool written = write_all(log, text, length);
  const int reason = errno;
  close(log);
  return written || note_loss(strerror(reason));
}

bool log_line(json_t *line) {
  char *text = line ? json_dumps(line, JSON_COMPACT) : NULL;
  json_decref(line);
  if (!text)
    return note_loss("out of memory");
  const size_t length = strlen(text);
  text[length] = '\n'; /* in place of the NUL, so that a line is one write */
  const bool written = append(text, length + 1);
  free(text);
  return written;
}

static void remove_file(const char *name) {
  char path[PATH_MAX + 64];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  unlink(path);
}

bool log_file(const char *name, const void *bytes, size_t length) {
  const int descriptor = open_in_folder(name, O_WRONLY | O_CREAT | O_TRUNC);
  if (descriptor < 0)
    return false;
  const bool written = write_all(descriptor, bytes, length), closed = close(descriptor) == 0;
  if (!written || !closed)
    remove_file(name);
  return written && closed;
}

bool log_store(enum content_store store, uint64_t offset, const struct log_piece *pieces, size_t count) {
  const char *path = control->stores[store];
  const int descriptor = path[0] == '/' ? open(path, O_WRONLY | O_CLOEXEC) : open_in_folder(path, O_WRONLY);
  bool written = descriptor >= 0 && lseek(descriptor, (off_t)offset, SEEK_SET) == (off_t)offset;
  for (size_t i = 0; written && i < count; i++)
    written = write_all(descriptor, pieces[i].bytes, pieces[i].length);
  return (descriptor < 0 || close(descriptor) == 0) && written;
}
