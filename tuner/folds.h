/* The folds of a cross-validation: measurements that are left out together.
 *
 * Ownership: folds_make allocates, folds_clear frees.
 * Determinism: by the seed. Errors name --cv.
 * Threads: any. */
#ifndef TUNER_FOLDS_H
#define TUNER_FOLDS_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

struct folds {
  size_t count; /* 0: nothing is held out */
  size_t *of;   /* [measurements]: number of each measurement's fold */
};

/* Makes the folds that --cv names: "loo" (or NULL: the default), every measurement alone; "kfold=K", K groups of nearly
 * the same size drawn by the seed; "groups", those with the same text in `groups` ([measurements]; NULL: no group is
 * known). */
int folds_make(const char *text, size_t measurements, const char *const *groups, uint64_t seed, struct folds *out,
               struct error *error);
void folds_clear(struct folds *folds);

#endif
