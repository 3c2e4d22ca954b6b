/* A design is on the front when no other is at least as good in both and better in one; of equal ones the first counts.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <math.h>
#include <stdint.h>

#include "base/random.h"
#include "dse/answer/pareto.h"
#include "rounds.h"

enum { MOST = 60 };

static int beats(const double *cost, const double *score, size_t j, size_t i) {
  if (isnan(score[j]) || cost[j] > cost[i] || score[j] < score[i])
    return 0;
  return cost[j] < cost[i] || score[j] > score[i] || j < i;
}

static int beaten(const double *cost, const double *score, size_t n, size_t i) {
  for (size_t j = 0; j < n; j++)
    if (j != i && beats(cost, score, j, i))
      return 1;
  return isnan(score[i]);
}

/* Few different numbers, so that many are equal. */
static size_t make(struct random_state *r, double *cost, double *score) {
  const size_t n = random_below(r, MOST + 1);
  const uint32_t spread = 2 + random_below(r, 40);
  for (size_t i = 0; i < n; i++) {
    cost[i] = random_below(r, spread);
    score[i] = random_below(r, 20) == 0 ? NAN : (double)random_below(r, spread) - 3;
  }
  return n;
}

static void test_front(void **state) {
  (void)state;
  for (uint32_t round = 0; round < rounds(2000); round++) {
    struct random_state r = {round};
    double cost[MOST], score[MOST];
    size_t front[MOST + 1], count, wanted = 0;
    const size_t n = make(&r, cost, score);
    assert_int_equal(pareto_front(cost, score, n, front, &count), 0);
    for (size_t i = 0; i < n; i++)
      wanted += !beaten(cost, score, n, i);
    assert_int_equal(count, wanted);
    for (size_t i = 0; i < count; i++) {
      assert_false(beaten(cost, score, n, front[i]));
      assert_true(i == 0 || cost[front[i]] > cost[front[i - 1]]);
    }
  }
}

static void test_reach(void **state) {
  (void)state;
  for (uint32_t round = 0; round < rounds(500); round++) {
    struct random_state r = {round};
    double cost[MOST], score[MOST];
    size_t reach[MOST + 1], count, wanted = 0;
    const size_t n = make(&r, cost, score);
    assert_int_equal(pareto_reach(cost, score, n, 5, reach, &count), 0);
    for (size_t i = 0; i < n; i++)
      wanted += score[i] >= 5;
    assert_int_equal(count, wanted);
    for (size_t i = 0; i < count; i++) {
      assert_true(score[reach[i]] >= 5);
      assert_true(i == 0 || cost[reach[i]] >= cost[reach[i - 1]]);
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_front), cmocka_unit_test(test_reach)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
