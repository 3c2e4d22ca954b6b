/* Which measurements are left out together in a cross-validation. */
#ifndef TUNER_FOLDS_H
#define TUNER_FOLDS_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/* "loo" or "kfold=K", as --cv takes them; NULL is "loo". *folds is 0 for one fold a measurement. */
int folds_parse(const char *text, size_t *folds, struct error *error);

/* fold[i] of measurement i, below `folds`: drawn by the seed, sizes differ by one at most; folds == count: each alone.
 * The error names --cv. */
int folds_assign(size_t count, size_t folds, uint64_t seed, size_t *fold, struct error *error);

#endif
