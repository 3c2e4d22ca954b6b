/* Nelder and Mead's simplex (simplex.h) in search coordinates (space.h), from the start and from random places. */
#include <string.h>

#include "base/random.h"
#include "tuner/method/fit.h"
#include "tuner/method/methods.h"
#include "tuner/method/simplex.h"

static const double first_step = 0.4; /* in search coordinates: a factor of about one and a half */

static double cost_at(void *context, const double *w) {
  struct fit *fit = context;
  double point[SPACE_MOST];
  memcpy(point, fit->start, sizeof point);
  for (size_t i = 0; i < fit->axis_count; i++)
    point[fit->axes[i]] = space_from_search(&fit->evaluator->space->axes[fit->axes[i]], w[i]);
  return fit_cost(fit, point);
}

static void run(struct fit *fit) {
  const size_t whole = fit->budget, starts = fit->starts > 0 ? fit->starts : 1;
  struct random_state random = {fit->seed};
  struct simplex_problem problem = {.count = fit->axis_count,
                                    .cost = cost_at,
                                    .context = fit,
                                    .first_step = first_step,
                                    .last_size = fit->tolerance / 2,
                                    .budget = whole / starts};
  for (size_t s = 0; s < starts && !fit_stopped(fit); s++) {
    double w[SPACE_MOST];
    for (size_t i = 0; i < fit->axis_count; i++) {
      const struct space_axis *axis = &fit->evaluator->space->axes[fit->axes[i]];
      problem.low[i] = space_to_search(axis, axis->low);
      problem.high[i] = space_to_search(axis, axis->high);
      w[i] = s == 0 ? space_to_search(axis, fit->start[fit->axes[i]])
                    : problem.low[i] + (problem.high[i] - problem.low[i]) * random_unit(&random);
    }
    simplex_minimise(&problem, w);
  }
}

const struct tune_method tune_method_simplex = {
    .name = "simplex",
    .help = "Nelder and Mead's simplex (GSL), from the start and from --starts - 1 random places",
    .budget = 1500,
    .run = run,
};
