/* The bytes that a launch may have left in a buffer are cleared before the next one, and none behind the buffer. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "graphics/execute/execution.h"

enum { ALL = 64, BEHIND = 8, LEFT = 1, FILLED = 2 };

/* A launch has left `left` bytes, or, with `forgotten`, any; the next one fills `filled`. */
static void check(unsigned left, unsigned filled, int forgotten) {
  char memory[ALL + BEHIND] = {0};
  memset(memory, LEFT, forgotten ? ALL : left);
  memset(memory + ALL, LEFT, BEHIND);
  memset(memory, FILLED, filled);
  held_words_clear_rest(memory, filled, ALL, forgotten ? 0 : held_words_of(left));
  for (unsigned i = 0; i < ALL + BEHIND; i++)
    assert_int_equal(memory[i], i < filled ? FILLED : i < ALL ? 0 : LEFT);
}

static void rests_are_cleared(void **state) {
  (void)state;
  for (unsigned left = 0; left <= ALL; left++)
    for (unsigned filled = 0; filled <= ALL; filled++)
      for (int forgotten = 0; forgotten < 2; forgotten++)
        check(left, filled, forgotten);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(rests_are_cleared)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
