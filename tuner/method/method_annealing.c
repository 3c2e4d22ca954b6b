/* Simulated annealing (Kirkpatrick, Gelatt, Vecchi: Science 220, 1983): a step to a random neighbour is taken when it
 * costs less, else with probability exp(-growth / temperature); the temperature falls by a constant factor until the
 * budget is used up, and steps become smaller with it. */
#include <math.h>
#include <string.h>

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>

#include "tuner/method/fit.h"
#include "tuner/method/methods.h"

static const double first_share = 0.25, last_share = 0.01; /* of a step, of the range, in search coordinates */
static const double coldest = 1e-3;                        /* last temperature as a share of the first */
enum { PROBES = 10 };                                      /* random points that give the first temperature */

/* Returns the number reflected into 0 to 1. */
static double reflect(double x) {
  x = fabs(fmod(x, 2));
  return x > 1 ? 2 - x : x;
}

static double share_of(const struct space_axis *axis, double value) {
  const double low = space_to_search(axis, axis->low), high = space_to_search(axis, axis->high);
  return (space_to_search(axis, value) - low) / (high - low);
}

static double value_at(const struct space_axis *axis, double share) {
  const double low = space_to_search(axis, axis->low), high = space_to_search(axis, axis->high);
  return space_from_search(axis, low + (high - low) * share);
}

static void step(const struct fit *fit, gsl_rng *random, double width, const double *from, double *to) {
  memcpy(to, from, SPACE_MOST * sizeof *to);
  for (size_t i = 0; i < fit->axis_count; i++) {
    const struct space_axis *axis = &fit->evaluator->space->axes[fit->axes[i]];
    const double share = share_of(axis, from[fit->axes[i]]) + gsl_ran_gaussian(random, width);
    to[fit->axes[i]] = value_at(axis, reflect(share));
  }
}

/* Returns the mean difference between the cost of the start and the costs of its neighbours. */
static double first_temperature(struct fit *fit, gsl_rng *random, double cost) {
  double sum = 0, point[SPACE_MOST];
  size_t finite = 0;
  for (int i = 0; i < PROBES; i++) {
    step(fit, random, first_share, fit->start, point);
    const double growth = fabs(fit_cost(fit, point) - cost);
    if (isfinite(growth)) {
      sum += growth;
      finite++;
    }
  }
  return finite > 0 && sum > 0 ? sum / (double)finite : 1;
}

static void anneal(struct fit *fit, gsl_rng *random) {
  double here[SPACE_MOST], next[SPACE_MOST];
  memcpy(here, fit->start, sizeof here);
  double cost = fit_cost(fit, here);
  const double hot = first_temperature(fit, random, cost);
  const size_t first = fit->asked;
  while (!fit_stopped(fit)) {
    const double gone = (double)(fit->asked - first) / fmax(1, (double)fit->budget - (double)first);
    step(fit, random, first_share * pow(last_share / first_share, gone), here, next);
    const double there = fit_cost(fit, next), growth = there - cost;
    const double luck = gsl_rng_uniform(random);
    if (growth <= 0 || luck < exp(-growth / (hot * pow(coldest, gone)))) {
      memcpy(here, next, sizeof here);
      cost = there;
    }
  }
}

static void run(struct fit *fit) {
  gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
  gsl_rng_set(random, (unsigned long)fit->seed);
  anneal(fit, random);
  gsl_rng_free(random);
}

const struct tune_method tune_method_annealing = {
    .name = "annealing",
    .help = "simulated annealing over all ranges, as long as --evaluations lasts",
    .budget = 1000,
    .run = run,
};
