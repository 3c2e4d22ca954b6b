#include "tuner/identify.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <gsl/gsl_eigen.h>
#include <gsl/gsl_errno.h>

#include "tuner/method/linear_model.h"
#include "tuner/method/reweighted.h"

const double profile_factors[PROFILE_STEPS] = {0.5, 0.8, 1.25, 2};
const double undetermined_amplification = 20;
const double trade_off_correlation = 0.9;

static const double no_information = 1e-12; /* an eigenvalue of J'J below this share of the largest is rounding */
static const double known_beforehand = 0.6931471805599453; /* ln 2 */
static const double refit_radius = 2.5;                    /* of a profile's refit, in search coordinates */

/* Returns d ln(prediction) / d(search coordinate). */
static double log_slope(const struct linear_model *m, size_t a, size_t k) {
  const double per_w = linear_model_unit(&m->space->axes[m->axes[a]], m->point[m->axes[a]]);
  return m->slopes[a * m->measurements + k] * per_w / m->predictions[k];
}

static void information(const struct linear_model *m, gsl_matrix *f) {
  for (size_t a = 0; a < m->axis_count; a++) {
    for (size_t b = 0; b < m->axis_count; b++) {
      double sum = 0;
      for (size_t k = 0; k < m->measurements; k++)
        sum += log_slope(m, a, k) * log_slope(m, b, k);
      gsl_matrix_set(f, a, b, sum);
    }
  }
}

/* Returns an element of the inverse, from eigenvalues and eigenvectors. A direction without information makes it
 * infinite. */
static double inverse(const gsl_vector *values, const gsl_matrix *vectors, size_t a, size_t b) {
  const double largest = fmax(gsl_vector_max(values), 1e-300);
  double sum = 0;
  for (size_t i = 0; i < values->size; i++) {
    const double value = fmax(gsl_vector_get(values, i), no_information * largest);
    sum += gsl_matrix_get(vectors, a, i) * gsl_matrix_get(vectors, b, i) / value;
  }
  return sum;
}

static void describe(const struct linear_model *m, const gsl_matrix *f, const gsl_vector *values,
                     const gsl_matrix *vectors, struct identification *out) {
  for (size_t a = 0; a < m->axis_count; a++) {
    const size_t p = m->axes[a];
    const double own = inverse(values, vectors, a, a);
    out->identities[p].sensitivity = sqrt(gsl_matrix_get(f, a, a) / (double)m->measurements);
    out->identities[p].amplification = gsl_matrix_get(f, a, a) > 0 ? sqrt(own) : INFINITY;
    for (size_t b = 0; b < m->axis_count; b++)
      out->correlation[p][m->axes[b]] = inverse(values, vectors, a, b) / sqrt(own * inverse(values, vectors, b, b));
  }
}

static void find_flat_directions(const struct linear_model *m, const gsl_vector *values, const gsl_matrix *vectors,
                                 struct identification *out) {
  for (size_t i = 0; i < m->axis_count; i++) {
    const double value = gsl_vector_get(values, i);
    const double amplification = value > 0 ? 1 / sqrt(value) : INFINITY;
    if (amplification < undetermined_amplification)
      continue;
    for (size_t a = 0; a < m->axis_count; a++)
      out->flat[out->flat_count][m->axes[a]] = gsl_matrix_get(vectors, a, i);
    out->flat_amplification[out->flat_count++] = amplification;
  }
}

/* Returns the root mean square error. Residuals share the freedom that the parameters leave. */
static double rms_error(const struct tune *t, size_t axis_count) {
  const size_t count = t->setup.predictor->count;
  double squares = 0;
  for (size_t i = 0; i < count; i++)
    squares += pow(log(t->setup.measured[i] / t->predictions[i]), 2);
  return sqrt(squares / (double)(count > axis_count ? count - axis_count : 1));
}

static double count_determined(const gsl_vector *values, double error_ratio) {
  const double needed = pow(error_ratio / known_beforehand, 2);
  double sum = 0;
  for (size_t i = 0; i < values->size; i++) {
    const double value = fmax(gsl_vector_get(values, i), 0);
    sum += value > 0 ? value / (value + needed) : 0;
  }
  return sum;
}

/* Decomposes J'J. The copy of `f` is destroyed by the decomposition. */
static int decompose(const struct linear_model *m, struct identification *out, struct error *error) {
  const size_t n = m->axis_count;
  gsl_matrix *f = gsl_matrix_alloc(n, n), *copy = gsl_matrix_alloc(n, n), *vectors = gsl_matrix_alloc(n, n);
  gsl_vector *values = gsl_vector_alloc(n);
  gsl_eigen_symmv_workspace *work = gsl_eigen_symmv_alloc(n);
  int status = f && copy && vectors && values && work ? 0 : error_no_memory(error);
  if (status == 0) {
    information(m, f);
    gsl_matrix_memcpy(copy, f);
    gsl_eigen_symmv(copy, values, vectors, work);
    gsl_eigen_symmv_sort(values, vectors, GSL_EIGEN_SORT_VAL_ASC);
    describe(m, f, values, vectors, out);
    find_flat_directions(m, values, vectors, out);
    out->determined = count_determined(values, out->error_ratio);
  }
  gsl_matrix_free(f);
  gsl_matrix_free(copy);
  gsl_matrix_free(vectors);
  gsl_vector_free(values);
  gsl_eigen_symmv_free(work);
  return status;
}

/* ---- profile ---- */

static void profile(const struct tune *t, const struct linear_model *m, const struct fit *fit, size_t axis,
                    double *predictions, struct identity *identity) {
  const struct space_axis *bounds = &t->setup.space->axes[axis];
  for (int s = 0; s < PROFILE_STEPS; s++) {
    double point[SPACE_MOST];
    memcpy(point, t->tuned, sizeof point);
    point[axis] *= profile_factors[s];
    identity->fixed[s] = identity->refitted[s] = NAN;
    if (point[axis] < bounds->low || point[axis] > bounds->high)
      continue;
    linear_model_predict(m, point, predictions);
    identity->fixed[s] = fit_cost_of(fit, point, predictions);
    identity->refitted[s] = linear_fit_least(m, fit, refit_radius, axis, t->setup.seed, point);
  }
}

static int profile_all(const struct tune *t, const struct linear_model *m, const struct fit *fit,
                       struct identification *out, struct error *error) {
  double *predictions = malloc(m->measurements * sizeof *predictions);
  if (!predictions)
    return error_no_memory(error);
  for (size_t a = 0; a < fit->axis_count; a++)
    profile(t, m, fit, fit->axes[a], predictions, &out->identities[fit->axes[a]]);
  free(predictions);
  return linear_model_check(m, error);
}

int tune_identify(struct tune *t, struct identification *out, struct error *error) {
  *out = (struct identification){.axis_count = 0};
  struct fit fit;
  struct linear_model m;
  tune_fit_init(t, (struct sample){t->setup.measured, t->all, t->setup.predictor->count}, &fit);
  if (fit.axis_count == 0)
    return 0;
  out->axis_count = fit.axis_count;
  memcpy(out->axes, fit.axes, sizeof out->axes);
  if (linear_model_init(&m, t->setup.space, fit.axes, fit.axis_count, t->setup.predictor->count, error) != 0)
    return -1;
  out->error_ratio = rms_error(t, fit.axis_count);
  int status = tune_linear_model(t, &m, error);
  if (status == 0)
    status = decompose(&m, out, error);
  if (status == 0)
    status = profile_all(t, &m, &fit, out, error);
  linear_model_clear(&m);
  t->determined = out->determined;
  return status;
}
