/* The thesis' method step by step: its points on a problem small enough to write them down. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "tune_fixture.h"

/* l1_miss has the larger range and goes first: halves of 0..64 towards the hidden 40 (arith is right from the start, so
 * the cost is |l1_miss - 40| but for a factor). 16 and 48 keep 32..64; 40 and 56 keep 32..48; 36 and 44 tie, and the
 * present value 40 counts to the lower half: 32..40; then 36..40, 38..40, which is narrower than a tenth of 39. */
static const double l1_miss_steps[] = {16, 48, 40, 56, 36, 44, 34, 38, 37, 39};
/* arith over 0..1, at the cheapest l1_miss seen: 0.5..1, 0.5..0.75, 0.625..0.75, 0.6875..0.75. */
static const double arith_steps[] = {0.25, 0.75, 0.625, 0.875, 0.5625, 0.6875, 0.65625, 0.71875};
enum { L1_MISS_STEPS = 10, ARITH_STEPS = 8 };

static void test_steps(void **state) {
  (void)state;
  struct tune_fixture f;
  struct tune_setup setup = tune_fixture_setup(&f, "arith=0..1@0.7,l1_miss=0..64", "mape", "binary");
  setup.tolerance = 0.1;
  f.spec = f.hidden;
  f.spec.l1_miss_cycles = 15;
  assert_int_equal(space_parse("arith=0..1,l1_miss=0..64", &f.spec, &f.space, NULL), 0);
  struct fit fit;
  const size_t rows[FAKE_KERNELS] = {0, 1, 2, 3, 4, 5, 6, 7};
  struct evaluator evaluator;
  evaluator_init(&evaluator, &f.space, &f.spec, &f.predictor);
  fit_init(&fit, &evaluator, &f.objective, (struct sample){f.measured, rows, FAKE_KERNELS});
  fit.tolerance = setup.tolerance;
  fit.budget = 1000;
  setup.method->run(&fit);

  assert_true(f.fake.l1_miss[0] == 15);
  for (size_t i = 0; i < L1_MISS_STEPS; i++) {
    assert_true(f.fake.l1_miss[1 + i] == l1_miss_steps[i]);
    assert_true(f.fake.arith[1 + i] == 0.7);
  }
  for (size_t i = 0; i < ARITH_STEPS; i++) {
    assert_true(f.fake.arith[1 + L1_MISS_STEPS + i] == arith_steps[i]);
    assert_true(f.fake.l1_miss[1 + L1_MISS_STEPS + i] == 40);
  }
  /* l1_miss has moved, so there is a second pass: it asks for the same points and moves nothing. */
  assert_int_equal(f.fake.calls, 1 + L1_MISS_STEPS + ARITH_STEPS);
  assert_int_equal(fit.asked, 1 + 2 * (L1_MISS_STEPS + ARITH_STEPS));
  assert_true(fit.best[1] == 40 && fit.best[0] == 0.7);
  evaluator_clear(&evaluator);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_steps)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
