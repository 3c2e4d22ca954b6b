/* Predicts measurements by tunings that have not seen them. */
#ifndef TUNER_CROSS_VALIDATE_H
#define TUNER_CROSS_VALIDATE_H

#include "tuner/folds.h"
#include "tuner/tune.h"

/* Leaves out the measurements of each fold once, after tune_search: the rest is tuned from the start values with the
 * same method and budget, and predicts them. Sets held_out and its score. Cost: a search for each fold, of which many
 * points are known. */
int tune_cross_validate(struct tune *t, const struct folds *folds, struct error *error);

/* Cross-validates with only two simulations for each parameter: each fold is left out of a refit of the linear
 * model around the tuned values (Giordano and others, A swiss army infinitesimal jackknife, AISTATS 2019, take such
 * a step). */
int tune_cross_validate_linear(struct tune *t, const struct folds *folds, struct error *error);

#endif
