/* The parameters that a tuning may change, with their ranges and start values.
 *
 * Purpose: a point is one number for each axis, in the parameter's own unit. Users write
 * `arith,store=0.5..4,l1_miss=10..200@29`: a key of gpu_params with or without "_cycles", a range (that of the
 * parameter by default) and a start value (that of the GPU by default).
 * Shapes: points are double[space.count]. Search coordinates are w = ln(1 + v / s), where s is a tenth of the start
 * value (0.1 if that is 0): they are nearly logarithmic, and include 0.
 * Ownership: plain data.
 * Errors: unknown and double parameters, empty ranges, ranges that exclude the start. */
#ifndef TUNER_SPACE_H
#define TUNER_SPACE_H

#include <stddef.h>

#include "base/error.h"
#include "model/params/gpu.h"

enum { SPACE_MOST = 16 };

struct space_axis {
  const struct param *param;
  double low, high, start;
};

struct space {
  struct space_axis axes[SPACE_MOST];
  size_t count;
};

/* The parameters that are tuned by default: the deltas of the thesis (table 5.9). */
#define SPACE_DEFAULT "arith,store,l1_hit,l1_miss,l2_miss"

int space_parse(const char *text, const struct gpu_spec *spec, struct space *out, struct error *error);

void space_start(const struct space *space, double *point);
/* Moves the point into the ranges, and rounds whole parameters to whole numbers, others to six significant digits:
 * points that differ by less are the same point. */
void space_normalise(const struct space *space, double *point);
/* Returns `spec` with the point's values. */
struct gpu_spec space_apply(const struct space *space, const struct gpu_spec *spec, const double *point);

double space_to_search(const struct space_axis *axis, double value);
double space_from_search(const struct space_axis *axis, double w);

#endif
