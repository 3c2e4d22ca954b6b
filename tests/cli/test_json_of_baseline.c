/* What `reassemble baseline --json` gives scripts: every predictor once, in sample and held out. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "json_documents.h"

/* Every combination once, held out and in sample; the model, tuned on request. 11 kernels teach no law: whatever is
 * learned from them is far worse on what it has not seen, and than the model. */
static void test_baseline(void **state) {
  (void)state;
  json_t *root = document("baseline --board hikey960-gemm-variants --json --quiet", "reassemble.baseline/1");
  const json_t *rows = json_object_get(root, "predictors"), *model = json_array_get(rows, 21);
  assert_int_equal(json_array_size(rows), 3 + 18 + 1);
  assert_true(json_is_null(json_object_get(model, "held_out")));
  for (size_t i = 3; i < 21; i++) {
    const json_t *row = json_array_get(rows, i);
    assert_true(json_is_string(json_object_get(row, "inputs")) && json_is_string(json_object_get(row, "selection")));
    assert_true(mape_of(row, "in_sample") < mape_of(row, "held_out"));
    assert_true(mape_of(model, "in_sample") < mape_of(row, "held_out") / 2);
  }
  json_decref(root);
  root = document("baseline --board hikey960-gemm-variants --cv kfold=2 --params barrier=0..20 --json --quiet",
                  "reassemble.baseline/1");
  rows = json_object_get(root, "predictors");
  assert_int_equal(json_array_size(rows), 3 + 18 + 2);
  assert_true(mape_of(json_array_get(rows, 22), "held_out") > 0);
  json_decref(root);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_baseline)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
