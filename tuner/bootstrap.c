#include "tuner/bootstrap.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>

#include "base/random.h"
#include "tuner/method/linear_model.h"
#include "tuner/method/reweighted.h"

static const double radius = 2.5;  /* of a refit, in search coordinates: a factor of twelve to either side */
static const double least = 0.025; /* lower percentile */

struct bootstrap {
  struct tune *t;
  struct linear_model model;
  double spread;       /* standard deviation of ln(measured / predicted) */
  size_t freedom;      /* measurements minus parameters */
  double *points;      /* [replica][SPACE_MOST] */
  double *predictions; /* [replica][measurement] */
};

static size_t measurement_count(const struct bootstrap *b) {
  return b->model.measurements;
}

static void estimate_spread(struct bootstrap *b) {
  double squares = 0;
  for (size_t i = 0; i < measurement_count(b); i++) {
    const double residual = log(b->t->setup.measured[i] / b->t->predictions[i]);
    squares += residual * residual;
  }
  b->spread = sqrt(squares / (double)b->freedom);
}

static void draw_measurements(const struct bootstrap *b, uint64_t seed, double *measured) {
  gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
  struct random_state mixed = {seed};
  gsl_rng_set(random, (unsigned long)random_next(&mixed));
  const double freedom = (double)b->freedom;
  const double spread = b->spread * sqrt(freedom / gsl_ran_chisq(random, freedom));
  for (size_t i = 0; i < measurement_count(b); i++)
    measured[i] = b->t->predictions[i] * exp(gsl_ran_gaussian(random, spread));
  gsl_rng_free(random);
}

static void refit(struct bootstrap *b, size_t replica, double *measured) {
  struct fit fit;
  double *point = b->points + replica * SPACE_MOST;
  draw_measurements(b, b->t->setup.seed * 1000003 + replica, measured);
  tune_fit_init(b->t, (struct sample){measured, b->t->all, measurement_count(b)}, &fit);
  linear_fit_least(&b->model, &fit, radius, SPACE_MOST, replica, point);
  space_normalise(b->t->setup.space, point);
  linear_model_predict(&b->model, point, b->predictions + replica * measurement_count(b));
}

static int by_value(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* Returns the percentiles of `values[replica * stride]`; `sorted` has room for all replicas. */
static struct interval percentiles(const double *values, size_t stride, size_t replicas, double *sorted) {
  for (size_t r = 0; r < replicas; r++)
    sorted[r] = values[r * stride];
  qsort(sorted, replicas, sizeof *sorted, by_value);
  const size_t skipped = (size_t)(least * (double)replicas);
  return (struct interval){sorted[skipped], sorted[replicas - 1 - skipped]};
}

static int summarise(struct bootstrap *b, size_t replicas, struct error *error) {
  struct tune *t = b->t;
  double *sorted = malloc(replicas * sizeof *sorted);
  t->prediction_intervals = calloc(measurement_count(b), sizeof *t->prediction_intervals);
  if (!sorted || !t->prediction_intervals) {
    free(sorted);
    return error_no_memory(error);
  }
  for (size_t i = 0; i < t->setup.space->count; i++)
    t->parameter_intervals[i] = percentiles(b->points + i, SPACE_MOST, replicas, sorted);
  for (size_t i = 0; i < measurement_count(b); i++)
    t->prediction_intervals[i] = percentiles(b->predictions + i, measurement_count(b), replicas, sorted);
  t->replicas = replicas;
  free(sorted);
  return 0;
}

static int run(struct bootstrap *b, size_t replicas, int jobs, struct error *error) {
  double *measured = calloc(replicas * measurement_count(b), sizeof *measured);
  b->points = calloc(replicas * SPACE_MOST, sizeof *b->points);
  b->predictions = calloc(replicas * measurement_count(b), sizeof *b->predictions);
  int status = -1;
  if (!measured || !b->points || !b->predictions) {
    error_no_memory(error);
  } else {
    (void)jobs; /* without OpenMP there is one thread */
#pragma omp parallel for schedule(dynamic, 1) num_threads(jobs)
    for (size_t r = 0; r < replicas; r++)
      refit(b, r, measured + r * measurement_count(b));
    status = linear_model_check(&b->model, error) == 0 ? summarise(b, replicas, error) : -1;
  }
  free(measured);
  free(b->points);
  free(b->predictions);
  return status;
}

int tune_bootstrap(struct tune *t, size_t replicas, int jobs, struct error *error) {
  struct bootstrap b = {.t = t};
  struct fit fit;
  tune_fit_init(t, (struct sample){t->setup.measured, t->all, t->setup.predictor->count}, &fit);
  if (t->setup.predictor->count <= fit.axis_count)
    return error_at(error, ERROR_INPUT, "", 0, 0, "--bootstrap",
                    "found %zu measurements for %zu parameters: a spread needs more measurements than parameters",
                    t->setup.predictor->count, fit.axis_count);
  b.freedom = t->setup.predictor->count - fit.axis_count;
  if (linear_model_init(&b.model, t->setup.space, fit.axes, fit.axis_count, t->setup.predictor->count, error) != 0)
    return -1;
  int status = tune_linear_model(t, &b.model, error);
  if (status == 0) {
    estimate_spread(&b);
    status = run(&b, replicas, jobs, error);
  }
  linear_model_clear(&b.model);
  return status;
}
