#include "graphics/layer/objects.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/hash_index.h"

pthread_mutex_t layer_lock = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;

/* The objects stand in `list` in order of their numbers, with gaps (NULL) where one was forgotten. */
static struct object **list;
static size_t count, room, live;
static struct hash_table places; /* in the list, by type and handle */
static uint32_t last_id;

static uint64_t hash_of(enum object_type type, uint64_t handle) {
  return (handle ^ (uint64_t)type << 56) * UINT64_C(0x9e3779b97f4a7c15);
}

/* Closes the gaps of the list and indexes it again, so that neither grows with the number of forgotten objects. */
static bool close_gaps(void) {
  size_t kept = 0;
  for (size_t i = 0; i < count; i++)
    if (list[i])
      list[kept++] = list[i];
  count = kept;
  hash_table_clear(&places);
  for (size_t i = 0; i < count; i++)
    if (!hash_table_add(&places, hash_of(list[i]->type, list[i]->handle), (uint32_t)i))
      return false;
  return true;
}

/* Returns the place of an object in the list; NULL: there is none. */
static struct object **place_of(enum object_type type, uint64_t handle) {
  const uint64_t hash = hash_of(type, handle);
  for (uint32_t at = hash_table_first(&places, hash), i; (i = hash_table_next(&places, hash, &at)) != HASH_INDEX_NONE;)
    if (list[i] && list[i]->handle == handle && list[i]->type == type)
      return &list[i];
  return NULL;
}

struct object *layer_find(enum object_type type, uint64_t handle) {
  struct object **place = handle ? place_of(type, handle) : NULL;
  return place ? *place : NULL;
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

void layer_forget(enum object_type type, uint64_t handle) {
  struct object *o = layer_find(type, handle);
  if (!o)
    return;
  *place_of(type, handle) = NULL;
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
  if (count == room && live <= count / 2 && !close_gaps())
    return NULL;
  struct object *o = array_room(&list, &room, count + 1, sizeof *list) ? calloc(1, sizeof *o) : NULL;
  if (!o || !hash_table_add(&places, hash_of(type, handle), (uint32_t)count)) {
    free(o);
    return NULL;
  }
  o->type = type;
  o->handle = handle;
  o->id = ++last_id;
  list[count++] = o;
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
