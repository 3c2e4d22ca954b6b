#include "model/memory/mshr.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"

enum { LEAST_ROOM = 16 };

/* Returns whether a fetch was added before another one; numbers of fetches at a time are less than 2^31 apart. */
static bool is_earlier(const struct mshr_fetch *a, const struct mshr_fetch *b) {
  return b->number - a->number < UINT32_C(1) << 31;
}

/* Adds a fetch to the lines. */
static void add_line(struct mshr_file *file, uint32_t place) {
  const struct mshr_fetch *fetch = &file->fetches[place];
  struct hash_bucket *bucket = hash_index_bucket(&file->lines, fetch->line);
  const bool fresh = bucket->value == HASH_INDEX_NONE;
  file->repeated += !fresh;
  if (fresh || is_earlier(fetch, &file->fetches[bucket->value]))
    *bucket = (struct hash_bucket){fetch->line, place};
}

/* Makes room for `room` fetches, all of which are taken now. Returns false, with nothing lost, when out of memory. */
static bool grow(struct mshr_file *file, uint32_t room) {
  uint32_t fetches = file->capacity, unused = file->capacity, order = 2 * file->capacity;
  void *lines = malloc(hash_index_bytes(room));
  if (!lines || !array_room_u32(&file->fetches, &fetches, room, sizeof *file->fetches) ||
      !array_room_u32(&file->unused, &unused, room, sizeof *file->unused) ||
      !array_room_u32(&file->order, &order, 2 * (uint64_t)room, sizeof *file->order)) {
    free(lines);
    return false;
  }
  for (uint32_t i = file->count; i < room; i++)
    file->unused[i - file->count] = i;
  free(file->lines.buckets);
  hash_index_start(&file->lines, lines, room);
  file->repeated = 0;
  for (uint32_t i = 0; i < file->count; i++)
    add_line(file, i);
  file->capacity = room;
  return true;
}

bool mshr_file_init(struct mshr_file *file) {
  *file = (struct mshr_file){.soonest = UINT64_MAX};
  return grow(file, LEAST_ROOM);
}

void mshr_file_clear(struct mshr_file *file) {
  free(file->fetches);
  free(file->unused);
  free(file->order);
  free(file->lines.buckets);
  *file = (struct mshr_file){.soonest = UINT64_MAX};
}

static uint64_t comes_at(const struct mshr_file *file, uint32_t at) {
  return file->fetches[file->order[at]].comes;
}

static void set_soonest(struct mshr_file *file) {
  file->soonest = file->count > 0 ? comes_at(file, file->first) : UINT64_MAX;
}

void mshr_file_add(struct mshr_file *file, uint32_t line, uint64_t comes) {
  if (file->count == file->capacity && (file->capacity >= UINT32_MAX / 4 || !grow(file, 2 * file->capacity))) {
    file->no_memory = true;
    return;
  }
  if (file->first + file->count == 2 * file->capacity) { /* so rare that each addition pays for at most one move */
    memmove(file->order, file->order + file->first, file->count * sizeof *file->order);
    file->first = 0;
  }
  const uint32_t place = file->unused[file->capacity - file->count - 1];
  file->fetches[place] = (struct mshr_fetch){comes, line, file->added++};
  uint32_t at = file->first + file->count++;
  for (; at > file->first && comes_at(file, at - 1) > comes; at--)
    file->order[at] = file->order[at - 1];
  file->order[at] = place;
  add_line(file, place);
  set_soonest(file);
}

/* Lets the fetch that was added first among those of the line represent it. */
static void represent_line(struct mshr_file *file, uint32_t line) {
  const struct mshr_fetch *found = NULL;
  for (uint32_t i = file->first; i < file->first + file->count; i++) {
    const struct mshr_fetch *each = &file->fetches[file->order[i]];
    if (each->line == line && (!found || is_earlier(each, found)))
      found = each;
  }
  if (found) {
    hash_index_put(&file->lines, line, (uint32_t)(found - file->fetches));
    file->repeated--;
  }
}

/* A line is fetched twice at a time only if accesses are not coalesced and no cache is in front. */
static void release_first(struct mshr_file *file) {
  const uint32_t place = file->order[file->first++], line = file->fetches[place].line;
  file->count--;
  file->unused[file->capacity - file->count - 1] = place;
  if (hash_index_find(&file->lines, line) != place) {
    file->repeated--;
    return;
  }
  hash_index_remove(&file->lines, line);
  if (file->repeated > 0)
    represent_line(file, line);
}

void mshr_file_release_arrived(struct mshr_file *file, uint64_t now) {
  while (file->count > 0 && comes_at(file, file->first) <= now)
    release_first(file);
  set_soonest(file);
}
