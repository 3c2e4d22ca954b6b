/* Successive linear models: the predictions of every kernel, taken as linear in the parameters around the present
 * point, give a cost that needs no simulation; its least point within a trust region is simulated; when that is better
 * it becomes the present point, else the region shrinks.
 *
 * Works because latencies are weights: a kernel's cycles are a sum of counts times latencies on some path through the
 * engines, so piecewise linear where the order of events does not change. One round costs a simulation per parameter
 * and one more, whatever the objective. Source: trust-region methods (Conn, Gould, Toint, 2000), with the model of the
 * predictions instead of the cost, as in Gauss and Newton's method. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "tuner/fit.h"
#include "tuner/methods.h"
#include "tuner/simplex.h"

static const double first_radius = 1.1, largest_radius = 1.1; /* in search coordinates: at most a factor of three */
static const double shrink = 1.0 / 3, grow = 1.5;
static const double difference_share = 0.1; /* of the radius: step of a difference quotient, within the bounds below */
static const double least_difference = 0.02, largest_difference = 0.1;
static const double least_time = 0.05; /* of the present prediction: a linear model may go below 0 */
enum { INNER_BUDGET = 4000, INNER_STARTS = 3 };

struct linear_model {
  struct fit *fit;
  size_t measurements;
  double point[SPACE_MOST];                 /* the present one */
  const double *predictions;                /* there */
  double *slopes;                           /* [axis][measurement]: per unit of the parameter */
  double *guess;                            /* [measurement], of a point under trial */
  double low[SPACE_MOST], high[SPACE_MOST]; /* the trust region, in search coordinates */
};

static const struct space_axis *axis_of(const struct fit *fit, size_t i) {
  return &fit->evaluator->space->axes[fit->axes[i]];
}

/* A neighbour to take a difference with, on the side where there is more room. */
static double neighbour(const struct space_axis *axis, double value, double radius) {
  const double step = fmin(fmax(difference_share * radius, least_difference), largest_difference);
  const double w = space_to_search(axis, value);
  const double up = space_from_search(axis, w + step), down = space_from_search(axis, w - step);
  double next =
      up <= axis->high || axis->high - value > value - axis->low ? fmin(up, axis->high) : fmax(down, axis->low);
  if (axis->row->type == PARAM_INT && rint(next) == value)
    next = value + 1 <= axis->high ? value + 1 : value - 1;
  return next;
}

/* False when the search has ended. */
static bool take_slopes(struct linear_model *m, double radius) {
  struct fit *fit = m->fit;
  const size_t count = fit->evaluator->space->count;
  double points[SPACE_MOST * SPACE_MOST], costs[SPACE_MOST];
  for (size_t i = 0; i < fit->axis_count; i++) {
    memcpy(points + i * count, m->point, count * sizeof *points);
    points[i * count + fit->axes[i]] = neighbour(axis_of(fit, i), m->point[fit->axes[i]], radius);
    space_normalise(fit->evaluator->space, points + i * count);
  }
  fit_costs(fit, points, fit->axis_count, costs); /* side by side; below they are known */
  for (size_t i = 0; i < fit->axis_count; i++) {
    const double *there = fit_predict(fit, points + i * count);
    const double distance = points[i * count + fit->axes[i]] - m->point[fit->axes[i]];
    for (size_t k = 0; k < m->measurements && there != NULL; k++) {
      const double slope = distance != 0 ? (there[k] - m->predictions[k]) / distance : 0;
      m->slopes[i * m->measurements + k] = isfinite(slope) ? slope : 0;
    }
  }
  return !fit_stopped(fit);
}

static void point_at(const struct linear_model *m, const double *w, double *point) {
  memcpy(point, m->point, sizeof m->point);
  for (size_t i = 0; i < m->fit->axis_count; i++)
    point[m->fit->axes[i]] = space_from_search(axis_of(m->fit, i), w[i]);
}

static double model_cost(void *context, const double *w) {
  struct linear_model *m = context;
  double point[SPACE_MOST];
  point_at(m, w, point);
  memcpy(m->guess, m->predictions, m->measurements * sizeof *m->guess);
  for (size_t i = 0; i < m->fit->axis_count; i++) {
    const double change = point[m->fit->axes[i]] - m->point[m->fit->axes[i]];
    for (size_t k = 0; k < m->measurements; k++)
      m->guess[k] += change * m->slopes[i * m->measurements + k];
  }
  for (size_t k = 0; k < m->measurements; k++)
    m->guess[k] = fmax(m->guess[k], least_time * m->predictions[k]);
  return fit_cost_of(m->fit, point, m->guess);
}

static void set_region(struct linear_model *m, double radius) {
  for (size_t i = 0; i < m->fit->axis_count; i++) {
    const struct space_axis *axis = axis_of(m->fit, i);
    const double w = space_to_search(axis, m->point[m->fit->axes[i]]);
    m->low[i] = fmax(space_to_search(axis, axis->low), w - radius);
    m->high[i] = fmin(space_to_search(axis, axis->high), w + radius);
  }
}

/* The model's least point within the region, from its middle and from random places. */
static void least_of_model(struct linear_model *m, struct random_state *random, double radius, double *point) {
  struct simplex_problem problem = {.count = m->fit->axis_count,
                                    .cost = model_cost,
                                    .context = m,
                                    .first_step = radius / 2,
                                    .last_size = radius * 1e-4,
                                    .budget = INNER_BUDGET};
  memcpy(problem.low, m->low, sizeof problem.low);
  memcpy(problem.high, m->high, sizeof problem.high);
  double best = INFINITY, best_w[SPACE_MOST] = {0};
  for (int s = 0; s < INNER_STARTS; s++) {
    double w[SPACE_MOST];
    for (size_t i = 0; i < m->fit->axis_count; i++)
      w[i] = s == 0 ? space_to_search(axis_of(m->fit, i), m->point[m->fit->axes[i]])
                    : m->low[i] + (m->high[i] - m->low[i]) * random_unit(random);
    const double cost = simplex_minimise(&problem, w);
    if (s == 0 || cost < best) {
      best = cost;
      memcpy(best_w, w, sizeof best_w);
    }
  }
  point_at(m, best_w, point);
}

static bool stand_at(struct linear_model *m, const double *point) {
  memcpy(m->point, point, sizeof m->point);
  space_normalise(m->fit->evaluator->space, m->point);
  m->predictions = fit_predict(m->fit, m->point);
  return m->predictions != NULL && isfinite(m->predictions[0]);
}

static void iterate(struct linear_model *m) {
  struct fit *fit = m->fit;
  struct random_state random = {fit->seed};
  double cost = fit_cost(fit, m->point);
  for (double radius = first_radius; radius > fit->tolerance / 2 && take_slopes(m, radius);) {
    double next[SPACE_MOST];
    set_region(m, radius);
    least_of_model(m, &random, radius, next);
    const double there = fit_cost(fit, next);
    const bool better = there < cost - 1e-4 * fabs(cost);
    if (there < cost) {
      cost = there;
      if (!stand_at(m, next))
        return;
    }
    radius = better ? fmin(radius * grow, largest_radius) : radius * shrink;
  }
}

static void run(struct fit *fit) {
  const size_t count = fit->evaluator->predictor->count;
  struct linear_model m = {.fit = fit,
                           .measurements = count,
                           .slopes = calloc(fit->axis_count * count, sizeof(double)),
                           .guess = calloc(count, sizeof(double))};
  if (m.slopes == NULL || m.guess == NULL) {
    error_set(&fit->error, ERROR_WORK, "out of memory");
    fit->stopped = true;
  } else if (stand_at(&m, fit->start)) {
    iterate(&m);
  }
  free(m.slopes);
  free(m.guess);
}

const struct tune_method tune_method_linear = {
    .name = "linear",
    .help = "predictions taken as linear in the parameters, within a trust region that adapts",
    .budget = 1000,
    .run = run,
};
