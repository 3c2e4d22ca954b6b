/* Cache by reuse distance: an access hits iff fewer than `lines` distinct other lines were used since the last use of
 * its line. That is a fully associative LRU cache, kept as a list in order of use plus a hash table: O(1) an access.
 * Source: Mattson et al., "Evaluation techniques for storage hierarchies", IBM Systems Journal 1970 (stack distance);
 * REASSEMBLE, thesis table 5.6. */
#include "model/cache/cache.h"

#include <stdlib.h>
#include <string.h>

#define NONE UINT32_MAX

struct entry {
  uint32_t line;
  uint32_t newer, older; /* neighbours in order of use */
  uint32_t next;         /* next entry of the same bucket */
};

struct reuse_cache {
  struct cache base;
  uint32_t capacity, used;
  uint32_t newest, oldest;
  unsigned hash_shift;
  uint32_t *buckets;      /* first entry of each, NONE: empty */
  struct entry entries[]; /* [capacity], then the buckets */
};

static uint32_t bucket_of(const struct reuse_cache *c, uint32_t line) {
  return (uint32_t)((line * UINT64_C(0x9e3779b97f4a7c15)) >> c->hash_shift);
}

static struct cache *reuse_create(uint32_t lines, uint32_t ways, bool hash) {
  (void)ways;
  (void)hash;
  unsigned bits = 1;
  while ((UINT64_C(1) << bits) < 2 * (uint64_t)lines)
    bits++;
  size_t head = sizeof(struct reuse_cache) + lines * sizeof(struct entry);
  struct reuse_cache *c = malloc(head + (sizeof(uint32_t) << bits));
  if (!c)
    return NULL;
  *c = (struct reuse_cache){.base = {&cache_reuse_distance, lines},
                            .capacity = lines,
                            .newest = NONE,
                            .oldest = NONE,
                            .hash_shift = 64 - bits};
  c->buckets = (uint32_t *)((char *)c + head);
  memset(c->buckets, 0xff, sizeof(uint32_t) << bits);
  return &c->base;
}

static uint32_t find(const struct reuse_cache *c, uint32_t line) {
  uint32_t i = c->buckets[bucket_of(c, line)];
  while (i != NONE && c->entries[i].line != line)
    i = c->entries[i].next;
  return i;
}

static void list_remove(struct reuse_cache *c, uint32_t i) {
  struct entry *e = &c->entries[i];
  *(e->newer == NONE ? &c->newest : &c->entries[e->newer].older) = e->older;
  *(e->older == NONE ? &c->oldest : &c->entries[e->older].newer) = e->newer;
}

static void list_push(struct reuse_cache *c, uint32_t i) {
  struct entry *e = &c->entries[i];
  e->newer = NONE;
  e->older = c->newest;
  *(c->newest == NONE ? &c->oldest : &c->entries[c->newest].newer) = i;
  c->newest = i;
}

static void bucket_remove(struct reuse_cache *c, uint32_t i) {
  uint32_t *link = &c->buckets[bucket_of(c, c->entries[i].line)];
  while (*link != i)
    link = &c->entries[*link].next;
  *link = c->entries[i].next;
}

static uint32_t take_entry(struct reuse_cache *c) {
  if (c->used < c->capacity)
    return c->used++;
  uint32_t i = c->oldest;
  list_remove(c, i);
  bucket_remove(c, i);
  return i;
}

static bool reuse_touch(struct cache *cache, uint32_t line) {
  struct reuse_cache *c = (struct reuse_cache *)cache;
  if (c->newest != NONE && c->entries[c->newest].line == line)
    return true;
  uint32_t i = find(c, line);
  if (i == NONE)
    return false;
  list_remove(c, i);
  list_push(c, i);
  return true;
}

static bool reuse_access(struct cache *cache, uint32_t line) {
  struct reuse_cache *c = (struct reuse_cache *)cache;
  if (reuse_touch(cache, line))
    return true;
  uint32_t i = take_entry(c);
  uint32_t *bucket = &c->buckets[bucket_of(c, line)];
  c->entries[i].line = line;
  c->entries[i].next = *bucket;
  *bucket = i;
  list_push(c, i);
  return false;
}

static uint32_t reuse_victim(const struct cache *cache, uint32_t line) {
  const struct reuse_cache *c = (const struct reuse_cache *)cache;
  return c->used < c->capacity || find(c, line) != NONE ? CACHE_NO_LINE : c->entries[c->oldest].line;
}

const struct cache_model_ops cache_reuse_distance = {
    .create = reuse_create,
    .access = reuse_access,
    .touch = reuse_touch,
    .victim = reuse_victim,
};
