/* Successive linear models (linear_model.h): the least point of one within a trust region is simulated; when it is
 * better it becomes the present point, else the region shrinks. One round costs a simulation per parameter and one
 * more, whatever the objective. Source: trust-region methods (Conn, Gould, Toint, 2000), with a model of the
 * predictions instead of the cost, as in Gauss and Newton's method. */
#include <math.h>
#include <string.h>

#include "tuner/method/fit.h"
#include "tuner/method/linear_model.h"
#include "tuner/method/methods.h"

static const double largest_radius = 1.1; /* in search coordinates: about a factor of three */
static const double shrink = 1.0 / 3, grow = 1.5;
static const double least_progress = 1e-4;  /* of the cost: what a step has to bring for the region to grow */
static const double difference_share = 0.1; /* of the radius: step of a difference quotient, within these bounds */
static const double least_difference = 0.02, largest_difference = 0.1;

/* A neighbour to take a difference with, on the side where there is more room. */
static double neighbour(const struct space_axis *axis, double value, double radius) {
  const double step = fmin(fmax(difference_share * radius, least_difference), largest_difference);
  const double w = space_to_search(axis, value);
  const double up = space_from_search(axis, w + step), down = space_from_search(axis, w - step);
  const bool upwards = up <= axis->high || axis->high - value > value - axis->low;
  if (axis->row->type == PARAM_INT && (rint(up) == value || rint(down) == value))
    return value + 1 <= axis->high ? value + 1 : value - 1;
  return upwards ? fmin(up, axis->high) : fmax(down, axis->low);
}

static void take_slopes(struct fit *fit, struct linear_model *m, double radius) {
  const size_t count = m->space->count;
  double points[SPACE_MOST * SPACE_MOST], costs[SPACE_MOST];
  const double *there[SPACE_MOST];
  for (size_t a = 0; a < m->axis_count; a++) {
    const size_t axis = m->axes[a];
    memcpy(points + a * count, m->point, count * sizeof *points);
    points[a * count + axis] = neighbour(&m->space->axes[axis], m->point[axis], radius);
  }
  fit_costs(fit, points, m->axis_count, costs);
  if (fit_stopped(fit) || evaluator_predict(fit->evaluator, points, m->axis_count, there, &fit->error) != 0)
    return; /* the points are known by now */
  for (size_t a = 0; a < m->axis_count; a++)
    linear_model_slope(m, a, m->point[m->axes[a]], m->predictions, points[a * count + m->axes[a]], there[a]);
}

/* False where the search ends or the model refuses the point. */
static bool stand_at(struct fit *fit, struct linear_model *m, const double *point) {
  memcpy(m->point, point, m->space->count * sizeof *point);
  space_normalise(m->space, m->point);
  m->predictions = fit_predict(fit, m->point);
  return m->predictions != NULL && isfinite(m->predictions[0]);
}

static double model_cost(const void *context, const double *point, const double *predictions) {
  return fit_cost_of(context, point, predictions);
}

static void iterate(struct fit *fit, struct linear_model *m) {
  double cost = fit_cost(fit, m->point), radius = largest_radius;
  for (uint64_t round = 0; radius > fit->tolerance / 2; round++) {
    double next[SPACE_MOST];
    take_slopes(fit, m, radius);
    if (fit_stopped(fit))
      return;
    linear_model_least(m, model_cost, fit, radius, SPACE_MOST, fit->seed + round, next);
    const double there = fit_cost(fit, next);
    const bool better = there < cost - least_progress * fabs(cost);
    if (there < cost && !stand_at(fit, m, next))
      return;
    cost = fmin(cost, there);
    radius = better ? fmin(radius * grow, largest_radius) : radius * shrink;
  }
}

static void run(struct fit *fit) {
  struct linear_model m;
  if (linear_model_init(&m, fit->evaluator->space, fit->axes, fit->axis_count, fit->evaluator->predictor->count,
                        &fit->error) == 0 &&
      stand_at(fit, &m, fit->start))
    iterate(fit, &m);
  linear_model_clear(&m);
}

const struct tune_method tune_method_linear = {
    .name = "linear",
    .help = "predictions taken as linear in the parameters, within a trust region that adapts",
    .budget = 1000,
    .run = run,
};
