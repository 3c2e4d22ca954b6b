/* Intervals of the tuned parameters and of the predictions.
 *
 * A parametric bootstrap of the residuals: each replica's measurements are the tuned predictions times exp(error), the
 * errors normal with the spread of ln(measured / predicted) (its sum of squares over measurements minus parameters,
 * and, because that spread is itself known badly from few measurements, scaled for each replica by a draw from its
 * chi-squared distribution). Each replica is fitted again from the optimum, on the linear model around it
 * (linear_model.h), so a replica costs no simulation. Intervals are the 2.5th to 97.5th percentile. Assumes that
 * measurements err independently, by factors, and that the model is right but for its parameters: where it is not,
 * cross-validation says so and these intervals are too narrow.
 * Source: Efron, Tibshirani, "An introduction to the bootstrap" (1993), chapter 9. */
#ifndef TUNER_BOOTSTRAP_H
#define TUNER_BOOTSTRAP_H

#include "tuner/tune.h"

/* After tune_search. Deterministic by the seed; runs on `jobs` threads. */
int tune_bootstrap(struct tune *t, size_t replicas, int jobs, struct error *error);

#endif
