#include "tuner/objective/pair_order.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

const double pair_order_rate = 0.05;

/* The step of ratios, ln(1.0025). Steps go up to a ratio of about 3,000; pairs further apart count as the last. */
static const double step = 0.0024968801985871;
enum { STEPS = 3200 };

struct counts {
  size_t pairs, wrong;
};

/* Returns by how many whole steps two predictions differ. A rounding error does not make it one less. */
static size_t steps_between(double a, double b) {
  return (size_t)fmin(fabs(log(a / b)) / step + 1e-6, STEPS - 1);
}

static bool is_wrong(const double *measured, const double *predicted, size_t i, size_t j) {
  return (measured[i] < measured[j] && predicted[i] > predicted[j]) ||
         (measured[i] > measured[j] && predicted[i] < predicted[j]);
}

/* Returns [STEPS] counts of pairs by the whole steps between their predictions, or NULL when out of memory. The caller
 * frees them. */
static struct counts *count_by_step(const double *measured, const double *predicted, size_t count) {
  struct counts *by_step = calloc(STEPS, sizeof *by_step);
  for (size_t i = 0; by_step && i < count; i++)
    for (size_t j = 0; j < i; j++) {
      struct counts *counts = &by_step[steps_between(predicted[i], predicted[j])];
      counts->pairs++;
      counts->wrong += is_wrong(measured, predicted, i, j);
    }
  return by_step;
}

struct pair_order pair_order_find(const double *measured, const double *predicted, size_t count) {
  struct counts *by_step = count_by_step(measured, predicted, count), beyond = {0};
  struct pair_order found = {.ratio = NAN};
  for (size_t s = STEPS - 1; by_step && s > 0; s--) {
    beyond.pairs += by_step[s].pairs;
    beyond.wrong += by_step[s].wrong;
    if ((double)(beyond.wrong + 1) <= pair_order_rate * (double)(beyond.pairs + 1))
      found = (struct pair_order){expm1((double)s * step), beyond.pairs, beyond.wrong};
  }
  free(by_step);
  return found;
}

struct pair_order pair_order_count(const double *measured, const double *predicted, size_t count, double ratio) {
  struct pair_order found = {.ratio = ratio};
  for (size_t i = 0; i < count; i++)
    for (size_t j = 0; j < i; j++) {
      const double larger = fmax(predicted[i], predicted[j]), smaller = fmin(predicted[i], predicted[j]);
      const bool apart = larger > smaller * (1 + ratio);
      found.told_apart += apart;
      found.wrong += apart && is_wrong(measured, predicted, i, j);
    }
  return found;
}
