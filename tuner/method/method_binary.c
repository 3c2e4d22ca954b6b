/* The thesis' method (section 5.3.1.3): "We tune one parameter at a time […] starting with the parameters with the
 * largest range", "the parameters are updated using binary search", "once all parameters have converged, the entire
 * flow is executed again".
 *
 * It is read as follows. A bracket starts as the parameter's range and is halved: of its quarter and its three-quarter
 * point the one of less cost determines which half stays; at equal costs it is the half that holds the present value.
 * The bracket has converged when it is narrower than `tolerance` of its middle. The parameter takes the cheapest value
 * found, including its present one, so the cost never grows, though it need not have a single minimum. Passes over all
 * parameters repeat until one moves none by more than the tolerance. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tuner/method/fit.h"
#include "tuner/method/methods.h"

/* A bracket whose middle is near 0 converges as well: values below this share of the range count as 0. */
static const double zero_of_range = 1e-3;

struct bracket {
  double low, high;
};

static double middle(const struct bracket *bracket) {
  return (bracket->low + bracket->high) / 2;
}

static bool converged(const struct fit *fit, const struct space_axis *axis, const struct bracket *bracket) {
  const double width = bracket->high - bracket->low;
  if (axis->param->type == PARAM_INT && width < 1)
    return true;
  return width <= fit->tolerance * fmax(middle(bracket), zero_of_range * (axis->high - axis->low));
}

/* Evaluates both quarter points. *value becomes the cheaper one if it is cheaper than *cost. */
static void halve(struct fit *fit, double *point, size_t axis, struct bracket *bracket, double *value, double *cost) {
  const double at[2] = {(bracket->low + middle(bracket)) / 2, (middle(bracket) + bracket->high) / 2};
  double points[2 * SPACE_MOST], costs[2];
  const size_t count = fit->evaluator->space->count;
  for (int side = 0; side < 2; side++) {
    point[axis] = at[side];
    memcpy(points + (size_t)side * count, point, count * sizeof *point);
  }
  fit_costs(fit, points, 2, costs);
  const bool lower = costs[0] < costs[1] || (!(costs[1] < costs[0]) && *value <= middle(bracket));
  *(lower ? &bracket->high : &bracket->low) = middle(bracket);
  for (int side = 0; side < 2; side++) {
    if (costs[side] < *cost) {
      *cost = costs[side];
      *value = at[side];
    }
  }
}

/* Searches along one axis. Returns whether the parameter moved. */
static bool search_axis(struct fit *fit, double *point, size_t axis, double *cost) {
  const struct space_axis *bounds = &fit->evaluator->space->axes[axis];
  struct bracket bracket = {bounds->low, bounds->high};
  const double before = point[axis];
  double value = before;
  while (!fit_stopped(fit) && !converged(fit, bounds, &bracket))
    halve(fit, point, axis, &bracket, &value, cost);
  point[axis] = value;
  return fabs(value - before) > fit->tolerance * fmax(fabs(value), fabs(before));
}

/* Orders the axes by range, the largest first; equal ones stay in the order in which they were named. */
static void order_by_range(const struct fit *fit, size_t *axes) {
  const struct space_axis *all = fit->evaluator->space->axes;
  memcpy(axes, fit->axes, fit->axis_count * sizeof *axes);
  for (size_t i = 1; i < fit->axis_count; i++) {
    const size_t axis = axes[i];
    size_t at = i;
    for (; at > 0 && all[axes[at - 1]].high - all[axes[at - 1]].low < all[axis].high - all[axis].low; at--)
      axes[at] = axes[at - 1];
    axes[at] = axis;
  }
}

static void run(struct fit *fit) {
  double point[SPACE_MOST];
  size_t axes[SPACE_MOST];
  order_by_range(fit, axes);
  memcpy(point, fit->start, sizeof point);
  double cost = fit_cost(fit, point);
  for (bool moved = true; moved && !fit_stopped(fit);) {
    moved = false;
    for (size_t i = 0; i < fit->axis_count; i++)
      moved |= search_axis(fit, point, axes[i], &cost);
  }
}

const struct tune_method tune_method_binary = {
    .name = "binary",
    .help = "the thesis': one parameter at a time, largest range first, binary search; repeated",
    .budget = 2000,
    .run = run,
};
