#include "tuner/conformal.h"

#include <math.h>
#include <stdlib.h>

const double conformal_level = 0.95;

static int by_value(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

struct conformal conformal_interval(const double *measured, const double *held_out, size_t count) {
  struct conformal result = {NAN, NAN};
  double *errors = calloc(count + 1, sizeof *errors);
  for (size_t i = 0; errors != NULL && i < count; i++)
    errors[i] = held_out[i] > 0 ? fabs(log(measured[i] / held_out[i])) : INFINITY;
  if (errors != NULL && count > 0) {
    const double rank = fmin(ceil((double)(count + 1) * conformal_level), (double)count);
    qsort(errors, count, sizeof *errors, by_value);
    result = (struct conformal){expm1(errors[(size_t)rank - 1]), rank / (double)(count + 1)};
  }
  free(errors);
  return result;
}
