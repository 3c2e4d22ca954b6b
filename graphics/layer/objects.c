#include "graphics/layer/objects.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"

pthread_mutex_t layer_lock = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;

/* The objects stand in `list` in order of their numbers, with gaps (NULL) where one was forgotten; `slots` finds them
 * by hash (Knuth vol. 3, section 6.4, algorithm L). */
static struct object **list;
static size_t count, room, live;
static uint32_t *slots, slot_mask;
static uint32_t last_id;

#define FREE UINT32_MAX /* a slot without an object */

static uint32_t home(enum object_type type, uint64_t handle) {
  return (uint32_t)(((handle ^ (uint64_t)type << 56) * UINT64_C(0x9e3779b97f4a7c15)) >> 32);
}

static uint32_t *slot_of(enum object_type type, uint64_t handle) {
  uint32_t at = home(type, handle) & slot_mask;
  while (slots[at] != FREE && (!list[slots[at]] || list[slots[at]]->handle != handle || list[slots[at]]->type != type))
    at = (at + 1) & slot_mask;
  return &slots[at];
}

/* Closes the gaps of the list and makes an index that is at most a quarter full. */
static bool index_again(void) {
  size_t kept = 0;
  for (size_t i = 0; i < count; i++)
    if (list[i])
      list[kept++] = list[i];
  count = kept;
  uint32_t size = 1024;
  while (size < 4 * (count + 1))
    size *= 2;
  uint32_t *larger = malloc(size * sizeof *larger);
  if (!larger)
    return false;
  free(slots);
  slots = larger;
  slot_mask = size - 1;
  memset(slots, 0xff, size * sizeof *slots);
  for (size_t i = 0; i < count; i++)
    *slot_of(list[i]->type, list[i]->handle) = (uint32_t)i;
  return true;
}

struct object *layer_find(enum object_type type, uint64_t handle) {
  if (!slots || !handle)
    return NULL;
  const uint32_t at = *slot_of(type, handle);
  return at == FREE ? NULL : list[at];
}

struct object *layer_find_id(uint32_t id) {
  for (size_t i = 0; i < count; i++)
    if (list[i] && list[i]->id == id)
      return list[i];
  return NULL;
}

uint32_t layer_id(enum object_type type, uint64_t handle) {
  const struct object *o = layer_find(type, handle);
  return o ? o->id : 0;
}

static void destroy(struct object *o) {
  record_stream_clear(&o->records);
  free(o->shadow);
  free(o->data);
  free(o);
}

/* The slot keeps pointing at the gap in the list, so that searches go on behind it. */
void layer_forget(enum object_type type, uint64_t handle) {
  struct object *o = layer_find(type, handle);
  if (!o)
    return;
  list[*slot_of(type, handle)] = NULL;
  live--;
  destroy(o);
}

void layer_retire(enum object_type type, uint64_t handle) {
  struct object *o = layer_find(type, handle);
  if (o)
    o->handle = 0;
}

struct object *layer_remember(enum object_type type, uint64_t handle) {
  layer_forget(type, handle);
  if ((!slots || 2 * (count + 1) > slot_mask) && !index_again())
    return NULL;
  struct object *o = array_room(&list, &room, count + 1, sizeof *list) ? calloc(1, sizeof *o) : NULL;
  if (!o)
    return NULL;
  o->type = type;
  o->handle = handle;
  o->id = ++last_id;
  list[count] = o;
  *slot_of(type, handle) = (uint32_t)count++;
  live++;
  return o;
}

void layer_visit(bool (*visit)(struct object *object, void *user), void *user) {
  for (size_t i = 0; i < count; i++)
    if (list[i] && !visit(list[i], user))
      layer_forget(list[i]->type, list[i]->handle);
}

struct record_stream *layer_commands(VkCommandBuffer commands) {
  static struct record_stream nowhere;
  struct object *o = layer_find(OBJECT_COMMANDS, HANDLE(commands));
  if (o)
    return &o->records;
  nowhere.length = 0;
  return &nowhere;
}

void layer_put(VkCommandBuffer commands, enum frame_record_kind kind, const void *structure, size_t size) {
  pthread_mutex_lock(&layer_lock);
  record_put(layer_commands(commands), kind, structure, size);
  pthread_mutex_unlock(&layer_lock);
}
