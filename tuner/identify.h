/* The parameters that the measurements determine, alone or only together with others.
 *
 * J holds the slopes of the logarithms of all predictions at the optimum (linear_model.h), for each unit of search
 * coordinate. The sensitivity of a parameter is the root mean square of its column. The covariance of parameters for
 * each unit of independent relative measurement error is (J'J)^-1: the roots of its diagonal tell by how many percent a
 * parameter moves for errors of one percent (`amplification`), its correlations which pairs trade off, and the
 * eigenvectors of J'J with small eigenvalues which directions are flat. In addition there is the objective of the
 * linear model along each parameter: with the others fixed, and with the others refitted (profile).
 *
 * The number of determined parameters is the sum of l / (l + (e / s)^2) over the eigenvalues l of J'J, with e the root
 * mean square of ln(measured / predicted) at the optimum and s = ln 2, for a parameter that is known to a factor of two
 * beforehand. A direction that the measurements fix much better than that counts 1, one that they do not determine at
 * all counts 0 (MacKay, Bayesian interpolation, Neural Computation 4, 1992: the number of well-determined parameters).
 *
 * Cost: two simulations for each parameter, for the slopes.
 * Source: any text on nonlinear regression, e.g. Seber, Wild (1989), chapters 3 and 5. */
#ifndef TUNER_IDENTIFY_H
#define TUNER_IDENTIFY_H

#include "tuner/tune.h"

enum { PROFILE_STEPS = 4 };
extern const double profile_factors[PROFILE_STEPS]; /* factors of the tuned value */

/* The amplification with which errors of 5 % in every measurement leave a parameter uncertain by its whole value
 * (assumed). */
extern const double undetermined_amplification;
/* The correlation from which a pair is named (assumed). */
extern const double trade_off_correlation;

struct identity {
  double sensitivity;   /* percent of the predictions per percent of the parameter, root mean square */
  double amplification; /* percent of the parameter per percent of measurement error; INFINITY: not determined */
  double fixed[PROFILE_STEPS], refitted[PROFILE_STEPS]; /* objective; NaN: outside of the range */
};

struct identification {
  size_t axis_count, axes[SPACE_MOST];    /* without the inert parameters */
  struct identity identities[SPACE_MOST]; /* by axis of the space */
  double error_ratio, determined;         /* the e and the sum of above */
  double correlation[SPACE_MOST][SPACE_MOST];
  size_t flat_count;
  double flat[SPACE_MOST][SPACE_MOST]; /* directions, components by axis of the space; unit length */
  double flat_amplification[SPACE_MOST];
};

/* Computes the identification after tune_search. */
int tune_identify(struct tune *t, struct identification *out, struct error *error);

#endif
