#include "tuner/method/trust_region.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double largest_radius = 1.1; /* in search coordinates: about a factor of three */
static const double shrink = 1.0 / 3, grow = 1.5;
static const double least_progress = 1e-4;  /* share of the cost: gain of a step from which the region grows */
static const double difference_share = 0.1; /* of the radius: step of a difference, within these bounds */
static const double least_difference = 0.02, largest_difference = 0.1;
static const double good_share = 0.5; /* share of the predicted gain: a step with less needs new slopes */

/* The state of one search. */
struct walk {
  const struct trust_region *region;
  struct fit *fit;
  struct linear_model model;
  double cost, radius;
  bool stale;     /* slopes must be computed before the next step */
  bool simulated; /* the present slopes are differences of simulations at the present point */
};

/* Returns a neighbouring value for a difference, on the side with more room. */
static double neighbour(const struct space_axis *axis, double value, double radius) {
  const double step = fmin(fmax(difference_share * radius, least_difference), largest_difference);
  const double w = space_to_search(axis, value);
  const double up = space_from_search(axis, w + step), down = space_from_search(axis, w - step);
  const bool upwards = up <= axis->high || axis->high - value > value - axis->low;
  if (axis->param->type == PARAM_INT && (rint(up) == value || rint(down) == value))
    return value + 1 <= axis->high ? value + 1 : value - 1;
  return upwards ? fmin(up, axis->high) : fmax(down, axis->low);
}

static void take_slopes(struct walk *walk) {
  struct linear_model *m = &walk->model;
  const size_t count = m->space->count;
  double points[SPACE_MOST * SPACE_MOST], costs[SPACE_MOST];
  const double *there[SPACE_MOST];
  for (size_t a = 0; a < m->axis_count; a++) {
    const size_t axis = m->axes[a];
    memcpy(points + a * count, m->point, count * sizeof *points);
    points[a * count + axis] = neighbour(&m->space->axes[axis], m->point[axis], walk->radius);
  }
  fit_costs(walk->fit, points, m->axis_count, costs);
  if (fit_stopped(walk->fit) ||
      evaluator_predict(walk->fit->evaluator, points, m->axis_count, there, &walk->fit->error) != 0)
    return; /* the points are known already */
  for (size_t a = 0; a < m->axis_count; a++)
    linear_model_slope(m, a, m->point[m->axes[a]], m->predictions, points[a * count + m->axes[a]], there[a]);
  walk->stale = false;
  walk->simulated = true;
}

/* Moves the model to a point. Returns false if the search ends or the model refuses the point. */
static bool stand_at(struct walk *walk, const double *point) {
  struct linear_model *m = &walk->model;
  memcpy(m->point, point, m->space->count * sizeof *point);
  space_normalise(m->space, m->point);
  m->predictions = fit_predict(walk->fit, m->point);
  return m->predictions && isfinite(m->predictions[0]);
}

/* Moves to a better point, and corrects the slopes or marks them as stale. Returns false if the search ends. */
static bool move_to(struct walk *walk, const double *point, bool as_predicted) {
  const struct linear_model before = walk->model;
  if (!stand_at(walk, point))
    return false;
  walk->stale = !(walk->region->secant && as_predicted);
  walk->simulated = false;
  if (!walk->stale)
    linear_model_secant(&walk->model, before.point, before.predictions);
  return true;
}

/* Returns the cost that the model predicts at a point. Without memory, linear_model_check fails then. */
static double predicted_cost(const struct walk *walk, const double *point) {
  double *predictions = malloc(walk->model.measurements * sizeof *predictions), cost = INFINITY;
  if (predictions) {
    linear_model_predict(&walk->model, point, predictions);
    cost = fit_cost_of(walk->fit, point, predictions);
  } else {
    linear_model_had_no_memory(&walk->model);
  }
  free(predictions);
  return cost;
}

/* Executes one round: simulates the least point of the model. Returns false if the search ends. */
static bool step(struct walk *walk, uint64_t round) {
  struct fit *fit = walk->fit;
  double next[SPACE_MOST];
  walk->region->least(&walk->model, fit, walk->radius, fit->seed + round, next);
  const double expected = walk->cost - predicted_cost(walk, next);
  if (linear_model_check(&walk->model, &fit->error) != 0)
    return false;
  const double there = fit_cost(fit, next), gain = walk->cost - there;
  const bool better = there < walk->cost - least_progress * fabs(walk->cost);
  if (better || walk->simulated) /* otherwise the slopes may be wrong, not the region */
    walk->radius = better ? fmin(walk->radius * grow, largest_radius) : walk->radius * shrink;
  walk->stale = !walk->region->secant || !walk->simulated;
  if (!(there < walk->cost))
    return true;
  walk->cost = there;
  return move_to(walk, next, gain > good_share * expected);
}

static void iterate(struct walk *walk) {
  for (uint64_t round = 0; walk->radius > walk->fit->tolerance / 2; round++) {
    if (walk->stale)
      take_slopes(walk);
    if (fit_stopped(walk->fit) || !step(walk, round))
      return;
  }
}

void trust_region_search(struct fit *fit, const struct trust_region *region) {
  struct walk walk = {.region = region, .fit = fit, .radius = largest_radius, .stale = true};
  const struct evaluator *e = fit->evaluator;
  if (linear_model_init(&walk.model, e->space, fit->axes, fit->axis_count, e->predictor->count, &fit->error) == 0 &&
      stand_at(&walk, fit->start)) {
    walk.cost = fit_cost(fit, walk.model.point);
    iterate(&walk);
  }
  linear_model_clear(&walk.model);
}
