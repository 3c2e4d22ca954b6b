/* The hash index finds what a plain array of pairs finds, after any additions and removals, up to the most keys that it
 * was made for. The hash table finds every number of a hash, and no number of a hash whose key differs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <stdlib.h>

#include "base/hash_index.h"
#include "base/random.h"
#include "rounds.h"

#define CASES 300
#define STEPS 400

struct plain_map {
  struct hash_bucket pairs[64];
  uint32_t count;
};

static uint32_t plain_at(const struct plain_map *map, uint32_t key) {
  uint32_t i = 0;
  while (i < map->count && map->pairs[i].key != key)
    i++;
  return i;
}

static void plain_put(struct plain_map *map, uint32_t key, uint32_t value) {
  const uint32_t i = plain_at(map, key);
  map->count += i == map->count;
  map->pairs[i] = (struct hash_bucket){key, value};
}

static void plain_remove(struct plain_map *map, uint32_t key) {
  map->pairs[plain_at(map, key)] = map->pairs[map->count - 1];
  map->count--;
}

/* Keys that share few homes, the largest ones among them. */
static uint32_t some_key(struct random_state *r, uint32_t span) {
  const uint32_t key = random_below(r, span);
  return random_below(r, 3) ? key : UINT32_MAX - 1 - key;
}

static void check_case(uint32_t seed) {
  struct random_state r = {seed};
  const uint32_t most = 1 + random_below(&r, 64), span = 1 + random_below(&r, 100);
  struct plain_map plain = {.count = 0};
  struct hash_index index;
  void *memory = malloc(hash_index_bytes(most));
  assert_non_null(memory);
  hash_index_start(&index, memory, most);
  for (int i = 0; i < STEPS; i++) {
    const uint32_t key = some_key(&r, span), value = random_below(&r, UINT32_MAX), at = plain_at(&plain, key);
    const bool there = at < plain.count;
    assert_int_equal(hash_index_find(&index, key), there ? plain.pairs[at].value : HASH_INDEX_NONE);
    if (random_below(&r, 5) < 2) {
      assert_int_equal(hash_index_remove(&index, key), there);
      if (there)
        plain_remove(&plain, key);
    } else if (there || plain.count < most) {
      assert_int_equal(hash_index_put(&index, key, value), !there);
      plain_put(&plain, key, value);
    }
  }
  free(memory);
}

static void test_equals_plain_map(void **state) {
  (void)state;
  for (uint32_t seed = 0; seed < rounds(CASES); seed++)
    check_case(seed);
}

/* Hashes of few keys; every second of them has the other's halves exchanged, and thus its key. */
static uint64_t some_hash(struct random_state *r, uint32_t span) {
  const uint64_t hash = (uint64_t)random_below(r, span) << 32 | random_below(r, span);
  return random_below(r, 2) ? hash : hash << 32 | hash >> 32;
}

/* Counts how often the search for the hash comes by each number. */
static void check_search(const struct hash_table *table, const uint64_t *hashes, uint32_t count, uint64_t hash) {
  uint8_t met[1000] = {0};
  for (uint32_t at = hash_table_first(table, hash), i; (i = hash_table_next(table, hash, &at)) != HASH_INDEX_NONE;) {
    assert_true(i < count);
    met[i]++;
  }
  for (uint32_t i = 0; i < count; i++)
    assert_int_equal(met[i], hash_table_key(hashes[i]) == hash_table_key(hash));
}

static void check_table(uint32_t seed) {
  struct random_state r = {seed};
  struct hash_table table = {0};
  uint64_t hashes[1000] = {0};
  const uint32_t most = random_below(&r, 1000), span = 1 + random_below(&r, 40);
  check_search(&table, hashes, 0, some_hash(&r, span));
  for (uint32_t i = 0; i < most; i++) {
    hashes[i] = some_hash(&r, span);
    assert_true(hash_table_add(&table, hashes[i], i));
    if (random_below(&r, 10) == 0)
      check_search(&table, hashes, i + 1, some_hash(&r, span));
  }
  check_search(&table, hashes, most, some_hash(&r, span));
  assert_true(hash_table_bytes(&table) >= 2 * (size_t)most * sizeof(struct hash_bucket));
  hash_table_clear(&table);
  check_search(&table, hashes, 0, some_hash(&r, span));
}

static void test_table_finds_every_number_of_a_hash(void **state) {
  (void)state;
  for (uint32_t seed = 0; seed < rounds(CASES) / 3; seed++)
    check_table(seed);
}

/* Bytes at any address; every byte and the length change the hash. */
static void test_hash_of_bytes_depends_on_each(void **state) {
  (void)state;
  unsigned char bytes[201] = {0};
  for (size_t length = 0; length < 200; length++) {
    const uint64_t hash = hash_bytes(bytes, length);
    assert_true(hash == hash_bytes(bytes + 1, length) && hash != hash_bytes(bytes, length + 1));
    for (size_t i = 0; i < length; i++) {
      bytes[i] = 1;
      assert_true(hash_bytes(bytes, length) != hash);
      bytes[i] = 0;
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_equals_plain_map),
                                     cmocka_unit_test(test_table_finds_every_number_of_a_hash),
                                     cmocka_unit_test(test_hash_of_bytes_depends_on_each)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
