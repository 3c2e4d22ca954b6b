#include "model/memory/mshr.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"

enum { LEAST_ROOM = 16 };

/* Adds a fetch to those of its tag. */
static void add_to_tag(struct mshr_file *file, uint32_t place) {
  const uint32_t tag = file->fetches[place].tag;
  struct hash_bucket *bucket = hash_index_bucket(&file->tags, tag);
  if (bucket->value == HASH_INDEX_NONE) {
    *bucket = (struct hash_bucket){tag, place};
    file->fetches[place].last = place;
    return;
  }
  struct mshr_fetch *first = &file->fetches[bucket->value];
  file->fetches[first->last].next = place;
  first->last = place;
}

/* Makes room for `room` fetches, all of which are taken now. Returns false, with nothing lost, when out of memory. */
static bool grow(struct mshr_file *file, uint32_t room) {
  uint32_t fetches = file->capacity, unused = file->capacity, order = 2 * file->capacity;
  if (!array_room_u32(&file->fetches, &fetches, room, sizeof *file->fetches) ||
      !array_room_u32(&file->unused, &unused, room, sizeof *file->unused) ||
      !array_room_u32(&file->order, &order, 2 * (uint64_t)room, sizeof *file->order) ||
      !hash_index_grow(&file->tags, room))
    return false;
  for (uint32_t i = file->count; i < room; i++)
    file->unused[i - file->count] = i;
  file->capacity = room;
  return true;
}

bool mshr_file_init(struct mshr_file *file, uint32_t shift) {
  *file = (struct mshr_file){.soonest = UINT64_MAX, .shift = shift};
  return grow(file, LEAST_ROOM);
}

void mshr_file_clear(struct mshr_file *file) {
  free(file->fetches);
  free(file->unused);
  free(file->order);
  free(file->tags.buckets);
  *file = (struct mshr_file){.soonest = UINT64_MAX};
}

static uint64_t comes_at(const struct mshr_file *file, uint32_t at) {
  return file->fetches[file->order[at]].comes;
}

static void set_soonest(struct mshr_file *file) {
  file->soonest = file->count > 0 ? comes_at(file, file->first) : UINT64_MAX;
}

void mshr_file_add_lines(struct mshr_file *file, uint32_t tag, uint32_t lines, uint64_t comes) {
  if (file->count == file->capacity && (file->capacity >= UINT32_MAX / 4 || !grow(file, 2 * file->capacity))) {
    file->no_memory = true;
    return;
  }
  if (file->first + file->count == 2 * file->capacity) { /* so rare that each addition pays for at most one move */
    memmove(file->order, file->order + file->first, file->count * sizeof *file->order);
    file->first = 0;
  }
  const uint32_t place = file->unused[file->capacity - file->count - 1];
  file->fetches[place] = (struct mshr_fetch){comes, tag, lines, MSHR_NO_FETCH, place};
  uint32_t at = file->first + file->count++;
  for (; at > file->first && comes_at(file, at - 1) > comes; at--)
    file->order[at] = file->order[at - 1];
  file->order[at] = place;
  add_to_tag(file, place);
  set_soonest(file);
}

/* Takes a fetch out of those of its tag, of which it is mostly the first. */
static void take_from_tag(struct mshr_file *file, uint32_t place) {
  const struct mshr_fetch *fetch = &file->fetches[place];
  struct hash_bucket *bucket = hash_index_bucket(&file->tags, fetch->tag);
  if (bucket->value == place) {
    if (fetch->next == MSHR_NO_FETCH) {
      hash_index_remove(&file->tags, fetch->tag);
    } else {
      file->fetches[fetch->next].last = fetch->last;
      bucket->value = fetch->next;
    }
    return;
  }
  uint32_t before = bucket->value;
  while (file->fetches[before].next != place)
    before = file->fetches[before].next;
  file->fetches[before].next = fetch->next;
  if (fetch->next == MSHR_NO_FETCH)
    file->fetches[bucket->value].last = before;
}

/* A line is fetched twice at a time only if accesses are not coalesced and no cache is in front. */
static void release_first(struct mshr_file *file) {
  const uint32_t place = file->order[file->first++];
  file->count--;
  file->unused[file->capacity - file->count - 1] = place;
  take_from_tag(file, place);
}

void mshr_file_release_arrived(struct mshr_file *file, uint64_t now) {
  while (file->count > 0 && comes_at(file, file->first) <= now)
    release_first(file);
  set_soonest(file);
}
