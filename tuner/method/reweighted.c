#include "tuner/method/reweighted.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double rounding = 0.01;      /* errors below this count by their square */
static const double converged = 1e-4;     /* share of the radius: largest step at which the inner iteration ends */
static const double least_damping = 1e-9; /* of the largest curvature: keeps points without data in place */
enum { MOST_STEPS = 60, MOST_SWEEPS = 3000, MOST_HALVINGS = 10 };

/* The fit of one linear model. Vectors and the matrix are by axis of the model, in search coordinates. */
struct inner {
  const struct linear_model *m;
  const struct fit *fit;
  bool relative;
  double low[SPACE_MOST], high[SPACE_MOST];
  double w[SPACE_MOST], step[SPACE_MOST];
  double gradient[SPACE_MOST], curvature[SPACE_MOST][SPACE_MOST];
  double *point; /* the point at w */
  double *predictions;
};

static void go_to(struct inner *in, const double *w) {
  for (size_t a = 0; a < in->m->axis_count; a++)
    in->point[in->m->axes[a]] = space_from_search(&in->m->space->axes[in->m->axes[a]], w[a]);
  linear_model_predict(in->m, in->point, in->predictions);
}

static double error_of_measurement(const struct inner *in, size_t k) {
  const double ratio = in->predictions[k] / in->fit->sample.measured[k];
  return in->relative ? ratio - 1 : log(ratio);
}

static double change_at(const struct inner *in, size_t a, double w) {
  const size_t axis = in->m->axes[a];
  return fit_change(in->fit, axis, space_from_search(&in->m->space->axes[axis], w));
}

/* Returns the smoothed objective with its penalty, in percent. */
static double cost_at(struct inner *in, const double *w) {
  const struct sample *sample = &in->fit->sample;
  double errors = 0, changes = 0;
  go_to(in, w);
  for (size_t i = 0; i < sample->count; i++) {
    const double e = fabs(error_of_measurement(in, sample->indices[i]));
    errors += e < rounding ? e * e / (2 * rounding) + rounding / 2 : e;
  }
  for (size_t a = 0; a < in->m->axis_count; a++)
    changes += pow(change_at(in, a, w[a]), 2);
  return 100 * errors / (double)sample->count + in->fit->penalty_percent * changes;
}

/* ---- the quadratic approximation of the cost near w ---- */

static void add_measurement(struct inner *in, size_t k, const double *units) {
  const double e = error_of_measurement(in, k);
  const double weight = 100 / ((double)in->fit->sample.count * fmax(fabs(e), rounding));
  const double per_time = 1 / (in->relative ? in->fit->sample.measured[k] : in->predictions[k]);
  double slopes[SPACE_MOST];
  for (size_t a = 0; a < in->m->axis_count; a++)
    slopes[a] = in->m->slopes[a * in->m->measurements + k] * units[a] * per_time;
  for (size_t a = 0; a < in->m->axis_count; a++) {
    in->gradient[a] += weight * e * slopes[a];
    for (size_t b = 0; b < in->m->axis_count; b++)
      in->curvature[a][b] += weight * slopes[a] * slopes[b];
  }
}

static void add_penalty(struct inner *in) {
  const double half = 1e-6, factor = 2 * in->fit->penalty_percent;
  for (size_t a = 0; a < in->m->axis_count; a++) {
    const double slope = (change_at(in, a, in->w[a] + half) - change_at(in, a, in->w[a] - half)) / (2 * half);
    in->gradient[a] += factor * slope * change_at(in, a, in->w[a]);
    in->curvature[a][a] += factor * slope * slope;
  }
}

static void set_quadratic(struct inner *in) {
  const size_t n = in->m->axis_count;
  double units[SPACE_MOST], largest = 0;
  memset(in->gradient, 0, sizeof in->gradient);
  memset(in->curvature, 0, sizeof in->curvature);
  go_to(in, in->w);
  for (size_t a = 0; a < n; a++)
    units[a] = linear_model_unit(&in->m->space->axes[in->m->axes[a]], in->point[in->m->axes[a]]);
  for (size_t i = 0; i < in->fit->sample.count; i++)
    add_measurement(in, in->fit->sample.indices[i], units);
  add_penalty(in);
  for (size_t a = 0; a < n; a++)
    largest = fmax(largest, in->curvature[a][a]);
  for (size_t a = 0; a < n; a++)
    in->curvature[a][a] += least_damping * largest + 1e-300;
}

/* Executes one sweep of coordinate descent. Returns the largest change of a component. */
static double sweep(struct inner *in) {
  double largest = 0;
  for (size_t a = 0; a < in->m->axis_count; a++) {
    double slope = in->gradient[a];
    for (size_t b = 0; b < in->m->axis_count; b++)
      slope += in->curvature[a][b] * in->step[b];
    const double free = in->step[a] - slope / in->curvature[a][a];
    const double next = fmin(fmax(free, in->low[a] - in->w[a]), in->high[a] - in->w[a]);
    largest = fmax(largest, fabs(next - in->step[a]));
    in->step[a] = next;
  }
  return largest;
}

static void solve(struct inner *in, double small) {
  memset(in->step, 0, sizeof in->step);
  for (int i = 0; i < MOST_SWEEPS && sweep(in) > small; i++)
    ;
}

/* Moves along the step as far as the cost falls. Returns the distance on the axis that moves most, or 0 if the cost
 * does not fall. */
static double descend(struct inner *in, double *cost) {
  for (double share = 1; share > pow(0.5, MOST_HALVINGS); share /= 2) {
    double next[SPACE_MOST], distance = 0;
    for (size_t a = 0; a < in->m->axis_count; a++) {
      next[a] = in->w[a] + share * in->step[a];
      distance = fmax(distance, fabs(share * in->step[a]));
    }
    const double there = cost_at(in, next);
    if (there < *cost) {
      *cost = there;
      memcpy(in->w, next, sizeof next);
      return distance;
    }
  }
  return 0;
}

/* Sets the box: the region around the model's point within the ranges. The fixed axis keeps its value in in->point. */
static void set_box(struct inner *in, double radius, size_t fixed) {
  for (size_t a = 0; a < in->m->axis_count; a++) {
    const size_t p = in->m->axes[a];
    const struct space_axis *axis = &in->m->space->axes[p];
    const double middle = space_to_search(axis, in->m->point[p]);
    in->low[a] = fmax(space_to_search(axis, axis->low), middle - radius);
    in->high[a] = fmin(space_to_search(axis, axis->high), middle + radius);
    in->w[a] = p == fixed ? space_to_search(axis, in->point[p]) : middle;
    if (p == fixed)
      in->low[a] = in->high[a] = in->w[a];
  }
}

double reweighted_least(const struct linear_model *m, const struct fit *fit, double radius, size_t fixed,
                        double *best) {
  const double *weights = fit->objective->weights;
  struct inner in = {.m = m,
                     .fit = fit,
                     .relative = weights[OBJECTIVE_MAPE] > 0 && !(weights[OBJECTIVE_LOG] > 0),
                     .point = best,
                     .predictions = malloc(m->measurements * sizeof *in.predictions)};
  set_box(&in, radius, fixed);
  memcpy(best, m->point, m->space->count * sizeof *best);
  if (!in.predictions) {
    linear_model_had_no_memory(m);
    return INFINITY;
  }
  double cost = cost_at(&in, in.w), moved = INFINITY;
  for (int i = 0; i < MOST_STEPS && moved > converged * radius; i++) {
    set_quadratic(&in);
    solve(&in, converged * radius / 100);
    moved = descend(&in, &cost);
  }
  go_to(&in, in.w);
  cost = fit_cost_of(fit, best, in.predictions);
  free(in.predictions);
  return cost;
}

static double cost_of(const void *context, const double *point, const double *predictions) {
  return fit_cost_of(context, point, predictions);
}

double linear_fit_least(const struct linear_model *m, const struct fit *fit, double radius, size_t fixed, uint64_t seed,
                        double *best) {
  return objective_has_correlation(fit->objective) ? linear_model_least(m, cost_of, fit, radius, fixed, seed, best)
                                                   : reweighted_least(m, fit, radius, fixed, best);
}
