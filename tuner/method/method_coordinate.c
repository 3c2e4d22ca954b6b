/* Coordinate search: multiplies or divides one parameter by 1 + step; if that helps for none, the step is halved. */
#include <string.h>

#include "tuner/method/fit.h"
#include "tuner/method/methods.h"

static const double first_step = 0.5;

static double moved_value(const struct space_axis *axis, double value, double step, bool up) {
  if (!up)
    return value / (1 + step);
  if (value > 0)
    return value * (1 + step);
  return space_from_search(axis, step); /* factors do not lead away from 0 */
}

static bool improve(struct fit *fit, double *point, size_t axis, double step, bool up, double *best) {
  const double old = point[axis];
  point[axis] = moved_value(&fit->evaluator->space->axes[axis], old, step, up);
  space_normalise(fit->evaluator->space, point);
  const double cost = point[axis] == old ? *best : fit_cost(fit, point);
  if (cost < *best) {
    *best = cost;
    return true;
  }
  point[axis] = old;
  return false;
}

static void run(struct fit *fit) {
  double point[SPACE_MOST];
  memcpy(point, fit->start, sizeof point);
  double best = fit_cost(fit, point);
  for (double step = first_step; step >= 2 * fit->tolerance && !fit_stopped(fit);) {
    bool moved = false;
    for (size_t i = 0; i < fit->axis_count; i++)
      moved |=
          improve(fit, point, fit->axes[i], step, false, &best) || improve(fit, point, fit->axes[i], step, true, &best);
    if (!moved)
      step /= 2;
  }
}

const struct tune_method tune_method_coordinate = {
    .name = "coordinate",
    .help = "multiply or divide one parameter, with ever smaller steps",
    .budget = 2000,
    .run = run,
};
