/* Counts of the pairs of predictions that can be told apart, on times whose pairs are counted by hand. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "base/random.h"
#include "tuner/objective/pair_order.h"

/* Predicted 100, 105 and 200: measured in the order of the third, the second, the first. */
static void test_counts_pairs_beyond_a_ratio(void **state) {
  (void)state;
  const double measured[] = {30, 20, 10}, predicted[] = {100, 105, 200};
  const struct pair_order all = pair_order_count(measured, predicted, 3, 0.01);
  assert_int_equal(all.told_apart, 3);
  assert_int_equal(all.wrong, 3);
  const struct pair_order far = pair_order_count(measured, predicted, 3, 0.1);
  assert_int_equal(far.told_apart, 2);
  assert_int_equal(far.wrong, 2);
  const double same[] = {20, 20, 20}; /* any order of equal measurements is right */
  assert_int_equal(pair_order_count(same, predicted, 3, 0.01).wrong, 0);
}

/* Ten kernels a factor of two apart, each with a twin that is predicted 4 % slower and measured 4 % faster. */
static void test_finds_the_error_of_twins(void **state) {
  (void)state;
  enum { KERNELS = 10 };
  double measured[2 * KERNELS], predicted[2 * KERNELS];
  for (int i = 0; i < KERNELS; i++) {
    measured[2 * i] = predicted[2 * i] = ldexp(1, i);
    measured[2 * i + 1] = 0.96 * ldexp(1, i);
    predicted[2 * i + 1] = 1.04 * ldexp(1, i);
  }
  const struct pair_order found = pair_order_find(measured, predicted, 2 * KERNELS);
  assert_int_equal(found.told_apart, 180); /* all but the ten twins, of which ten would be 10 of 190 */
  assert_int_equal(found.wrong, 0);
  assert_true(found.ratio > 0.04 && found.ratio < 0.04 * 1.1);
  const struct pair_order counted = pair_order_count(measured, predicted, 2 * KERNELS, found.ratio);
  assert_int_equal(counted.told_apart, found.told_apart);
  assert_int_equal(counted.wrong, found.wrong);
}

/* Six kernels have 15 pairs; 5 % with one wrong pair added need 19. */
static void test_few_pairs_say_nothing(void **state) {
  (void)state;
  const double times[] = {1, 2, 4, 8, 16, 32, 64};
  assert_true(isnan(pair_order_find(times, times, 6).ratio));
  assert_true(pair_order_find(times, times, 7).ratio > 0);
  assert_true(isnan(pair_order_find(times, times, 0).ratio));
}

/* Normally distributed by Box and Muller. */
static double draw_normal(struct random_state *random) {
  const double a = random_unit(random), b = random_unit(random);
  return sqrt(-2 * log(1 - a)) * cos(6.283185307179586 * b);
}

static void draw_kernels(struct random_state *random, size_t count, double *measured, double *predicted) {
  for (size_t i = 0; i < count; i++) {
    measured[i] = exp(0.5 * draw_normal(random));
    predicted[i] = measured[i] * exp(0.15 * draw_normal(random));
  }
}

/* The ratio that thirty kernels determine holds for others that are drawn like them. */
static void test_holds_for_unseen_kernels(void **state) {
  (void)state;
  enum { BOARDS = 100, SEEN = 30, UNSEEN = 60 };
  double measured[UNSEEN], predicted[UNSEEN];
  size_t told_apart = 0, wrong = 0;
  struct random_state random = {7};
  for (int board = 0; board < BOARDS; board++) {
    draw_kernels(&random, SEEN, measured, predicted);
    const double ratio = pair_order_find(measured, predicted, SEEN).ratio;
    draw_kernels(&random, UNSEEN, measured, predicted);
    const struct pair_order unseen = pair_order_count(measured, predicted, UNSEEN, ratio);
    told_apart += unseen.told_apart;
    wrong += unseen.wrong;
  }
  const double share = (double)wrong / (double)told_apart;
  printf("%zu of %zu pairs of unseen kernels in the wrong order: %.1f %%\n", wrong, told_apart, 100 * share);
  assert_true(share > 0.5 * pair_order_rate && share < 1.2 * pair_order_rate);
  assert_true(told_apart > (size_t)BOARDS * UNSEEN * (UNSEEN - 1) / 4); /* most pairs */
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_counts_pairs_beyond_a_ratio), cmocka_unit_test(test_finds_the_error_of_twins),
      cmocka_unit_test(test_few_pairs_say_nothing), cmocka_unit_test(test_holds_for_unseen_kernels)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
