#include "tuner/method/simplex.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include <gsl/gsl_errno.h>
#include <gsl/gsl_multimin.h>

static const double least_slope = 0.25;         /* of the sine: keeps first steps near an end of a range small */
static const double least_progress = 1e-3;      /* relative gain that a restart must bring */
static const double instead_of_infinity = 1e12; /* an infinite corner would keep the simplex from shrinking */
enum { RESTARTS = 6 };

/* The state of a problem while it is solved. */
struct walk {
  const struct simplex_problem *problem;
  size_t calls;
  double best_cost, best[SIMPLEX_MOST];
};

static double middle(const struct simplex_problem *p, size_t i) {
  return (p->low[i] + p->high[i]) / 2;
}

static double half(const struct simplex_problem *p, size_t i) {
  return (p->high[i] - p->low[i]) / 2;
}

static double to_angle(const struct simplex_problem *p, size_t i, double x) {
  return half(p, i) > 0 ? asin(fmin(fmax((x - middle(p, i)) / half(p, i), -1), 1)) : 0;
}

static double cost_of_angles(const gsl_vector *angles, void *context) {
  struct walk *walk = context;
  double x[SIMPLEX_MOST];
  for (size_t i = 0; i < walk->problem->count; i++)
    x[i] = middle(walk->problem, i) + half(walk->problem, i) * sin(gsl_vector_get(angles, i));
  const double cost = walk->problem->cost(walk->problem->context, x);
  walk->calls++;
  if (cost < walk->best_cost) {
    walk->best_cost = cost;
    memcpy(walk->best, x, sizeof x);
  }
  return isfinite(cost) ? cost : instead_of_infinity;
}

/* Sets a simplex of full size around the best point. */
static void set_start(const struct walk *walk, gsl_vector *angles, gsl_vector *steps) {
  const struct simplex_problem *p = walk->problem;
  for (size_t i = 0; i < p->count; i++) {
    const double angle = to_angle(p, i, walk->best[i]);
    gsl_vector_set(angles, i, angle);
    gsl_vector_set(steps, i, half(p, i) > 0 ? p->first_step / (half(p, i) * fmax(cos(angle), least_slope)) : 0.1);
  }
}

static double mean_half(const struct simplex_problem *p) {
  double sum = 0;
  for (size_t i = 0; i < p->count; i++)
    sum += half(p, i);
  return sum / (double)p->count;
}

/* Runs until the simplex is small or the budget is used up. */
static void descend(struct walk *walk, gsl_multimin_fminimizer *minimizer, gsl_vector *angles, gsl_vector *steps) {
  const struct simplex_problem *p = walk->problem;
  gsl_multimin_function function = {.f = cost_of_angles, .n = p->count, .params = walk};
  const double small = p->last_size / fmax(mean_half(p), p->last_size);
  set_start(walk, angles, steps);
  if (gsl_multimin_fminimizer_set(minimizer, &function, angles, steps) != GSL_SUCCESS)
    return;
  while (walk->calls < p->budget && gsl_multimin_fminimizer_iterate(minimizer) == GSL_SUCCESS)
    if (gsl_multimin_fminimizer_size(minimizer) < small)
      break;
}

static void descend_repeatedly(struct walk *walk, gsl_multimin_fminimizer *minimizer, gsl_vector *angles,
                               gsl_vector *steps) {
  for (int i = 0; i <= RESTARTS && walk->calls < walk->problem->budget; i++) {
    const double before = walk->best_cost;
    descend(walk, minimizer, angles, steps);
    if (isfinite(before) && !(walk->best_cost < before - least_progress * fabs(before)))
      break;
  }
}

double simplex_minimise(const struct simplex_problem *problem, double *x) {
  struct walk walk = {.problem = problem, .best_cost = INFINITY};
  memcpy(walk.best, x, problem->count * sizeof *x);
  gsl_error_handler_t *handler = gsl_set_error_handler_off();
  gsl_multimin_fminimizer *minimizer =
      gsl_multimin_fminimizer_alloc(gsl_multimin_fminimizer_nmsimplex2, problem->count);
  gsl_vector *angles = gsl_vector_alloc(problem->count), *steps = gsl_vector_alloc(problem->count);
  if (minimizer && angles && steps)
    descend_repeatedly(&walk, minimizer, angles, steps);
  gsl_multimin_fminimizer_free(minimizer);
  gsl_vector_free(angles);
  gsl_vector_free(steps);
  gsl_set_error_handler(handler);
  memcpy(x, walk.best, problem->count * sizeof *x);
  return walk.best_cost;
}
