#include "model/cache/multi_size_lru.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define NONE UINT32_MAX

struct entry {
  uint32_t line, newer, older;
  uint32_t next;  /* in its bucket */
  uint32_t level; /* the smallest size that holds it */
};

struct multi_size_lru {
  uint32_t count, used, newest, oldest;
  uint32_t room; /* of entries; grows up to the largest size */
  bool failed;
  unsigned hash_shift;
  uint32_t *sizes, *markers; /* [count]; NONE while a size is not full; the largest needs none */
  uint32_t *buckets;
  struct entry *entries; /* [largest size] */
};

static uint32_t *bucket_of(const struct multi_size_lru *l, uint32_t line) {
  return &l->buckets[(line * UINT64_C(0x9e3779b97f4a7c15)) >> l->hash_shift];
}

enum { FIRST_ROOM = 256 };

/* Room for so many lines; those that are there stay. */
static bool make_room(struct multi_size_lru *l, uint32_t lines) {
  unsigned bits = 1;
  while ((UINT64_C(1) << bits) < 2 * (uint64_t)lines)
    bits++;
  void *entries = realloc(l->entries, lines * sizeof *l->entries);
  l->entries = entries ? entries : l->entries;
  uint32_t *buckets = malloc(sizeof *buckets << bits);
  if (!entries || !buckets) {
    free(buckets);
    return false;
  }
  free(l->buckets);
  l->buckets = memset(buckets, 0xff, sizeof *buckets << bits);
  l->hash_shift = 64 - bits;
  l->room = lines;
  for (uint32_t i = 0; i < l->used; i++) {
    uint32_t *bucket = bucket_of(l, l->entries[i].line);
    l->entries[i].next = *bucket;
    *bucket = i;
  }
  return true;
}

struct multi_size_lru *multi_size_lru_create(const uint32_t *sizes, uint32_t count) {
  const uint32_t most = sizes[count - 1];
  struct multi_size_lru *l = calloc(1, sizeof *l);
  if (!l)
    return NULL;
  *l = (struct multi_size_lru){.count = count,
                               .newest = NONE,
                               .oldest = NONE,
                               .sizes = malloc(count * sizeof *sizes),
                               .markers = malloc(count * sizeof *l->markers)};
  if (!l->sizes || !l->markers || !make_room(l, most < FIRST_ROOM ? most : FIRST_ROOM)) {
    multi_size_lru_destroy(l);
    return NULL;
  }
  memcpy(l->sizes, sizes, count * sizeof *sizes);
  memset(l->markers, 0xff, count * sizeof *l->markers);
  return l;
}

void multi_size_lru_destroy(struct multi_size_lru *l) {
  if (!l)
    return;
  free(l->sizes);
  free(l->markers);
  free(l->buckets);
  free(l->entries);
  free(l);
}

static void unlink_entry(struct multi_size_lru *l, uint32_t i) {
  const struct entry *e = &l->entries[i];
  *(e->newer == NONE ? &l->newest : &l->entries[e->newer].older) = e->older;
  *(e->older == NONE ? &l->oldest : &l->entries[e->older].newer) = e->newer;
}

static void push(struct multi_size_lru *l, uint32_t i) {
  l->entries[i].newer = NONE;
  l->entries[i].older = l->newest;
  *(l->newest == NONE ? &l->oldest : &l->entries[l->newest].newer) = i;
  l->newest = i;
}

/* A line from behind the first `passed` sizes has come to the front: the last line inside each of them is outside now.
 */
static void move_markers(struct multi_size_lru *l, uint32_t passed) {
  for (uint32_t s = 0; s < passed && l->markers[s] != NONE; s++) {
    struct entry *last = &l->entries[l->markers[s]];
    last->level = s + 1;
    l->markers[s] = last->newer;
  }
}

static void use_again(struct multi_size_lru *l, uint32_t i) {
  const uint32_t level = l->entries[i].level;
  if (i == l->newest)
    return;
  if (level + 1 < l->count && l->markers[level] == i) /* its neighbour is the last one inside now */
    l->markers[level] = l->entries[i].newer;
  unlink_entry(l, i);
  push(l, i);
  move_markers(l, level);
  l->entries[i].level = 0;
}

static uint32_t take_oldest(struct multi_size_lru *l) {
  const uint32_t i = l->oldest;
  uint32_t *link = bucket_of(l, l->entries[i].line);
  while (*link != i)
    link = &l->entries[*link].next;
  *link = l->entries[i].next;
  unlink_entry(l, i);
  return i;
}

static void add(struct multi_size_lru *l, uint32_t line) {
  const uint32_t most = l->sizes[l->count - 1];
  const bool full = l->used == most;
  if (l->used == l->room && !full && !make_room(l, l->room < most / 4 ? 4 * l->room : most)) {
    l->failed = true;
    return;
  }
  const uint32_t i = full ? take_oldest(l) : l->used++;
  uint32_t *bucket = bucket_of(l, line);
  l->entries[i] = (struct entry){.line = line, .next = *bucket};
  *bucket = i;
  push(l, i);
  move_markers(l, l->count - 1);
  for (uint32_t s = 0; s + 1 < l->count && !full; s++)
    if (l->sizes[s] == l->used) /* has just become full: the oldest line is its last */
      l->markers[s] = l->oldest;
}

static uint32_t find(const struct multi_size_lru *l, uint32_t line) {
  uint32_t i = *bucket_of(l, line);
  while (i != NONE && l->entries[i].line != line)
    i = l->entries[i].next;
  return i;
}

uint32_t multi_size_lru_access(struct multi_size_lru *l, uint32_t line) {
  if (l->newest != NONE && l->entries[l->newest].line == line)
    return 0;
  const uint32_t i = find(l, line);
  if (i == NONE) {
    add(l, line);
    return l->count;
  }
  const uint32_t level = l->entries[i].level;
  use_again(l, i);
  return level;
}

uint32_t multi_size_lru_touch(struct multi_size_lru *l, uint32_t line) {
  const uint32_t i = find(l, line);
  if (i == NONE)
    return l->count;
  if (l->entries[i].level == 0)
    use_again(l, i);
  return l->entries[i].level;
}

bool multi_size_lru_failed(const struct multi_size_lru *l) {
  return l->failed;
}
