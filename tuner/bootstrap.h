/* Intervals of the tuned parameters and of the predictions.
 *
 * They come from a parametric bootstrap of the residuals. The measurements of each replica are the tuned predictions
 * times exp(error). Errors are normal with the spread of ln(measured / predicted), whose square is the sum of squares
 * over measurements minus parameters; because few measurements determine that spread badly, it is scaled for each
 * replica by a draw from its chi-squared distribution. Each replica is fitted again from the optimum, on the linear
 * model around it (linear_model.h), so a replica costs no simulation. Intervals are the 2.5th to 97.5th percentile. The
 * method assumes that measurements err independently, by factors, and that the model is right except for its
 * parameters; otherwise cross-validation shows it and these intervals are too narrow.
 * Source: Efron, Tibshirani, "An introduction to the bootstrap" (1993), chapter 9. */
#ifndef TUNER_BOOTSTRAP_H
#define TUNER_BOOTSTRAP_H

#include "tuner/tune.h"

/* Computes the intervals after tune_search. The result is determined by the seed; `jobs` is the number of threads. */
int tune_bootstrap(struct tune *t, size_t replicas, int jobs, struct error *error);

#endif
