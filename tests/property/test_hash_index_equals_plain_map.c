/* The hash index finds what a plain array of pairs finds, after any additions and removals, up to the most keys that it
 * was made for. */
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
  struct hash_slot pairs[64];
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
  map->pairs[i] = (struct hash_slot){key, value};
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

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_equals_plain_map)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
