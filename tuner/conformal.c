#include "tuner/conformal.h"

#include <math.h>
#include <stdlib.h>

const double conformal_level = 0.95;

static int by_value(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static double error_of(double measured, double held_out) {
  return held_out > 0 ? fabs(log(measured / held_out)) : INFINITY;
}

static double rank_of(size_t count) {
  return fmin(ceil((double)(count + 1) * conformal_level), (double)count);
}

struct conformal conformal_interval(const double *measured, const double *held_out, size_t count) {
  struct conformal result = {NAN, NAN};
  double *errors = calloc(count + 1, sizeof *errors);
  for (size_t i = 0; errors && i < count; i++)
    errors[i] = error_of(measured[i], held_out[i]);
  if (errors && count > 0) {
    const double rank = rank_of(count);
    qsort(errors, count, sizeof *errors, by_value);
    result = (struct conformal){expm1(errors[(size_t)rank - 1]), rank / (double)(count + 1)};
  }
  free(errors);
  return result;
}

size_t conformal_count_held(const double *measured, const double *held_out, size_t count) {
  double *errors = calloc(count + 1, sizeof *errors);
  size_t held = 0;
  for (size_t i = 0; errors && i < count; i++)
    errors[i] = error_of(measured[i], held_out[i]);
  if (errors && count > 1) {
    qsort(errors, count, sizeof *errors, by_value);
    /* Without a smaller error the others' quantile is the next larger one, so the errors up to the quantile of the rank
     * are in the interval. */
    const double most = errors[(size_t)rank_of(count - 1) - 1];
    while (held < count && errors[held] <= most)
      held++;
  }
  free(errors);
  return held;
}
