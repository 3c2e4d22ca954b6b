#include "measure/repetitions.h"

#include <assert.h>

#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>

void repetitions_summarise(double *times, size_t count, struct repetitions *out) {
  assert(count > 0);
  gsl_sort(times, 1, count);
  const double first = gsl_stats_quantile_from_sorted_data(times, 1, count, 0.25);
  const double third = gsl_stats_quantile_from_sorted_data(times, 1, count, 0.75);
  *out = (struct repetitions){
      .minimum = times[0],
      .median = gsl_stats_median_from_sorted_data(times, 1, count),
      .maximum = times[count - 1],
      .spread = third - first,
      .count = count,
  };
  for (size_t i = 0; i < count; i++)
    out->outliers += times[i] > third + 3 * (third - first);
}
