#include "base/random.h"

#include <stdbool.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

/* The first numbers of seed 1234567, as the authors' reference code prints them. */
static void sequence_equals_reference(void **state) {
  (void)state;
  struct random_state r = {1234567};
  assert_true(random_next(&r) == 6457827717110365317u);
  assert_true(random_next(&r) == 3203168211198807973u);
  assert_true(random_next(&r) == 9817491932198370423u);
  assert_true(random_next(&r) == 4593380528125082431u);
  assert_true(random_next(&r) == 16408922859458223821u);
}

static void below_and_unit_stay_in_range(void **state) {
  (void)state;
  struct random_state r = {1};
  unsigned seen = 0;
  for (int i = 0; i < 1000; i++) {
    uint32_t n = random_below(&r, 3);
    assert_true(n < 3);
    seen |= 1u << n;
    double u = random_unit(&r);
    assert_true(u >= 0 && u < 1);
    assert_int_equal(random_below(&r, 1), 0);
  }
  assert_int_equal(seen, 7);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(sequence_equals_reference),
                                     cmocka_unit_test(below_and_unit_stay_in_range)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
