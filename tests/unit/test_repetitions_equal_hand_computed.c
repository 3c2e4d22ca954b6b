/* Minimum, median, quartiles and outliers of repetitions against numbers worked out by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "measure/repetitions.h"

static void one_run_is_everything(void **state) {
  (void)state;
  double times[] = {7};
  struct repetitions r;
  repetitions_summarise(times, 1, &r);
  assert_true(r.minimum == 7 && r.median == 7 && r.maximum == 7 && r.spread == 0);
  assert_int_equal(r.count, 1);
  assert_int_equal(r.outliers, 0);
}

/* 1 2 3 4 5: quartiles 2 and 4, so outliers begin above 4 + 3 * 2 = 10. */
static void order_does_not_matter(void **state) {
  (void)state;
  double times[] = {4, 1, 5, 3, 2};
  struct repetitions r;
  repetitions_summarise(times, 5, &r);
  assert_true(r.minimum == 1 && r.median == 3 && r.maximum == 5 && r.spread == 2);
  assert_int_equal(r.outliers, 0);
}

/* Quartiles of 1 2 3 4 11 are 2 and 4; 10 is no outlier, 11 is. */
static void far_values_are_outliers(void **state) {
  (void)state;
  double far[] = {11, 1, 2, 3, 4}, near[] = {10, 1, 2, 3, 4}, below[] = {-100, 1, 2, 3, 4};
  struct repetitions r;
  repetitions_summarise(far, 5, &r);
  assert_int_equal(r.outliers, 1);
  repetitions_summarise(near, 5, &r);
  assert_int_equal(r.outliers, 0);
  repetitions_summarise(below, 5, &r);
  assert_int_equal(r.outliers, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(one_run_is_everything),
      cmocka_unit_test(order_does_not_matter),
      cmocka_unit_test(far_values_are_outliers),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
