/* A board of 300 analytic kernels with ten hidden parameters, 5 % of noise, and one kernel in thirty that no parameters
 * explain. */
#ifndef SUPPORT_SYNTHETIC_KERNELS_H
#define SUPPORT_SYNTHETIC_KERNELS_H

#include <math.h>
#include <stddef.h>

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>

#include "tuner/tune.h"

#define SYNTHETIC_PARAMS                                                                                               \
  "arith@1,store@4,l1_hit@3,l1_miss@15,l2_miss@143,barrier@10,scratchpad@2,scratchpad_pass@2,uniform@2,work_group@100"

enum { SYNTHETIC_KERNELS = 300, SYNTHETIC_PARAMETERS = 10 };
static const double synthetic_hidden[SYNTHETIC_PARAMETERS] = {0.5, 7, 5, 40, 80, 25, 1, 4, 5, 220};

/* Makes counts by kernel: a kernel uses some of the parameters, with counts over two decades. */
struct synthetic {
  size_t tuned; /* number of kernels that a tuning uses, the first ones */
  double counts[SYNTHETIC_KERNELS][SYNTHETIC_PARAMETERS], measured[SYNTHETIC_KERNELS];
  struct space space;
};

/* Returns the time of a kernel: as on a GPU, the larger of arithmetic and memory time, and the time that cannot
 * overlap. */
static inline double synthetic_time(const double *counts, const double *values) {
  double memory = 0, rest = 0;
  for (int p = 1; p < 5; p++)
    memory += counts[p] * values[p];
  for (int p = 5; p < SYNTHETIC_PARAMETERS; p++)
    rest += counts[p] * values[p];
  const double arithmetic = counts[0] * values[0];
  return fmax(arithmetic, memory) + 0.2 * fmin(arithmetic, memory) + rest;
}

static inline int synthetic_predict(void *context, const struct gpu_spec *specs, size_t count, double *predictions,
                                    struct error *refusal, struct error *error) {
  const struct synthetic *s = context;
  (void)refusal;
  (void)error;
  for (size_t i = 0; i < count; i++) {
    double values[SYNTHETIC_PARAMETERS];
    for (int p = 0; p < SYNTHETIC_PARAMETERS; p++)
      values[p] = params_get_number(s->space.axes[p].param, &specs[i]);
    for (size_t k = 0; k < s->tuned; k++)
      predictions[i * s->tuned + k] = synthetic_time(s->counts[k], values);
  }
  return 0;
}

static inline void synthetic_make(struct synthetic *s, gsl_rng *random) {
  static const double noise = 0.05, strange = 1.0 / 30, factor_of_the_strange = 4;
  static const double sizes[SYNTHETIC_PARAMETERS] = {4000, 200, 800, 100, 20, 80, 600, 600, 600, 5};
  for (size_t k = 0; k < SYNTHETIC_KERNELS; k++) {
    for (int p = 0; p < SYNTHETIC_PARAMETERS; p++)
      s->counts[k][p] = gsl_rng_uniform(random) < 0.7 ? sizes[p] * exp(gsl_ran_gaussian(random, 1)) : 0;
    s->counts[k][0] += 100;
    s->measured[k] = synthetic_time(s->counts[k], synthetic_hidden) * exp(gsl_ran_gaussian(random, noise));
    if (gsl_rng_uniform(random) < strange)
      s->measured[k] *= factor_of_the_strange;
  }
}

#endif
