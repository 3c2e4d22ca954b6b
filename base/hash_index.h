/* Hash tables with open addressing and linear probing, at most half full, so that a search ends after a few buckets.
 *
 * struct hash_index maps 32-bit keys to 32-bit values, for caches and sets of lines. A key occurs at most once, and the
 * caller knows the largest number of keys beforehand. A removal moves later keys of the search back, so that searches
 * do not become slower with age. Ownership: the caller's memory, hash_index_bytes(most) bytes aligned as a uint32_t.
 * Errors: none.
 *
 * struct hash_table holds numbers of things that the caller keeps, found by a hash of the thing. Different things may
 * have the same hash, so the caller compares them. The table grows. It starts from zero. Ownership: hash_table_clear
 * frees. Errors: hash_table_add returns false when memory has run out, and the table is unchanged.
 *
 * Values are below HASH_INDEX_NONE. Cost: O(1) expected. Threads: a table belongs to one thread at a time.
 * Source: Knuth, "The art of computer programming", vol. 3, section 6.4, algorithms L (search, insertion) and R
 * (removal); the multiplier is 2^64 over the golden ratio. */
#ifndef BASE_HASH_INDEX_H
#define BASE_HASH_INDEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define HASH_INDEX_NONE UINT32_MAX

struct hash_bucket {
  uint32_t key, value; /* value HASH_INDEX_NONE: the bucket is empty */
};

struct hash_index {
  struct hash_bucket *buckets;
  uint32_t mask;  /* buckets - 1 */
  unsigned shift; /* 64 - log2(buckets) */
};

static inline unsigned hash_index_bits(uint32_t most) {
  unsigned bits = 1;
  while ((UINT64_C(1) << bits) < 2 * (uint64_t)most)
    bits++;
  return bits;
}

/* Returns the bytes that an index of at most `most` keys takes. */
static inline size_t hash_index_bytes(uint32_t most) {
  return sizeof(struct hash_bucket) << hash_index_bits(most);
}

/* Makes an empty index of at most `most` keys (2^31 or fewer) in `memory`. */
static inline void hash_index_start(struct hash_index *index, void *memory, uint32_t most) {
  const unsigned bits = hash_index_bits(most);
  *index = (struct hash_index){memory, (uint32_t)((UINT64_C(1) << bits) - 1), 64 - bits};
  memset(memory, 0xff, hash_index_bytes(most));
}

static inline uint32_t hash_index_home(const struct hash_index *index, uint32_t key) {
  return (uint32_t)((key * UINT64_C(0x9e3779b97f4a7c15)) >> index->shift);
}

/* Returns the bucket that holds the key, or the empty one where its search ends. */
static inline struct hash_bucket *hash_index_bucket(const struct hash_index *index, uint32_t key) {
  uint32_t at = hash_index_home(index, key);
  while (index->buckets[at].key != key && index->buckets[at].value != HASH_INDEX_NONE)
    at = (at + 1) & index->mask;
  return &index->buckets[at];
}

/* Returns the key's value, or HASH_INDEX_NONE if the index does not hold the key. */
static inline uint32_t hash_index_find(const struct hash_index *index, uint32_t key) {
  return hash_index_bucket(index, key)->value;
}

/* Adds a key, or gives it another value. Returns true if the key is new. */
static inline bool hash_index_put(struct hash_index *index, uint32_t key, uint32_t value) {
  struct hash_bucket *bucket = hash_index_bucket(index, key);
  const bool fresh = bucket->value == HASH_INDEX_NONE;
  *bucket = (struct hash_bucket){key, value};
  return fresh;
}

/* Removes a key. Returns true if the index held it. */
bool hash_index_remove(struct hash_index *index, uint32_t key);
/* Moves the keys to memory of its own for at most `most` keys, and frees the memory that it had. An index of zeros has
 * none. Returns false, with nothing changed, when out of memory. */
bool hash_index_grow(struct hash_index *index, uint32_t most);

struct hash_table {
  struct hash_index index; /* its keys are folded hashes, and several buckets may have one key */
  uint32_t most, count;    /* largest count that the buckets are for; numbers in the table */
};

/* Returns a hash of the bytes, which is the same on every processor of one byte order. Cost: about 0.3 ns a byte. */
uint64_t hash_bytes(const void *data, size_t length);
/* Adds a number, which may be there already. */
bool hash_table_add(struct hash_table *table, uint64_t hash, uint32_t number);
void hash_table_clear(struct hash_table *table);

static inline size_t hash_table_bytes(const struct hash_table *table) {
  return table->most > 0 ? hash_index_bytes(table->most) : 0;
}

static inline uint32_t hash_table_key(uint64_t hash) {
  return (uint32_t)(hash ^ hash >> 32);
}

/* Returns where the search for numbers with this hash begins. */
static inline uint32_t hash_table_first(const struct hash_table *table, uint64_t hash) {
  return hash_index_home(&table->index, hash_table_key(hash));
}

/* Returns the next number with this hash at or after bucket *at, and moves *at behind it. HASH_INDEX_NONE means that
 * there are no more. Numbers with another hash may be among those returned. */
static inline uint32_t hash_table_next(const struct hash_table *table, uint64_t hash, uint32_t *at) {
  if (table->count == 0)
    return HASH_INDEX_NONE;
  for (;;) {
    const struct hash_bucket bucket = table->index.buckets[*at];
    *at = (*at + 1) & table->index.mask;
    if (bucket.value == HASH_INDEX_NONE || bucket.key == hash_table_key(hash))
      return bucket.value;
  }
}

#endif
