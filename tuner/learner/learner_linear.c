/* Linear regression by least squares (GSL), with a ridge so small that it only decides where the examples do not: there
 * are often fewer kernels than features. The size of the ridge is that of WEKA, which the thesis used. */
#include "tuner/learner/learner.h"

#include <math.h>

#include <gsl/gsl_blas.h>
#include <gsl/gsl_multifit.h>

static const double ridge = 1e-8;

/* Sets the system [inputs; sqrt(ridge) I] w = [targets; 0]. Targets have mean 0, so there is no constant. */
static void set_system(const struct examples *e, gsl_matrix *m, gsl_vector *y) {
  gsl_matrix_set_zero(m);
  gsl_vector_set_zero(y);
  for (size_t i = 0; i < e->examples; i++) {
    for (size_t c = 0; c < e->columns; c++)
      gsl_matrix_set(m, i, c, e->inputs[i * e->columns + c]);
    gsl_vector_set(y, i, e->targets[i]);
  }
  for (size_t c = 0; c < e->columns; c++)
    gsl_matrix_set(m, e->examples + c, c, sqrt(ridge));
}

static void evaluate(const struct examples *asked, const gsl_vector *weights, double *predicted) {
  for (size_t i = 0; i < asked->examples; i++) {
    predicted[i] = 0;
    for (size_t c = 0; c < asked->columns; c++)
      predicted[i] += gsl_vector_get(weights, c) * asked->inputs[i * asked->columns + c];
  }
}

static int predict(const struct examples *training, const struct examples *asked, uint64_t seed, double *predicted,
                   struct error *error) {
  (void)seed;
  const size_t columns = training->columns, rows = training->examples + columns;
  gsl_matrix *m = gsl_matrix_alloc(rows, columns), *covariance = gsl_matrix_alloc(columns, columns);
  gsl_vector *y = gsl_vector_alloc(rows), *weights = gsl_vector_alloc(columns);
  gsl_multifit_linear_workspace *work = gsl_multifit_linear_alloc(rows, columns);
  int status = -1;
  if (m && covariance && y && weights && work) {
    double residual;
    set_system(training, m, y);
    status = gsl_multifit_linear(m, y, weights, covariance, &residual, work);
    if (status == 0)
      evaluate(asked, weights, predicted);
  }
  gsl_matrix_free(m);
  gsl_matrix_free(covariance);
  gsl_vector_free(y);
  gsl_vector_free(weights);
  gsl_multifit_linear_free(work);
  return status == 0 ? 0 : error_set(error, ERROR_WORK, "linear regression failed on %zu examples", training->examples);
}

const struct learner learner_linear = {.name = "linear regression", .predict = predict};
