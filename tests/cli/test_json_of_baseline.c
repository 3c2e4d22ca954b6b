/* The document of `reassemble baseline --json`: every predictor once, in sample and held out. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "json_documents.h"

enum { PROPORTIONAL = 4, COMBINATIONS = 9 }; /* rows without a learner; views and selections of one */

/* Every combination once, held out and in sample; the model, tuned on request. 11 kernels teach no law: whatever is
 * learned from them is worse on what it has not seen, and than the model. Boosted trees are there or not. */
static void test_baseline(void **state) {
  (void)state;
  json_t *root = document("baseline --board hikey960-gemm-variants --json --quiet", "reassemble.baseline/1");
  const json_t *rows = json_object_get(root, "predictors");
  const size_t count = json_array_size(rows), learned = count - PROPORTIONAL - 1;
  const json_t *model = json_array_get(rows, count - 1);
  assert_true(learned == 3 * COMBINATIONS || learned == 4 * COMBINATIONS);
  assert_true(json_is_null(json_object_get(model, "held_out")));
  for (size_t i = PROPORTIONAL; i < count - 1; i++) {
    const json_t *row = json_array_get(rows, i);
    assert_true(json_is_string(json_object_get(row, "inputs")) && json_is_string(json_object_get(row, "selection")));
    assert_true(mape_of(row, "in_sample") < mape_of(row, "held_out"));
    assert_true(mape_of(model, "in_sample") < mape_of(row, "held_out"));
  }
  json_decref(root);
  root = document("baseline --board hikey960-gemm-variants --cv kfold=2 --params barrier=0..20 --json --quiet",
                  "reassemble.baseline/1");
  rows = json_object_get(root, "predictors");
  assert_int_equal(json_array_size(rows), count + 1);
  assert_true(mape_of(json_array_get(rows, count), "held_out") > 0);
  json_decref(root);
}

/* A board predicts itself; no trace is needed for that. */
static void test_order_of_another_board(void **state) {
  (void)state;
  json_t *root = document("baseline --board hikey960-gemm-variants --order-of hikey960-gemm-variants --no-traces "
                          "--json --quiet",
                          "reassemble.baseline/1");
  const json_t *row = json_array_get(list(root, "predictors", 2), 1); /* behind the constant */
  assert_string_equal(json_string_value(json_object_get(row, "predictor")), "hikey960-gemm-variants");
  assert_true(mape_of(row, "in_sample") < 1e-9 && mape_of(row, "held_out") < 1e-9);
  json_decref(root);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_baseline), cmocka_unit_test(test_order_of_another_board)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
