/* The document of `reassemble tune --json` for a subset: weights, members, scores. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>

#include "json_documents.h"

/* Weights add up to all measurements; every measurement is a member once; tuned to a few is no better on all than
 * tuned to all. */
static void test_subset(void **state) {
  (void)state;
  json_t *root =
      document("tune --board hikey960-gemm-variants --params arith@2 --method linear --subset 4 --json --quiet",
               "reassemble.tune/1");
  const json_t *subset = json_object_get(root, "subset"), *list = json_object_get(subset, "representatives");
  size_t weights = 0, members = 0;
  assert_int_equal(json_array_size(list), 4);
  for (size_t k = 0; k < 4; k++) {
    const json_t *r = json_array_get(list, k);
    weights += (size_t)json_integer_value(json_object_get(r, "weight"));
    members += json_array_size(json_object_get(r, "members"));
  }
  assert_true(weights == 11 && members == 11);
  const double few = mape_of(subset, "all"), all = mape_of(json_object_get(root, "scores"), "in_sample");
  assert_true(few >= all * 0.999);
  assert_true(fabs((4 * mape_of(subset, "in_sample") + 7 * mape_of(subset, "rest")) / 11 - few) < 1e-9);
  json_decref(root);
}

/* A search on a few: the result is no worse than the start on all, and what was asked for is told apart. */
static void test_search_on_a_few(void **state) {
  (void)state;
  json_t *root = document(
      "tune --board hikey960-gemm-variants --params arith@2 --method linear --cv none --search-on 4 --json --quiet",
      "reassemble.tune/1");
  const json_t *scores = json_object_get(root, "scores");
  assert_int_equal(json_integer_value(json_object_get(root, "searched_on")), 4);
  assert_true(json_integer_value(json_object_get(root, "searched_on_evaluations")) >
              json_integer_value(json_object_get(root, "searched_on_exact_evaluations")));
  assert_true(mape_of(scores, "in_sample") < mape_of(scores, "start"));
  json_decref(root);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_subset), cmocka_unit_test(test_search_on_a_few)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
