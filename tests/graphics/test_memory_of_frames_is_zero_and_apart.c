/* Memory of frames is zero when it is taken, also where another block has been there, and blocks do not overlap. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/random.h"
#include "graphics/frame/frame_memory.h"

enum { BLOCKS = 24, STEPS = 1000 };

struct taken {
  uint8_t *bytes;
  size_t count;
};

/* Small blocks, blocks that share a huge page, and blocks beyond one. */
static size_t next_size(struct random_state *random) {
  static const uint32_t most[] = {1, 100, 16384, 16385, 300000, 2097152, 5000000};
  return random_below(random, most[random_below(random, (uint32_t)(sizeof most / sizeof *most))] + 1);
}

static void check_all(const struct taken *t, uint8_t value) {
  for (size_t i = 0; i < t->count; i++)
    if (t->bytes[i] != value)
      fail_msg("byte %zu of %zu is %u instead of %u", i, t->count, t->bytes[i], value);
}

static void take(struct taken *t, size_t count, uint8_t mark) {
  *t = (struct taken){frame_memory_take(count), count};
  assert_non_null(t->bytes);
  assert_int_equal((uintptr_t)t->bytes % 16, 0);
  check_all(t, 0);
  memset(t->bytes, mark, count);
}

static void give(struct taken *t, uint8_t mark) {
  check_all(t, mark);
  frame_memory_give(t->bytes);
  *t = (struct taken){0};
}

static void blocks_are_zero_and_apart(void **state) {
  struct taken all[BLOCKS] = {{0}};
  struct random_state random = {7};
  (void)state;
  for (unsigned step = 0; step < STEPS; step++) {
    const unsigned i = (unsigned)random_below(&random, BLOCKS);
    if (all[i].bytes)
      give(&all[i], (uint8_t)(i + 1));
    else
      take(&all[i], next_size(&random), (uint8_t)(i + 1));
    if (step % 250 == 249) /* the end of a frame: all slabs are used again from their begin */
      for (unsigned k = 0; k < BLOCKS; k++)
        if (all[k].bytes)
          give(&all[k], (uint8_t)(k + 1));
  }
  frame_memory_give(NULL);
}

static void more_than_there_is_is_refused(void **state) {
  (void)state;
  assert_null(frame_memory_take(SIZE_MAX));
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(blocks_are_zero_and_apart),
                                     cmocka_unit_test(more_than_there_is_is_refused)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
