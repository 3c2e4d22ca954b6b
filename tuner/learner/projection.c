#include "tuner/learner/projection.h"

#include <math.h>
#include <stdlib.h>

#include <gsl/gsl_eigen.h>
#include <gsl/gsl_statistics_double.h>

#include "tuner/objective/score.h"

const char *const projection_names[PROJECTION_KINDS] = {"all", "correlated", "pca"};

enum { CORRELATED_MOST = 5 };               /* thesis, section 5.2.2 */
static const double variance_share = 0.95;  /* WEKA's default */
static const double least_deviation = 1e-9; /* share of the mean below which a column does not vary */

/* The standardised training examples, of the columns that vary: values[k * count + i], column k, example i. */
struct standard {
  size_t columns, count;
  size_t *column; /* [columns]: index of each among the features */
  double *deviation, *values;
};

static void standardise(const struct features *f, const size_t *indices, struct standard *s, double *means) {
  for (size_t c = 0; c < f->columns; c++) {
    double *values = s->values + s->columns * s->count;
    for (size_t i = 0; i < s->count; i++)
      values[i] = f->values[indices[i] * f->columns + c];
    means[c] = gsl_stats_mean(values, 1, s->count);
    const double deviation = s->count > 1 ? gsl_stats_sd_m(values, 1, s->count, means[c]) : 0;
    if (!(deviation > least_deviation * fabs(means[c])))
      continue;
    for (size_t i = 0; i < s->count; i++)
      values[i] = (values[i] - means[c]) / deviation;
    s->deviation[s->columns] = deviation;
    s->column[s->columns++] = c;
  }
}

static void keep_column(struct projection *p, const struct standard *s, size_t k) {
  p->weights[p->outputs++ * p->inputs + s->column[k]] = 1 / s->deviation[k];
}

static void keep_correlated(struct projection *p, const struct standard *s, const double *target) {
  double *strength = s->values + s->columns * s->count; /* room for one more column */
  for (size_t k = 0; k < s->columns; k++) {
    const double r = score_pearson(s->values + k * s->count, target, s->count);
    strength[k] = isfinite(r) ? fabs(r) : -1;
  }
  for (size_t n = 0; n < CORRELATED_MOST; n++) {
    size_t best = s->columns;
    for (size_t k = 0; k < s->columns; k++)
      if (strength[k] >= 0 && (best == s->columns || strength[k] > strength[best]))
        best = k;
    if (best == s->columns)
      return;
    keep_column(p, s, best);
    strength[best] = -1;
  }
}

static void keep_component(struct projection *p, const struct standard *s, const gsl_matrix *vectors, size_t component,
                           double variance) {
  for (size_t k = 0; k < s->columns; k++)
    p->weights[p->outputs * p->inputs + s->column[k]] =
        gsl_matrix_get(vectors, k, component) / (s->deviation[k] * sqrt(variance));
  p->outputs++;
}

static int keep_components(struct projection *p, const struct standard *s) {
  const size_t n = s->columns;
  gsl_matrix *correlations = gsl_matrix_alloc(n, n), *vectors = gsl_matrix_alloc(n, n);
  gsl_vector *variances = gsl_vector_alloc(n);
  gsl_eigen_symmv_workspace *work = gsl_eigen_symmv_alloc(n);
  const int status = correlations && vectors && variances && work ? 0 : -1;
  if (status == 0) {
    for (size_t a = 0; a < n; a++)
      for (size_t b = 0; b < n; b++)
        gsl_matrix_set(correlations, a, b,
                       gsl_stats_correlation(s->values + a * s->count, 1, s->values + b * s->count, 1, s->count));
    gsl_eigen_symmv(correlations, variances, vectors, work);
    gsl_eigen_symmv_sort(variances, vectors, GSL_EIGEN_SORT_VAL_DESC);
    double explained = 0;
    for (size_t i = 0; i < n && explained < variance_share * (double)n; i++) {
      keep_component(p, s, vectors, i, gsl_vector_get(variances, i));
      explained += gsl_vector_get(variances, i);
    }
  }
  gsl_matrix_free(correlations);
  gsl_matrix_free(vectors);
  gsl_vector_free(variances);
  gsl_eigen_symmv_free(work);
  return status;
}

int projection_fit(struct projection *p, enum projection_kind kind, const struct features *features,
                   const size_t *indices, size_t count, const double *target, struct error *error) {
  const size_t n = features->columns;
  struct standard s = {.count = count,
                       .column = calloc(n, sizeof *s.column),
                       .deviation = calloc(n, sizeof *s.deviation),
                       .values = calloc((n + 1) * (count > n ? count : n), sizeof *s.values)};
  double *trained = calloc(count + 1, sizeof *trained);
  *p = (struct projection){.inputs = n, .means = calloc(n, sizeof *p->means), .weights = calloc(n * n, sizeof(double))};
  int status = 0;
  if (!s.column || !s.deviation || !s.values || !trained || !p->means || !p->weights)
    status = -1;
  if (status == 0) {
    standardise(features, indices, &s, p->means);
    for (size_t i = 0; i < count && kind == PROJECTION_CORRELATED; i++)
      trained[i] = target[indices[i]];
    if (kind == PROJECTION_CORRELATED)
      keep_correlated(p, &s, trained);
    else if (kind == PROJECTION_PCA && s.columns > 0)
      status = keep_components(p, &s);
    for (size_t k = 0; k < s.columns && kind == PROJECTION_ALL; k++)
      keep_column(p, &s, k);
  }
  free(s.column);
  free(s.deviation);
  free(s.values);
  free(trained);
  if (status == 0)
    return 0;
  projection_clear(p);
  return error_no_memory(error);
}

void projection_apply(const struct projection *p, const double *inputs, double *outputs) {
  for (size_t o = 0; o < p->outputs; o++) {
    outputs[o] = 0;
    for (size_t i = 0; i < p->inputs; i++)
      outputs[o] += p->weights[o * p->inputs + i] * (inputs[i] - p->means[i]);
  }
}

void projection_clear(struct projection *p) {
  free(p->means);
  free(p->weights);
  *p = (struct projection){0};
}
