/* A multi-layer perceptron with one hidden layer of (inputs + 1) / 2 units with tanh, and a linear output. Its size is
 * WEKA's default, which the thesis used; it is trained by BFGS (GSL) on squared errors with weight decay, instead of by
 * 500 passes of back-propagation, so that no learning rate has to be chosen. */
#include "tuner/learner/learner.h"

#include <math.h>
#include <stdlib.h>

#include <gsl/gsl_blas.h>
#include <gsl/gsl_multimin.h>

#include "base/random.h"

static const double decay =
    1e-2; /* factor of squared weights, beside the mean squared error of standardised targets: assumed */
enum { ITERATIONS = 200 };

/* The network's weights: for each hidden unit those of its inputs and a constant, then those of the output and a
 * constant. */
struct network {
  const struct examples *training;
  size_t hidden, columns;
};

static size_t weight_count(const struct network *n) {
  return n->hidden * (n->columns + 1) + n->hidden + 1;
}

static double unit(const struct network *n, const gsl_vector *w, const double *example, size_t h) {
  const size_t first = h * (n->columns + 1);
  double sum = gsl_vector_get(w, first + n->columns);
  for (size_t c = 0; c < n->columns; c++)
    sum += gsl_vector_get(w, first + c) * example[c];
  return tanh(sum);
}

static double output(const struct network *n, const gsl_vector *w, const double *example) {
  const size_t last = n->hidden * (n->columns + 1);
  double sum = gsl_vector_get(w, last + n->hidden);
  for (size_t h = 0; h < n->hidden; h++)
    sum += gsl_vector_get(w, last + h) * unit(n, w, example, h);
  return sum;
}

static double loss(const gsl_vector *w, void *context) {
  const struct network *n = context;
  double sum = 0, squares = 0;
  for (size_t i = 0; i < n->training->examples; i++) {
    const double error = output(n, w, n->training->inputs + i * n->columns) - n->training->targets[i];
    sum += error * error;
  }
  gsl_blas_ddot(w, w, &squares);
  return sum / (double)n->training->examples + decay * squares;
}

static void add(gsl_vector *v, size_t i, double value) {
  gsl_vector_set(v, i, gsl_vector_get(v, i) + value);
}

static void slope(const gsl_vector *w, void *context, gsl_vector *g) {
  const struct network *n = context;
  const size_t last = n->hidden * (n->columns + 1);
  gsl_vector_memcpy(g, w);
  gsl_vector_scale(g, 2 * decay);
  for (size_t i = 0; i < n->training->examples; i++) {
    const double *example = n->training->inputs + i * n->columns;
    const double d = 2 * (output(n, w, example) - n->training->targets[i]) / (double)n->training->examples;
    for (size_t h = 0; h < n->hidden; h++) {
      const double active = unit(n, w, example, h);
      const double inner = d * gsl_vector_get(w, last + h) * (1 - active * active);
      add(g, last + h, d * active);
      for (size_t c = 0; c < n->columns; c++)
        add(g, h * (n->columns + 1) + c, inner * example[c]);
      add(g, h * (n->columns + 1) + n->columns, inner);
    }
    add(g, last + n->hidden, d);
  }
}

static void loss_and_slope(const gsl_vector *w, void *context, double *value, gsl_vector *g) {
  *value = loss(w, context);
  slope(w, context, g);
}

static void train(struct network *n, gsl_multimin_fdfminimizer *minimiser, gsl_vector *start, uint64_t seed) {
  struct random_state random = {seed};
  gsl_multimin_function_fdf problem = {.f = loss, .df = slope, .fdf = loss_and_slope, .n = start->size, .params = n};
  for (size_t i = 0; i < start->size; i++)
    gsl_vector_set(start, i, random_unit(&random) - 0.5);
  gsl_multimin_fdfminimizer_set(minimiser, &problem, start, 0.1, 0.1);
  for (int i = 0; i < ITERATIONS && gsl_multimin_fdfminimizer_iterate(minimiser) == 0; i++)
    if (gsl_multimin_test_gradient(minimiser->gradient, 1e-6) == 0)
      break;
}

static int predict(const struct examples *training, const struct examples *asked, uint64_t seed, double *predicted,
                   struct error *error) {
  struct network n = {.training = training, .hidden = (training->columns + 1) / 2, .columns = training->columns};
  gsl_vector *start = gsl_vector_alloc(weight_count(&n));
  gsl_multimin_fdfminimizer *minimiser =
      gsl_multimin_fdfminimizer_alloc(gsl_multimin_fdfminimizer_vector_bfgs2, weight_count(&n));
  const int status = start && minimiser ? 0 : error_no_memory(error);
  if (status == 0) {
    train(&n, minimiser, start, seed);
    for (size_t i = 0; i < asked->examples; i++)
      predicted[i] = output(&n, minimiser->x, asked->inputs + i * n.columns);
  }
  gsl_vector_free(start);
  gsl_multimin_fdfminimizer_free(minimiser);
  return status;
}

const struct learner learner_perceptron = {.name = "multi-layer perceptron", .predict = predict};
