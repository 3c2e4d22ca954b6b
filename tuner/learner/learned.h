/* Times learned from functional statistics, without a model of the GPU. A model has to be better than these. Source:
 * Kaszyk, PhD thesis, section 5.2 and table 5.5. */
#ifndef TUNER_LEARNED_H
#define TUNER_LEARNED_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "tuner/learner/features.h"
#include "tuner/learner/learner.h"
#include "tuner/learner/projection.h"

struct learned_setup {
  const struct features *features; /* features of one view */
  enum feature_view view;          /* FEATURES_LOGARITHMS, FEATURES_PARAMETERS: the targets are logarithms as well */
  enum projection_kind projection;
  const struct learner *learner;
  uint64_t seed;
};

/* Sets predicted[i] of every example from the examples of other folds. With folds == 0 it is learned from all
 * examples including itself, so in sample. `measured` is positive. */
int learned_predict(const struct learned_setup *setup, const double *measured, const size_t *fold, size_t folds,
                    double *predicted, struct error *error);

#endif
