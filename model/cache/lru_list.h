/* Lines in order of use, newest first, with an index by line: what the caches that decide by LRU distance are made of.
 *
 * An entry carries a mark for the cache that owns the list (a zone or a size that it stands in). Ownership: the
 * caller's memory (lru_list_bytes). Errors: none. Cost: O(1) expected. Threads: one at a time.
 * Source: Mattson, Gecsei, Slutz and Traiger, "Evaluation techniques for storage hierarchies", IBM Systems Journal
 * 9(2), 1970 (the LRU stack). */
#ifndef MODEL_LRU_LIST_H
#define MODEL_LRU_LIST_H

#include "base/hash_index.h"

#define LRU_NONE HASH_INDEX_NONE /* no entry */

struct lru_entry {
  uint32_t line;
  uint32_t newer, older; /* neighbours in order of use */
  uint32_t mark;
};

struct lru_list {
  uint32_t capacity, used;
  uint32_t newest, oldest;
  struct lru_entry *entries; /* [capacity] */
  struct hash_index index;   /* of entries, by line */
};

/* Returns the bytes that the entries and the index of so many lines take. */
static inline size_t lru_list_bytes(uint32_t capacity) {
  return capacity * sizeof(struct lru_entry) + hash_index_bytes(capacity);
}

static inline void lru_list_start(struct lru_list *list, void *memory, uint32_t capacity) {
  *list = (struct lru_list){capacity, 0, LRU_NONE, LRU_NONE, memory, {0}};
  hash_index_start(&list->index, list->entries + capacity, capacity);
}

static inline uint32_t lru_list_find(const struct lru_list *list, uint32_t line) {
  return hash_index_find(&list->index, line);
}

static inline void lru_list_unlink(struct lru_list *list, uint32_t i) {
  const struct lru_entry *e = &list->entries[i];
  *(e->newer == LRU_NONE ? &list->newest : &list->entries[e->newer].older) = e->older;
  *(e->older == LRU_NONE ? &list->oldest : &list->entries[e->older].newer) = e->newer;
}

static inline void lru_list_push(struct lru_list *list, uint32_t i) {
  struct lru_entry *e = &list->entries[i];
  e->newer = LRU_NONE;
  e->older = list->newest;
  *(list->newest == LRU_NONE ? &list->oldest : &list->entries[list->newest].newer) = i;
  list->newest = i;
}

/* Makes an entry the newest. */
static inline void lru_list_use(struct lru_list *list, uint32_t i) {
  if (list->newest == i)
    return;
  lru_list_unlink(list, i);
  lru_list_push(list, i);
}

static inline bool lru_list_is_full(const struct lru_list *list) {
  return list->used == list->capacity;
}

/* Gives an entry another line. */
static inline void lru_list_rename(struct lru_list *list, uint32_t i, uint32_t line) {
  hash_index_remove(&list->index, list->entries[i].line);
  hash_index_put(&list->index, line, i);
  list->entries[i].line = line;
}

/* Adds a line that is not there as the newest, with mark 0; the oldest one goes if the list is full. Returns the
 * entry. */
static inline uint32_t lru_list_add(struct lru_list *list, uint32_t line) {
  if (lru_list_is_full(list)) {
    const uint32_t oldest = list->oldest;
    lru_list_rename(list, oldest, line);
    list->entries[oldest].mark = 0;
    lru_list_use(list, oldest);
    return oldest;
  }
  const uint32_t i = list->used++;
  hash_index_put(&list->index, line, i);
  list->entries[i] = (struct lru_entry){.line = line};
  lru_list_push(list, i);
  return i;
}

/* Returns the line that adding `line` would push out, `none` where nothing goes. */
static inline uint32_t lru_list_victim(const struct lru_list *list, uint32_t line, uint32_t none) {
  return !lru_list_is_full(list) || lru_list_find(list, line) != LRU_NONE ? none : list->entries[list->oldest].line;
}

#endif
