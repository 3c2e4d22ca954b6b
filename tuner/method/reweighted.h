/* The least sum of absolute errors of a linear model of the predictions, within a box.
 *
 * Errors are ln(predicted / measured), or predicted / measured - 1 if the objective has `mape` and no `log`. Their
 * absolute values are minimised by iteratively reweighted least squares (Holland, Welsch, Communications in Statistics
 * 6, 1977), which a kernel that the model cannot explain does not dominate; errors below 1 % count by their square. The
 * penalty of fit.h is included; correlations in an objective are not. Each step solves the normal equations within the
 * box by cyclic coordinate descent (Luo, Tseng, Journal of Optimization Theory and Applications 72, 1992).
 *
 * Cost: no simulation; O(measurements * axes^2) for each of some dozens of steps.
 * Threads: any. */
#ifndef TUNER_REWEIGHTED_H
#define TUNER_REWEIGHTED_H

#include "tuner/method/fit.h"
#include "tuner/method/linear_model.h"

/* Sets `best` to the least point at most `radius` (in search coordinates) from the model's point on each axis. `fixed`
 * is an axis of the space that keeps its value in `best`, or SPACE_MOST. Returns the cost that the model predicts
 * there, as defined by fit_cost_of. Without memory, linear_model_check fails then. */
double reweighted_least(const struct linear_model *m, const struct fit *fit, double radius, size_t fixed, double *best);

/* The same for every objective: one that has a correlation is minimised by the simplex (linear_model_least). */
double linear_fit_least(const struct linear_model *m, const struct fit *fit, double radius, size_t fixed, uint64_t seed,
                        double *best);

#endif
