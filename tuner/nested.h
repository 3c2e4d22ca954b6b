/* Nested cross-validation: the score of a procedure that chooses itself how it tunes.
 *
 * A held-out score of the best of several methods, objectives, penalties or structures is too good, because the
 * held-out measurements made the choice. Here each fold's choice is made by an inner cross-validation over the other
 * measurements alone, and the chosen combination predicts the fold (Stone, Journal of the Royal Statistical Society B
 * 36, 1974; Varma, Simon, BMC Bioinformatics 7, 2006).
 *
 * Steps: for every combination of a search (choices.h) the GPU is tuned once; combinations of a fit are refits of the
 * linear model there, inside the inner and the outer folds. With `search`, the GPU is tuned again for every outer fold
 * and combination of a search. Inner folds are each measurement alone, or ten groups if there are more than 20. The
 * inner score is the MAPE. Combinations that the model refuses are left out.
 * Ownership: nested_run allocates, nested_clear frees.
 * Determinism: by the setup's seed; the result does not depend on the number of threads.
 * Threads: one caller; refits on `jobs`. */
#ifndef TUNER_NESTED_H
#define TUNER_NESTED_H

#include "tuner/choices.h"
#include "tuner/folds.h"
#include "tuner/tune.h"

struct nested_choice {
  size_t search, fit;        /* combinations of choices.h */
  double inner_mape_percent; /* of predictions of measurements that its fits had not seen */
};

struct nested {
  size_t fold_count;
  struct nested_choice *folds; /* [fold_count]: choice of each fold */
  struct nested_choice all;    /* choice by all measurements */
  double *held_out;            /* [measurements] */
  struct score score;
  struct conformal interval;
  size_t held; /* number of measurements in the interval that follows from the others' errors */
  struct pair_order order;
  size_t refused, evaluations; /* searches that the model refused; points evaluated */
};

struct nested_setup {
  struct tune_setup tune; /* spec, method, objective and penalty, unless a key changes them */
  const struct choices *choices;
  const struct folds *folds;
  bool search;
  int jobs;
};

int nested_run(const struct nested_setup *setup, struct nested *out, struct error *error);
void nested_clear(struct nested *nested);

#endif
