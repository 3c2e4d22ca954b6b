/* Searches for the least point of a linear model by the simplex (linear_model.h), for every objective. */
#include "tuner/method/methods.h"
#include "tuner/method/trust_region.h"

static double model_cost(const void *context, const double *point, const double *predictions) {
  return fit_cost_of(context, point, predictions);
}

static void least(const struct linear_model *m, const struct fit *fit, double radius, uint64_t seed, double *best) {
  linear_model_least(m, model_cost, fit, radius, SPACE_MOST, seed, best);
}

static void run(struct fit *fit) {
  static const struct trust_region region = {.least = least};
  trust_region_search(fit, &region);
}

const struct tune_method tune_method_linear = {
    .name = "linear",
    .help = "predictions taken as linear in the parameters, within a trust region that adapts",
    .budget = 1000,
    .run = run,
};
