#include "measure/repetitions.h"

#include <assert.h>

#include <math.h>
#include <stdlib.h>

static int by_value(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* Returns a quantile, linear between neighbours as in GSL. GSL itself is not used, because its development files for
 * two architectures cannot be installed together and this folder is built for boards
 * (cmake/aarch64-linux-gnu.cmake). */
static double quantile(const double *sorted, size_t count, double share) {
  const double place = share * (double)(count - 1), below = floor(place);
  const size_t i = (size_t)below;
  return i + 1 < count ? sorted[i] + (place - below) * (sorted[i + 1] - sorted[i]) : sorted[count - 1];
}

void repetitions_summarise(double *times, size_t count, struct repetitions *out) {
  assert(count > 0);
  qsort(times, count, sizeof *times, by_value);
  const double first = quantile(times, count, 0.25);
  const double third = quantile(times, count, 0.75);
  *out = (struct repetitions){
      .minimum = times[0],
      .median = quantile(times, count, 0.5),
      .maximum = times[count - 1],
      .spread = third - first,
      .count = count,
  };
  for (size_t i = 0; i < count; i++)
    out->outliers += times[i] > third + 3 * (third - first);
}
