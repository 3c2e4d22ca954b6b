/* A list of lines in order of use, newest first, with an index by line. The caches that decide by LRU distance consist
 * of it.
 *
 * An entry carries a mark for the cache that owns the list (the number of a zone or of a size). Ownership: the caller's
 * memory (lru_list_bytes). Errors: none. Cost: O(1) expected. Threads: one at a time.
 * Source: Mattson, Gecsei, Slutz and Traiger, "Evaluation techniques for storage hierarchies", IBM Systems Journal
 * 9(2), 1970 (the LRU stack). */
#ifndef MODEL_LRU_LIST_H
#define MODEL_LRU_LIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define LRU_NONE       UINT32_MAX /* no entry */
#define LRU_FIRST_BITS 12         /* log2 of the buckets that an empty list uses: its first pages */

struct lru_entry {
  uint32_t line;
  uint32_t newer, older; /* neighbours in order of use */
  uint32_t next;         /* number + 1 of the next entry of the same bucket, 0: it is the last */
  uint32_t mark;
};

/* A list with its index. The index chains the entries themselves: a miss costs two short chains, where
 * base/hash_index.h moves entries (61 against 77 ns a miss, measured on an L2 of 8,192 lines). */
struct lru_list {
  uint32_t capacity, used;
  uint32_t newest, oldest;
  unsigned shift;            /* 64 - log2(buckets in use) */
  unsigned least_shift;      /* 64 - log2(all buckets) */
  struct lru_entry *entries; /* [capacity] */
  uint32_t *buckets;         /* number + 1 of the first entry of each bucket, 0: it is empty */
};

/* Returns the logarithm to base 2 of the number of buckets, which is at least twice the number of lines. */
static inline unsigned lru_list_bits(uint32_t capacity) {
  unsigned bits = 1;
  while ((UINT64_C(1) << bits) < 2 * (uint64_t)capacity)
    bits++;
  return bits;
}

/* Returns the bytes that the entries and the index of `capacity` lines take. */
static inline size_t lru_list_bytes(uint32_t capacity) {
  return capacity * sizeof(struct lru_entry) + (sizeof(uint32_t) << lru_list_bits(capacity));
}

/* Makes an empty list. `memory` must be zero. Pages that are not used cost nothing, so that a large cache of which a
 * kernel uses little is cheap. */
static inline void lru_list_start(struct lru_list *list, void *memory, uint32_t capacity) {
  const unsigned bits = lru_list_bits(capacity);
  struct lru_entry *entries = memory;
  *list = (struct lru_list){.capacity = capacity,
                            .newest = LRU_NONE,
                            .oldest = LRU_NONE,
                            .shift = 64 - (bits < LRU_FIRST_BITS ? bits : LRU_FIRST_BITS),
                            .least_shift = 64 - bits,
                            .entries = entries,
                            .buckets = (uint32_t *)(entries + capacity)};
}

/* Returns the bucket of a line; the multiplier is 2^64 over the golden ratio (Knuth, "The art of computer
 * programming", vol. 3, section 6.4). */
static inline uint32_t *lru_list_bucket(const struct lru_list *list, uint32_t line) {
  return &list->buckets[(line * UINT64_C(0x9e3779b97f4a7c15)) >> list->shift];
}

static inline uint32_t lru_list_find(const struct lru_list *list, uint32_t line) {
  uint32_t i = *lru_list_bucket(list, line);
  while (i != 0 && list->entries[i - 1].line != line)
    i = list->entries[i - 1].next;
  return i - 1; /* it is LRU_NONE if i is 0 */
}

static inline void lru_list_insert(struct lru_list *list, uint32_t i, uint32_t line) {
  uint32_t *bucket = lru_list_bucket(list, line);
  list->entries[i].line = line;
  list->entries[i].next = *bucket;
  *bucket = i + 1;
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

/* Gives an entry to another line. */
static inline void lru_list_rename(struct lru_list *list, uint32_t i, uint32_t line) {
  uint32_t *link = lru_list_bucket(list, list->entries[i].line);
  while (*link != i + 1)
    link = &list->entries[*link - 1].next;
  *link = list->entries[i].next;
  lru_list_insert(list, i, line);
}

/* Returns whether there are fewer than two buckets for each line, and more can be used. */
static inline bool lru_list_is_narrow(const struct lru_list *list) {
  return list->shift > list->least_shift && list->used >= UINT64_C(1) << (63 - list->shift);
}

/* Uses twice as many buckets. */
static inline void lru_list_widen(struct lru_list *list) {
  memset(list->buckets, 0, sizeof *list->buckets << (64 - list->shift));
  list->shift--;
  for (uint32_t i = 0; i < list->used; i++)
    lru_list_insert(list, i, list->entries[i].line);
}

/* Adds a line that the list does not hold as the newest, with mark 0, and evicts the oldest one if the list is full.
 * Returns the number of the entry. */
static inline uint32_t lru_list_add(struct lru_list *list, uint32_t line) {
  if (lru_list_is_full(list)) {
    const uint32_t oldest = list->oldest;
    lru_list_rename(list, oldest, line);
    list->entries[oldest].mark = 0;
    lru_list_use(list, oldest);
    return oldest;
  }
  if (lru_list_is_narrow(list))
    lru_list_widen(list);
  const uint32_t i = list->used++;
  lru_list_insert(list, i, line);
  list->entries[i].mark = 0;
  lru_list_push(list, i);
  return i;
}

/* Returns the line that adding `line` would evict, or `none` if it would evict none. */
static inline uint32_t lru_list_victim(const struct lru_list *list, uint32_t line, uint32_t none) {
  return !lru_list_is_full(list) || lru_list_find(list, line) != LRU_NONE ? none : list->entries[list->oldest].line;
}

#endif
