/* The caches: the list and its markers. The list's memory grows up to the largest size. */
#include "model/cache/multi_size_lru.h"

#include <stdlib.h>
#include <string.h>

#include "model/cache/lru_list.h"

enum { FIRST_ROOM = 256 };

struct multi_size_lru {
  uint32_t count;
  bool failed;
  uint32_t *sizes, *markers; /* [count]; LRU_NONE while a size is not full; the largest needs none */
  struct lru_list list;      /* an entry's mark is the smallest size that holds it; grows up to the largest size */
};

static uint32_t largest(const struct multi_size_lru *l) {
  return l->sizes[l->count - 1];
}

/* Makes room for `lines` lines and keeps those in the list. Returns false when out of memory. */
static bool make_room(struct multi_size_lru *l, uint32_t lines) {
  void *memory = calloc(1, lru_list_bytes(lines));
  if (!memory)
    return false;
  const struct lru_list before = l->list;
  lru_list_start(&l->list, memory, lines);
  for (uint32_t i = 0; i < before.used; i++) {
    l->list.entries[i] = before.entries[i];
    lru_list_insert(&l->list, i, before.entries[i].line);
  }
  l->list.used = before.used;
  l->list.newest = before.used ? before.newest : LRU_NONE;
  l->list.oldest = before.used ? before.oldest : LRU_NONE;
  free(before.entries);
  return true;
}

struct multi_size_lru *multi_size_lru_create(const uint32_t *sizes, uint32_t count) {
  const uint32_t most = sizes[count - 1];
  struct multi_size_lru *l = calloc(1, sizeof *l);
  if (!l)
    return NULL;
  l->count = count;
  l->sizes = malloc(count * sizeof *sizes);
  l->markers = malloc(count * sizeof *l->markers);
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
  free(l->list.entries);
  free(l);
}

/* Moves the markers after a line from behind the first `passed` sizes has come to the front: the line that was the last
 * inside each of them is now outside. */
static void move_markers(struct multi_size_lru *l, uint32_t passed) {
  for (uint32_t s = 0; s < passed && l->markers[s] != LRU_NONE; s++) {
    struct lru_entry *last = &l->list.entries[l->markers[s]];
    last->mark = s + 1;
    l->markers[s] = last->newer;
  }
}

static void use_again(struct multi_size_lru *l, uint32_t i) {
  struct lru_entry *entry = &l->list.entries[i];
  const uint32_t size = entry->mark;
  if (i == l->list.newest)
    return;
  if (size + 1 < l->count && l->markers[size] == i) /* its neighbour is now the last line inside */
    l->markers[size] = entry->newer;
  lru_list_use(&l->list, i);
  move_markers(l, size);
  entry->mark = 0;
}

/* Makes room for one more line. Returns false when out of memory. */
static bool make_room_for_one(struct multi_size_lru *l) {
  const uint32_t room = l->list.capacity, most = largest(l);
  return l->list.used < room || room == most || make_room(l, room < most / 4 ? 4 * room : most);
}

static void add(struct multi_size_lru *l, uint32_t line) {
  const bool full = l->list.used == largest(l);
  if (!make_room_for_one(l)) {
    l->failed = true;
    return;
  }
  lru_list_add(&l->list, line);
  move_markers(l, l->count - 1);
  for (uint32_t s = 0; s + 1 < l->count && !full; s++)
    if (l->sizes[s] == l->list.used) /* the size has just become full: the oldest line is its last */
      l->markers[s] = l->list.oldest;
}

uint32_t multi_size_lru_access(struct multi_size_lru *l, uint32_t line) {
  const struct lru_list *list = &l->list;
  if (list->newest != LRU_NONE && list->entries[list->newest].line == line)
    return 0;
  const uint32_t i = lru_list_find(list, line);
  if (i == LRU_NONE) {
    add(l, line);
    return l->count;
  }
  const uint32_t size = list->entries[i].mark;
  use_again(l, i);
  return size;
}

uint32_t multi_size_lru_touch(struct multi_size_lru *l, uint32_t line) {
  const uint32_t i = lru_list_find(&l->list, line);
  if (i == LRU_NONE)
    return l->count;
  if (l->list.entries[i].mark == 0)
    use_again(l, i);
  return l->list.entries[i].mark;
}

bool multi_size_lru_failed(const struct multi_size_lru *l) {
  return l->failed;
}
