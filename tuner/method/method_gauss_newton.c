/* Gauss and Newton's method for hundreds of measurements and a dozen parameters: the least sum of absolute errors of a
 * linear model of the predictions (reweighted.h), within a trust region (trust_region.h). Correlations in an objective
 * decide only which of the simulated points is kept. */
#include "tuner/method/methods.h"
#include "tuner/method/reweighted.h"
#include "tuner/method/trust_region.h"

static void least(const struct linear_model *m, const struct fit *fit, double radius, uint64_t seed, double *best) {
  (void)seed;
  reweighted_least(m, fit, radius, SPACE_MOST, best);
}

static void run(struct fit *fit) {
  static const struct trust_region region = {.least = least, .secant = true};
  trust_region_search(fit, &region);
}

const struct tune_method tune_method_gauss_newton = {
    .name = "gauss_newton",
    .help = "least absolute errors of predictions taken as linear, by reweighted least squares in a trust region",
    .budget = 1000,
    .run = run,
};
