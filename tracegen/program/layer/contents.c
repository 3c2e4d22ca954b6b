#include "tracegen/program/layer/contents.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "tracegen/program/layer/launch.h"
#include "tracegen/program/layer/log.h"

#define WAIT_NS 1000000 /* between checks of how far the reader is */

static bool save(struct memory_record *root, const void *bytes) {
  char name[64];
  struct capture_control *control = log_control();
  snprintf(name, sizeof name, "content-%" PRIu64, root->content);
  if (root->content && log_file_is(name, bytes, root->bytes))
    return true;
  const uint64_t number = atomic_fetch_add(&control->contents, 1) + 1;
  snprintf(name, sizeof name, "content-%" PRIu64, number);
  if (!log_file(name, bytes, root->bytes))
    return false;
  atomic_fetch_add(&control->written_bytes, root->bytes);
  root->content = number;
  return true;
}

static cl_int read_memory(const struct memory_record *root, cl_command_queue reader, void *bytes) {
  const size_t origin[3] = {0}, region[3] = {root->width, root->height, 1};
  if (root->width > 0)
    return below->clEnqueueReadImage(reader, root->handle, CL_TRUE, origin, region, 0, 0, bytes, 0, NULL, NULL);
  return below->clEnqueueReadBuffer(reader, root->handle, CL_TRUE, 0, root->bytes, bytes, 0, NULL, NULL);
}

enum content_error content_save(struct memory_record *root, cl_command_queue reader, cl_int *status) {
  void *bytes = malloc(root->bytes ? root->bytes : 1);
  if (!bytes)
    return CONTENT_NO_MEMORY;
  *status = read_memory(root, reader, bytes);
  const bool saved = *status == CL_SUCCESS && save(root, bytes);
  free(bytes);
  return *status != CL_SUCCESS ? CONTENT_NOT_READ : saved ? CONTENT_SAVED : CONTENT_NOT_WRITTEN;
}

static uint64_t room_left(uint64_t limit) {
  struct capture_control *control = log_control();
  const uint64_t freed = atomic_load(&control->freed_bytes), written = atomic_load(&control->written_bytes);
  return written - freed < limit ? limit - (written - freed) : 0;
}

/* Returns whether the reader may still free something: its process exists and has not done with all launches. */
static bool more_will_be_freed(void) {
  struct capture_control *control = log_control();
  const pid_t reader = (pid_t)atomic_load(&control->reader);
  return reader && (kill(reader, 0) == 0 || errno == EPERM) &&
         atomic_load(&control->consumed) < atomic_load(&control->ended);
}

bool room_wait(uint64_t bytes, uint64_t limit, uint64_t *left) {
  static const struct timespec pause = {.tv_nsec = WAIT_NS};
  struct capture_control *control = log_control();
  *left = room_left(limit);
  if (*left >= bytes)
    return true;
  atomic_fetch_add(&control->waiting, 1);
  for (bool more = true; more && *left < bytes; *left = room_left(limit)) {
    more = more_will_be_freed(); /* before the room is read, so that what is freed meanwhile counts */
    nanosleep(&pause, NULL);
  }
  atomic_fetch_sub(&control->waiting, 1);
  return *left >= bytes;
}
