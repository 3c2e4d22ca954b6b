/* The smallest key is found with the processor's vectors and without them: on random keys, near and far apart, equal
 * ones and none among them, of every count up to 64; and of many that change one at a time. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <stdint.h>

#include "base/random.h"
#include "model/policy/smallest_key.h"

enum { MOST = 64, ROUNDS = 200 };

static uint64_t random_key(struct random_state *r) {
  const uint64_t random = random_next(r);
  switch (random % 4) {
  case 0:
    return FIRST_KEY_NONE;
  case 1:
    return random >> 60;
  default:
    return random >> 1;
  }
}

static uint64_t smallest(const uint64_t *keys, uint32_t count) {
  uint64_t first = keys[0];
  for (uint32_t i = 1; i < count; i++)
    if (keys[i] < first)
      first = keys[i];
  return first;
}

static void both_ways_find_the_smallest(void **state) {
  (void)state;
  struct random_state r = {1};
  uint64_t keys[MOST];
  for (uint32_t count = FIRST_KEY_LANES; count <= MOST; count += FIRST_KEY_LANES)
    for (int round = 0; round < ROUNDS; round++) {
      for (uint32_t i = 0; i < count; i++)
        keys[i] = random_key(&r);
      assert_int_equal(first_key_plain(keys, count), smallest(keys, count));
      assert_int_equal(first_key_choose()(keys, count), smallest(keys, count));
    }
}

static void the_smallest_of_changing_ones(void **state) {
  (void)state;
  static const uint32_t counts[] = {1, 4, 15, 16, 17, 64, 100, 1000};
  for (unsigned n = 0; n < sizeof counts / sizeof counts[0]; n++) {
    const uint32_t count = counts[n];
    struct random_state r = {n};
    struct first_keys all;
    uint64_t keys[1000];
    assert_true(first_keys_init(&all, count));
    assert_true(all.first == FIRST_KEY_NONE);
    for (uint32_t i = 0; i < count; i++)
      keys[i] = FIRST_KEY_NONE;
    for (int round = 0; round < 10 * ROUNDS; round++) {
      const uint32_t number = random_below(&r, count);
      keys[number] = random_key(&r);
      first_keys_set(&all, number, keys[number]);
      assert_true(all.first == smallest(keys, count));
    }
    first_keys_clear(&all);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(both_ways_find_the_smallest),
                                     cmocka_unit_test(the_smallest_of_changing_ones)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
