#include "tuner/objective/baseline.h"

#include <math.h>
#include <stdlib.h>

struct ratio {
  double value, weight;
};

static int by_value(const void *a, const void *b) {
  const double x = ((const struct ratio *)a)->value, y = ((const struct ratio *)b)->value;
  return (x > y) - (x < y);
}

/* sum |m - s w| / m over s is least at the median of m / w weighted by w / m. `skipped`: count for none. */
static double best_scale(const double *measured, const double *work, size_t count, size_t skipped,
                         struct ratio *ratios) {
  size_t kept = 0;
  double total = 0, below = 0;
  for (size_t i = 0; i < count; i++) {
    if (i == skipped || !(work[i] > 0))
      continue;
    ratios[kept] = (struct ratio){measured[i] / work[i], work[i] / measured[i]};
    total += ratios[kept++].weight;
  }
  qsort(ratios, kept, sizeof *ratios, by_value);
  for (size_t i = 0; i < kept; i++) {
    below += ratios[i].weight;
    if (below >= total / 2)
      return ratios[i].value;
  }
  return NAN;
}

void baseline_of_work(const double *measured, const double *work, size_t count, bool hold_out, double *predicted) {
  struct ratio *ratios = malloc((count > 0 ? count : 1) * sizeof *ratios);
  for (size_t i = 0; i < count; i++)
    predicted[i] = ratios != NULL ? work[i] * best_scale(measured, work, count, hold_out ? i : count, ratios) : NAN;
  free(ratios);
}
