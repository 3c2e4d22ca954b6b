/* A predictor without simulations: its predictions are sums of counts times latencies, like those of a GPU with one
 * engine. */
#ifndef SUPPORT_FAKE_PREDICTOR_H
#define SUPPORT_FAKE_PREDICTOR_H

#include <math.h>
#include <stddef.h>

#include "tuner/evaluate/predictor.h"

enum { FAKE_KERNELS = 8, FAKE_DELTAS = 5, FAKE_MOST_CALLS = 4096 };

/* The counts by kernel and latency: arith, store, l1_hit, l1_miss, l2_miss. No kernel is a multiple of another. */
static const double fake_counts[FAKE_KERNELS][FAKE_DELTAS] = {
    {9000, 100, 800, 20, 2}, {500, 900, 700, 30, 3},   {800, 50, 5000, 100, 2},  {700, 40, 300, 300, 1},
    {600, 80, 200, 150, 90}, {4000, 700, 300, 10, 20}, {300, 300, 2500, 10, 40}, {2500, 60, 900, 90, 5},
};

struct fake {
  size_t kernels;                                          /* number of kernels, the first ones of the table */
  size_t calls;                                            /* number of specs that were asked for */
  double arith[FAKE_MOST_CALLS], l1_miss[FAKE_MOST_CALLS]; /* values of each spec */
  double refused_above;                                    /* limit of arith_cycles; 0: no spec is refused */
};

static inline void fake_predict_one(const struct gpu_spec *spec, size_t kernels, double *predictions) {
  for (size_t k = 0; k < kernels; k++)
    predictions[k] = 1 + fake_counts[k][0] * spec->arith_cycles + fake_counts[k][1] * spec->store_cycles +
                     fake_counts[k][2] * spec->l1_hit_cycles + fake_counts[k][3] * spec->l1_miss_cycles +
                     fake_counts[k][4] * spec->l2_miss_cycles;
}

static inline int fake_predict(void *context, const struct gpu_spec *specs, size_t spec_count, double *predictions,
                               struct error *refusal, struct error *error) {
  struct fake *fake = context;
  (void)error;
  for (size_t s = 0; s < spec_count; s++) {
    if (fake->calls < FAKE_MOST_CALLS) {
      fake->arith[fake->calls] = specs[s].arith_cycles;
      fake->l1_miss[fake->calls] = specs[s].l1_miss_cycles;
    }
    fake->calls++;
    fake_predict_one(&specs[s], fake->kernels, predictions + s * fake->kernels);
    if (fake->refused_above > 0 && specs[s].arith_cycles > fake->refused_above) {
      error_set(refusal, ERROR_INPUT, "refused");
      for (size_t k = 0; k < fake->kernels; k++)
        predictions[s * fake->kernels + k] = NAN;
    }
  }
  return 0;
}

#endif
