/* A projection from many features to the few columns or directions that a learner gets.
 *
 * Purpose: every input is standardised (mean 0, deviation 1 over the training examples); columns that do not vary
 * in them are left out. Then PROJECTION_ALL keeps all, PROJECTION_CORRELATED the five with the largest correlation
 * with the target, of either sign (Kaszyk, PhD thesis, section 5.2.2), and PROJECTION_PCA the principal components
 * that explain 95 % of the variance (section 5.2.3; the share is that of WEKA, which the thesis used), scaled to
 * deviation 1. It is fitted to the training examples alone and does not depend on the examples that are predicted.
 * Shapes: features.h.
 * Ownership: projection_clear frees.
 * Errors: out of memory.
 * Cost: O(columns^3).
 * Threads: any. */
#ifndef TUNER_PROJECTION_H
#define TUNER_PROJECTION_H

#include <stddef.h>

#include "base/error.h"
#include "tuner/learner/features.h"

enum projection_kind { PROJECTION_ALL, PROJECTION_CORRELATED, PROJECTION_PCA, PROJECTION_KINDS };

extern const char *const projection_names[PROJECTION_KINDS];

struct projection {
  size_t inputs, outputs;
  double *means;   /* [inputs] */
  double *weights; /* [outputs * inputs], weights of (input - mean) */
};

/* Fits a projection to the training examples `indices` [count]. `target` has a value for each example of the
 * features; PROJECTION_ALL and PROJECTION_PCA do not read it. */
int projection_fit(struct projection *p, enum projection_kind kind, const struct features *features,
                   const size_t *indices, size_t count, const double *target, struct error *error);
/* Writes the projected inputs to `outputs`, [p->outputs]. */
void projection_apply(const struct projection *p, const double *inputs, double *outputs);
void projection_clear(struct projection *p);

#endif
