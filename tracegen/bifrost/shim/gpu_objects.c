#include "tracegen/bifrost/shim/gpu_objects.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>

#define CODE_WINDOW (UINT64_C(16) << 20) /* code must not cross a multiple of it: the program counter has 24 bits */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct gpu_object *objects; /* by handle - 1 */
static uint32_t object_count, object_capacity;
static uint64_t end; /* offset behind the last buffer */

/* Returns the first handle that is closed and whose place fits, or 0. */
static uint32_t closed_object(uint64_t bytes, bool executable) {
  for (uint32_t i = 0; i < object_count; i++)
    if (!objects[i].open && objects[i].bytes == bytes && objects[i].executable == executable)
      return i + 1;
  return 0;
}

static uint64_t place_behind(uint64_t offset, uint64_t bytes, bool executable) {
  const uint64_t first = BIFROST_GPU_BASE + offset, last = first + bytes - 1;
  if (executable && first / CODE_WINDOW != last / CODE_WINDOW)
    return last / CODE_WINDOW * CODE_WINDOW - BIFROST_GPU_BASE;
  return offset;
}

static bool grow_list(void) {
  const uint32_t capacity = object_capacity ? 2 * object_capacity : 256;
  struct gpu_object *list;
  if (object_count < object_capacity)
    return true;
  list = realloc(objects, capacity * sizeof *list);
  if (!list)
    return false;
  objects = list;
  object_capacity = capacity;
  return true;
}

static uint32_t new_object(uint64_t bytes, bool executable) {
  const uint64_t offset = place_behind(end, bytes, executable);
  if (offset > BIFROST_NODE_BYTES || bytes > BIFROST_NODE_BYTES - offset || !grow_list())
    return 0;
  end = offset + bytes;
  objects[object_count] = (struct gpu_object){offset, bytes, executable, true};
  return ++object_count;
}

uint32_t gpu_object_create(uint64_t bytes, bool executable) {
  uint32_t handle;
  bytes = (bytes + BIFROST_PAGE_BYTES - 1) / BIFROST_PAGE_BYTES * BIFROST_PAGE_BYTES;
  if (!bytes || bytes > BIFROST_NODE_BYTES)
    return 0;
  pthread_mutex_lock(&lock);
  handle = closed_object(bytes, executable);
  if (handle)
    objects[handle - 1].open = true;
  else
    handle = new_object(bytes, executable);
  pthread_mutex_unlock(&lock);
  return handle;
}

bool gpu_object_find(uint32_t handle, struct gpu_object *out) {
  bool found;
  pthread_mutex_lock(&lock);
  found = handle && handle <= object_count && objects[handle - 1].open;
  if (found)
    *out = objects[handle - 1];
  pthread_mutex_unlock(&lock);
  return found;
}

/* The place of a closed buffer reads as zeros again, and its pages are the system's. */
bool gpu_object_close(int node, uint32_t handle) {
  struct gpu_object object;
  if (!gpu_object_find(handle, &object))
    return false;
  fallocate(node, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, (off_t)object.offset, (off_t)object.bytes);
  pthread_mutex_lock(&lock);
  objects[handle - 1].open = false;
  pthread_mutex_unlock(&lock);
  return true;
}
