#include "tracegen/bifrost/shim/emulator.h"

#include <drm/drm.h>
#include <drm/panfrost_drm.h>
#include <errno.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tracegen/bifrost/channel.h"
#include "tracegen/bifrost/shim/gpu_objects.h"

static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;

/* Returns the socket, or -1: the program runs without an emulator. */
static int channel(void) {
  const char *text = getenv("REASSEMBLE_BIFROST_CHANNEL");
  return text ? atoi(text) : -1;
}

static bool send_all(int to, const void *bytes, size_t count) {
  const char *next = bytes;
  while (count) {
    const ssize_t sent = write(to, next, count);
    if (sent < 0 && errno == EINTR)
      continue;
    if (sent <= 0)
      return false;
    next += sent;
    count -= (size_t)sent;
  }
  return true;
}

static bool receive_all(int from, void *bytes, size_t count) {
  char *next = bytes;
  while (count) {
    const ssize_t got = read(from, next, count);
    if (got < 0 && errno == EINTR)
      continue;
    if (got <= 0)
      return false;
    next += got;
    count -= (size_t)got;
  }
  return true;
}

/* Returns the buffers of the submission in an array that the caller frees. */
static struct bifrost_message_region *list_regions(const struct drm_panfrost_submit *submit, uint32_t *count) {
  const uint32_t *handles = (const uint32_t *)(uintptr_t)submit->bo_handles;
  struct bifrost_message_region *list = calloc(submit->bo_handle_count + 1, sizeof *list);
  struct gpu_object object;
  *count = 0;
  for (uint32_t i = 0; list && i < submit->bo_handle_count; i++)
    if (gpu_object_find(handles[i], &object))
      list[(*count)++] = (struct bifrost_message_region){.address = BIFROST_GPU_BASE + object.offset,
                                                         .bytes = object.bytes,
                                                         .flags = object.executable ? BIFROST_REGION_EXECUTABLE : 0};
  return list;
}

static bool exchange(int to, const struct bifrost_message *message, const struct bifrost_message_region *regions) {
  int32_t answer;
  return send_all(to, message, sizeof *message) && send_all(to, regions, message->regions * sizeof *regions) &&
         receive_all(to, &answer, sizeof answer) && answer == 0;
}

bool emulator_submit(const struct drm_panfrost_submit *submit) {
  struct bifrost_message message = {.kind = BIFROST_SUBMIT, .job_chain = submit->jc};
  struct bifrost_message_region *regions = list_regions(submit, &message.regions);
  bool done = channel() < 0;
  pthread_mutex_lock(&turn);
  if (!done && regions)
    done = exchange(channel(), &message, regions);
  pthread_mutex_unlock(&turn);
  free(regions);
  return done;
}

void emulator_tell_launch(const char *text) {
  const struct bifrost_message message = {.kind = BIFROST_LAUNCH, .text_bytes = (uint32_t)strlen(text)};
  const int to = channel();
  if (to < 0)
    return;
  pthread_mutex_lock(&turn);
  if (send_all(to, &message, sizeof message))
    send_all(to, text, message.text_bytes);
  pthread_mutex_unlock(&turn);
}
