/* Cheap predictions that move half as far as exact ones make a search overshoot. The tuning finds out, tries the
 * middle, and ends at the hidden value. All exact predictions that it needs come from where it records: none is asked
 * for beside them. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "tuner/identify.h"
#include "tuner/tune.h"

enum { COUNT = TUNE_MANY + 10 };
static const double hidden = 1.3;

/* Measurement i takes i + 1 times the price of an operation. */
struct world {
  double recorded; /* the price; 0: exact */
  int *asked;      /* exact predictions */
};

static double price_of(const struct world *world, const struct gpu_spec *spec) {
  return world->recorded > 0 ? sqrt(world->recorded * spec->arith_cycles) : spec->arith_cycles;
}

static int predict(void *context, const struct gpu_spec *specs, size_t spec_count, double *predictions,
                   struct error *refusal, struct error *error) {
  const struct world *world = context;
  (void)refusal, (void)error;
  *world->asked += world->recorded == 0;
  for (size_t s = 0; s < spec_count; s++)
    for (size_t i = 0; i < COUNT; i++)
      predictions[s * COUNT + i] = (double)(i + 1) * price_of(world, &specs[s]);
  return 0;
}

static void release(struct predictor *near) {
  free(near->context);
  *near = (struct predictor){0};
}

static int moves(void *context, const struct gpu_spec *spec, const double *predictions, bool *moved,
                 struct error *error) {
  (void)error;
  *moved = price_of(context, spec) != predictions[0];
  return 0;
}

static int record(void *context, const struct gpu_spec *spec, struct predictor *out, double *predictions,
                  struct error *error) {
  struct world *world = malloc(sizeof *world);
  assert_non_null(world);
  *world = (struct world){spec->arith_cycles, ((struct world *)context)->asked};
  *out = (struct predictor){.count = COUNT, .context = world, .predict = predict, .release = release, .moves = moves};
  return predict(world, spec, 1, predictions, NULL, error);
}

static void test_ends_at_the_hidden_value(void **state) {
  (void)state;
  int asked = 0;
  double measured[COUNT];
  struct world world = {.asked = &asked};
  struct gpu_spec spec;
  struct space space;
  struct objective objective;
  struct identification identification;
  struct tune tune;
  struct error error = ERROR_INIT;
  const struct predictor predictor = {
      .count = COUNT, .context = &world, .predict = predict, .near = record, .moves = moves};
  for (size_t i = 0; i < COUNT; i++)
    measured[i] = (double)(i + 1) * hidden;
  params_defaults(&gpu_params, &spec, NULL);
  assert_int_equal(space_parse("arith=0.1..10@1,barrier", &spec, &space, &error), 0);
  assert_int_equal(objective_parse("mape", &objective, &error), 0);
  const struct tune_setup setup = {.spec = &spec,
                                   .space = &space,
                                   .objective = &objective,
                                   .method = tune_method_find("gauss_newton", &error),
                                   .predictor = &predictor,
                                   .measured = measured,
                                   .seed = 1,
                                   .tolerance = 0.01};
  assert_int_equal(tune_init(&tune, &setup, &error), 0);
  assert_int_equal(tune_search(&tune, &error), 0);
  assert_int_equal(tune_identify(&tune, &identification, &error), 0);
  print_message("price %g, hidden %g; %d exact predictions beside recordings\n", tune.tuned[0], hidden, asked);
  assert_true(fabs(tune.tuned[0] / hidden - 1) < 0.01);
  assert_false(tune.inert[0]);
  assert_true(tune.inert[1]);
  assert_int_equal(asked, 0);
  tune_clear(&tune);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_ends_at_the_hidden_value)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
