/* A tuning of the fake predictor to measurements made from hidden deltas. */
#ifndef SUPPORT_TUNE_FIXTURE_H
#define SUPPORT_TUNE_FIXTURE_H

#include "fake_predictor.h"
#include "tuner/tune.h"

struct tune_fixture {
  struct fake fake;
  struct predictor predictor;
  struct gpu_spec spec, hidden;
  struct space space;
  struct objective objective;
  double measured[FAKE_KERNELS];
  struct tune tune;
};

/* Sets up a tuning whose measurements are those of the hidden deltas. Asserts that the texts are valid. */
static inline struct tune_setup tune_fixture_setup(struct tune_fixture *f, const char *params, const char *objective,
                                                   const char *method) {
  struct error error = ERROR_INIT;
  *f = (struct tune_fixture){.fake = {.kernels = FAKE_KERNELS},
                             .predictor = {.count = FAKE_KERNELS, .context = &f->fake, .predict = fake_predict}};
  params_defaults(&gpu_params, &f->spec, NULL);
  f->hidden = f->spec;
  f->spec.arith_cycles = 1;
  f->spec.store_cycles = 4;
  f->spec.l1_hit_cycles = 3;
  f->spec.l1_miss_cycles = 15;
  f->spec.l2_miss_cycles = 143;
  f->hidden.arith_cycles = 0.7;
  f->hidden.store_cycles = 2.5;
  f->hidden.l1_hit_cycles = 4;
  f->hidden.l1_miss_cycles = 40;
  f->hidden.l2_miss_cycles = 90;
  fake_predict_one(&f->hidden, FAKE_KERNELS, f->measured);
  assert_int_equal(space_parse(params, &f->spec, &f->space, &error), 0);
  assert_int_equal(objective_parse(objective, &f->objective, &error), 0);
  const struct tune_setup setup = {.spec = &f->spec,
                                   .space = &f->space,
                                   .objective = &f->objective,
                                   .method = tune_method_find(method, &error),
                                   .predictor = &f->predictor,
                                   .measured = f->measured,
                                   .seed = 1,
                                   .starts = 3,
                                   .tolerance = 0.01};
  assert_non_null(setup.method);
  return setup;
}

static inline void tune_fixture_search(struct tune_fixture *f, const struct tune_setup *setup) {
  struct error error = ERROR_INIT;
  assert_int_equal(tune_init(&f->tune, setup, &error), 0);
  assert_int_equal(tune_search(&f->tune, &error), 0);
}

#endif
