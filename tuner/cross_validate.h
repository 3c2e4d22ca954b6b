/* Predictions of measurements by tunings that have not seen them. */
#ifndef TUNER_CROSS_VALIDATE_H
#define TUNER_CROSS_VALIDATE_H

#include "tuner/tune.h"

/* After tune_search. Each of `folds` groups (0: every measurement alone) is left out once, the rest is tuned from the
 * start values with the same method and budget, and that predicts the group. Groups are drawn by the seed, their sizes
 * differ by one at most. Fills held_out and its score. Cost: a search per fold, of which many points are known. */
int tune_cross_validate(struct tune *t, size_t folds, struct error *error);

#endif
