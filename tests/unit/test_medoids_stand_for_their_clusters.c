/* Medoids against all choices of k points, and on clusters that anyone can see. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/random.h"
#include "tuner/learner/medoids.h"

enum { POINTS = 9, K = 3 };

static double cost(const double *points, const size_t *medoids) {
  double sum = 0;
  for (size_t i = 0; i < POINTS; i++) {
    double nearest = INFINITY;
    for (size_t m = 0; m < K; m++)
      nearest =
          fmin(nearest, hypot(points[2 * i] - points[2 * medoids[m]], points[2 * i + 1] - points[2 * medoids[m] + 1]));
    sum += nearest;
  }
  return sum;
}

static double least_cost(const double *points) {
  double least = INFINITY;
  for (size_t a = 0; a < POINTS; a++)
    for (size_t b = a + 1; b < POINTS; b++)
      for (size_t c = b + 1; c < POINTS; c++)
        least = fmin(least, cost(points, (size_t[]){a, b, c}));
  return least;
}

/* PAM may end in a local minimum: rarely, and never far off on so few points. */
static void near_the_best_of_all_choices(void **state) {
  (void)state;
  struct random_state random = {11};
  size_t best = 0;
  for (int round = 0; round < 200; round++) {
    double points[2 * POINTS];
    size_t medoids[K], cluster[POINTS];
    struct error error = ERROR_INIT;
    for (size_t i = 0; i < 2 * POINTS; i++)
      points[i] = random_unit(&random);
    assert_int_equal(medoids_find(points, POINTS, 2, K, medoids, cluster, &error), 0);
    const double found = cost(points, medoids), least = least_cost(points);
    assert_true(medoids[0] < medoids[1] && medoids[1] < medoids[2]);
    assert_true(found <= least * 1.25 + 1e-12);
    best += found <= least * (1 + 1e-12);
  }
  assert_true(best >= 170);
}

static void clusters_are_found(void **state) {
  (void)state;
  static const double points[] = {0, 0, 0.1, 0, 0, 0.1, 9, 0, 9.1, 0, 9.05, 0, 0, 9, 0.2, 9, 0.1, 9};
  static const size_t expected[] = {0, 0, 0, 1, 1, 1, 2, 2, 2};
  size_t medoids[K], cluster[POINTS];
  struct error error = ERROR_INIT;
  assert_int_equal(medoids_find(points, POINTS, 2, K, medoids, cluster, &error), 0);
  assert_memory_equal(cluster, expected, sizeof expected);
  assert_true(medoids[0] == 0 && medoids[1] == 5 && medoids[2] == 8); /* the middle of each */
}

/* Points in one place: every medoid is a member of its own cluster all the same. */
static void equal_points(void **state) {
  (void)state;
  static const double points[2 * POINTS] = {0};
  size_t medoids[K], cluster[POINTS], sizes[K] = {0};
  struct error error = ERROR_INIT;
  assert_int_equal(medoids_find(points, POINTS, 2, K, medoids, cluster, &error), 0);
  for (size_t i = 0; i < POINTS; i++)
    sizes[cluster[i]]++;
  for (size_t m = 0; m < K; m++)
    assert_true(sizes[m] >= 1 && cluster[medoids[m]] == m);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(near_the_best_of_all_choices),
                                     cmocka_unit_test(clusters_are_found), cmocka_unit_test(equal_points)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
