/* Successive linear models (linear_model.h) within a trust region: the least point of a model is simulated; if it is
 * better, it becomes the present point, otherwise the region shrinks. A round costs one simulation and, if slopes are
 * computed again, one for each parameter, whatever the objective.
 *
 * Source: trust-region methods (Conn, Gould, Toint, 2000), with a model of the predictions instead of the cost, as in
 * Gauss and Newton's method.
 * Errors: kept in `fit`.
 * Threads: one. */
#ifndef TUNER_TRUST_REGION_H
#define TUNER_TRUST_REGION_H

#include <stdbool.h>
#include <stdint.h>

#include "tuner/method/fit.h"
#include "tuner/method/linear_model.h"

struct trust_region {
  /* Sets `best` to the least point of the model at most `radius` (in search coordinates) away on each axis. */
  void (*least)(const struct linear_model *m, const struct fit *fit, double radius, uint64_t seed, double *best);
  /* After a step with the predicted gain, the slopes are corrected from that step alone (Broyden, Mathematics of
   * Computation 19, 1965) and not simulated again. */
  bool secant;
};

/* Runs until the region is smaller than the tolerance of `fit`, or its budget is used up. */
void trust_region_search(struct fit *fit, const struct trust_region *region);

#endif
