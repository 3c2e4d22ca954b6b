#include "tuner/learner/medoids.h"

#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

static void fill_distances(const double *points, size_t count, size_t columns, double *distance) {
  for (size_t a = 0; a < count; a++)
    for (size_t b = 0; b < count; b++) {
      double sum = 0;
      for (size_t c = 0; c < columns; c++)
        sum +=
            (points[a * columns + c] - points[b * columns + c]) * (points[a * columns + c] - points[b * columns + c]);
      distance[a * count + b] = sqrt(sum);
    }
}

/* Returns the sum of distances to the nearest of k medoids. */
static double total(const double *distance, size_t count, const size_t *medoids, size_t k) {
  double sum = 0;
  for (size_t i = 0; i < count; i++) {
    double nearest = INFINITY;
    for (size_t m = 0; m < k; m++)
      nearest = fmin(nearest, distance[i * count + medoids[m]]);
    sum += nearest;
  }
  return sum;
}

static bool is_medoid(const size_t *medoids, size_t k, size_t point) {
  for (size_t m = 0; m < k; m++)
    if (medoids[m] == point)
      return true;
  return false;
}

/* Puts the best point at index m; the medoids before it and, up to k, behind it stay. Returns the sum. */
static double place_best(const double *distance, size_t count, size_t *medoids, size_t k, size_t m) {
  const size_t kept = medoids[m];
  size_t best = kept;
  double least = INFINITY;
  for (size_t point = 0; point < count; point++) {
    medoids[m] = kept; /* it may stay */
    if (point != kept && is_medoid(medoids, k, point))
      continue;
    medoids[m] = point;
    const double sum = total(distance, count, medoids, k);
    if (sum < least) {
      least = sum;
      best = point;
    }
  }
  medoids[m] = best;
  return least;
}

static void build_and_swap(const double *distance, size_t count, size_t k, size_t *medoids) {
  double sum = INFINITY;
  for (size_t m = 0; m < k; m++) {
    size_t fresh = 0;
    while (is_medoid(medoids, m, fresh))
      fresh++;
    medoids[m] = fresh;
    sum = place_best(distance, count, medoids, m + 1, m);
  }
  for (bool better = true; better;) {
    better = false;
    for (size_t m = 0; m < k; m++) {
      const double next = place_best(distance, count, medoids, k, m);
      better |= next < sum;
      sum = fmin(sum, next);
    }
  }
}

static int ascending(const void *a, const void *b) {
  const size_t x = *(const size_t *)a, y = *(const size_t *)b;
  return (x > y) - (x < y);
}

static void assign(const double *distance, size_t count, const size_t *medoids, size_t k, size_t *cluster) {
  for (size_t i = 0; i < count; i++) {
    cluster[i] = 0;
    for (size_t m = 1; m < k; m++)
      if (distance[i * count + medoids[m]] < distance[i * count + medoids[cluster[i]]])
        cluster[i] = m;
    for (size_t m = 0; m < k; m++)
      if (medoids[m] == i)
        cluster[i] = m; /* of points at one place each represents itself */
  }
}

int medoids_find(const double *points, size_t count, size_t columns, size_t k, size_t *medoids, size_t *cluster,
                 struct error *error) {
  assert(k >= 1 && k <= count);
  double *distance = calloc(count * count, sizeof *distance);
  if (!distance)
    return error_no_memory(error);
  fill_distances(points, count, columns, distance);
  build_and_swap(distance, count, k, medoids);
  qsort(medoids, k, sizeof *medoids, ascending);
  assign(distance, count, medoids, k, cluster);
  free(distance);
  return 0;
}
