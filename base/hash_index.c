#include "base/hash_index.h"

#include <stdlib.h>

/* Moves keys behind the gap into it where their search would otherwise end at the gap. */
static void close_gap(struct hash_index *index, uint32_t gap) {
  struct hash_bucket *buckets = index->buckets;
  for (uint32_t at = (gap + 1) & index->mask; buckets[at].value != HASH_INDEX_NONE; at = (at + 1) & index->mask) {
    const uint32_t home = hash_index_home(index, buckets[at].key);
    if (((at - home) & index->mask) >= ((at - gap) & index->mask)) {
      buckets[gap] = buckets[at];
      gap = at;
    }
  }
  buckets[gap] = (struct hash_bucket){UINT32_MAX, HASH_INDEX_NONE};
}

bool hash_index_remove(struct hash_index *index, uint32_t key) {
  struct hash_bucket *bucket = hash_index_bucket(index, key);
  if (bucket->value == HASH_INDEX_NONE)
    return false;
  close_gap(index, (uint32_t)(bucket - index->buckets));
  return true;
}

static uint64_t mix_in(uint64_t hash, const unsigned char *at) {
  uint64_t word;
  memcpy(&word, at, 8);
  hash = (hash ^ word) * UINT64_C(0xff51afd7ed558ccd);
  return hash ^ hash >> 32;
}

/* Each step mixes eight bytes as the finalizer of MurmurHash3 does; long data is mixed in four independent chains,
 * which a processor computes at the same time. The last step may take bytes again. */
uint64_t hash_bytes(const void *data, size_t length) {
  const unsigned char *at = data, *end = at + length;
  uint64_t hash = length * UINT64_C(0x9e3779b97f4a7c15), b = 1, c = 2, d = 3;
  for (; end - at >= 128; at += 32) {
    hash = mix_in(hash, at);
    b = mix_in(b, at + 8);
    c = mix_in(c, at + 16);
    d = mix_in(d, at + 24);
  }
  hash ^= b * 3 + c * 5 + d * 7;
  for (; end - at > 8; at += 8)
    hash = mix_in(hash, at);
  if (length >= 8)
    hash = mix_in(hash, end - 8);
  else
    for (; at < end; at++)
      hash = (hash ^ *at) * UINT64_C(0xc4ceb9fe1a85ec53);
  return hash ^ (hash >> 29);
}

static void put_anywhere(struct hash_index *index, struct hash_bucket entry) {
  uint32_t at = hash_index_home(index, entry.key);
  while (index->buckets[at].value != HASH_INDEX_NONE)
    at = (at + 1) & index->mask;
  index->buckets[at] = entry;
}

bool hash_index_grow(struct hash_index *index, uint32_t most) {
  void *memory = malloc(hash_index_bytes(most));
  struct hash_index larger;
  if (!memory)
    return false;
  hash_index_start(&larger, memory, most);
  for (uint32_t i = 0; index->buckets && i <= index->mask; i++)
    if (index->buckets[i].value != HASH_INDEX_NONE)
      put_anywhere(&larger, index->buckets[i]);
  free(index->buckets);
  *index = larger;
  return true;
}

static bool grow(struct hash_table *t) {
  const uint32_t most = t->most ? 2 * t->most : 32;
  if (most <= t->most || !hash_index_grow(&t->index, most))
    return false;
  t->most = most;
  return true;
}

bool hash_table_add(struct hash_table *t, uint64_t hash, uint32_t number) {
  if (t->count == t->most && !grow(t))
    return false;
  put_anywhere(&t->index, (struct hash_bucket){hash_table_key(hash), number});
  t->count++;
  return true;
}

void hash_table_clear(struct hash_table *t) {
  free(t->index.buckets);
  *t = (struct hash_table){0};
}
