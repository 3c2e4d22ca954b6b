/* Ridge regression (GSL). The size of the ridge is the one with the least generalised cross-validation error (Golub,
 * Heath, Wahba, Technometrics 21, 1979), so that more features than examples do no harm. */
#include "tuner/learner/learner.h"

#include <setjmp.h>

#include <gsl/gsl_blas.h>
#include <gsl/gsl_errno.h>
#include <gsl/gsl_multifit.h>

enum { RIDGES = 100 }; /* number of sizes that are compared */

struct system {
  gsl_matrix *inputs;
  gsl_vector *targets, *weights, *ridges, *errors;
  gsl_multifit_linear_workspace *work;
};

static bool allocate(struct system *s, size_t rows, size_t columns) {
  s->inputs = gsl_matrix_alloc(rows, columns);
  s->targets = gsl_vector_alloc(rows);
  s->weights = gsl_vector_alloc(columns);
  s->ridges = gsl_vector_alloc(RIDGES);
  s->errors = gsl_vector_alloc(RIDGES);
  s->work = gsl_multifit_linear_alloc(rows, columns);
  return s->inputs && s->targets && s->weights && s->ridges && s->errors && s->work;
}

static void release(struct system *s) {
  gsl_matrix_free(s->inputs);
  gsl_vector_free(s->targets);
  gsl_vector_free(s->weights);
  gsl_vector_free(s->ridges);
  gsl_vector_free(s->errors);
  gsl_multifit_linear_free(s->work);
}

static void set(struct system *s, const struct examples *e) {
  for (size_t i = 0; i < s->inputs->size1; i++) {
    gsl_vector_set(s->targets, i, i < e->examples ? e->targets[i] : 0);
    for (size_t c = 0; c < e->columns; c++)
      gsl_matrix_set(s->inputs, i, c, i < e->examples ? e->inputs[i * e->columns + c] : 0);
  }
}

static jmp_buf out_of_memory;

/* GSL's minimiser inside of gsl_multifit_linear_gcv is used without a check of its allocation. */
static void leave_without_memory(const char *reason, const char *file, int line, int code) {
  (void)reason;
  (void)file;
  (void)line;
  if (code == GSL_ENOMEM)
    longjmp(out_of_memory, 1);
}

/* Where memory runs out, what GSL has allocated for its own use stays allocated. */
static int fit(struct system *s) {
  double ridge, error, residual, size;
  if (setjmp(out_of_memory))
    return GSL_ENOMEM;
  gsl_set_error_handler(leave_without_memory);
  int status = gsl_multifit_linear_svd(s->inputs, s->work);
  if (status == GSL_SUCCESS)
    status = gsl_multifit_linear_gcv(s->targets, s->ridges, s->errors, &ridge, &error, s->work);
  if (status == GSL_SUCCESS)
    status = gsl_multifit_linear_solve(ridge, s->inputs, s->targets, s->weights, &residual, &size, s->work);
  return status;
}

/* GSL needs at least as many rows as columns; rows of zeros change nothing. */
static int predict(const struct examples *training, const struct examples *asked, uint64_t seed, double *predicted,
                   struct error *error) {
  struct system s = {0};
  const size_t rows = training->examples > training->columns ? training->examples : training->columns + 1;
  gsl_error_handler_t *handler = gsl_set_error_handler_off();
  (void)seed;
  int status = GSL_ENOMEM;
  if (allocate(&s, rows, training->columns)) {
    set(&s, training);
    status = fit(&s);
  }
  for (size_t i = 0; i < asked->examples && status == GSL_SUCCESS; i++) {
    gsl_vector_const_view row = gsl_vector_const_view_array(asked->inputs + i * asked->columns, asked->columns);
    gsl_blas_ddot(&row.vector, s.weights, &predicted[i]);
  }
  release(&s);
  gsl_set_error_handler(handler);
  if (status == GSL_ENOMEM)
    return error_no_memory(error);
  return status == 0 ? 0 : error_set(error, ERROR_WORK, "ridge regression failed on %zu examples", training->examples);
}

const struct learner learner_ridge = {.name = "ridge regression", .predict = predict};
