/* The document of `reassemble params --json`: every parameter with value, unit, source and, where it is known,
 * interval. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "json_documents.h"

static void test_params(void **state) {
  (void)state;
  json_t *root = document("params --gpu mali-g71-mp8 --json", "reassemble.params/1");
  const json_t *parameters = list(root, "parameters", 10);
  for (size_t i = 0; i < json_array_size(parameters); i++) {
    const json_t *parameter = json_array_get(parameters, i);
    assert_true(strlen(text(parameter, "key")) > 0);
    assert_non_null(json_object_get(parameter, "value"));
    assert_true(strlen(text(parameter, "unit")) > 0);
    assert_true(strlen(text(parameter, "source")) > 0);
  }
  json_decref(root);
}

static const json_t *interval_of(const json_t *parameters, const char *key) {
  for (size_t i = 0; i < json_array_size(parameters); i++)
    if (strcmp(text(json_array_get(parameters, i), "key"), key) == 0)
      return json_object_get(json_array_get(parameters, i), "interval");
  return NULL;
}

static void test_intervals(void **state) {
  (void)state;
  json_t *root = document("params --gpu mali-g71-mp8 --json", "reassemble.params/1");
  const json_t *parameters = list(root, "parameters", 10), *arith = interval_of(parameters, "arith_cycles");
  assert_int_equal(json_array_size(arith), 2);
  assert_true(json_number_value(json_array_get(arith, 0)) < json_number_value(json_array_get(arith, 1)));
  assert_true(json_is_null(interval_of(parameters, "cores")));
  json_decref(root);
}

static void test_check(void **state) {
  (void)state;
  json_t *root = document("params --check --gpu rtx-2080-ti fma --json --quiet", "reassemble.physics/1");
  const json_t *row = json_array_get(list(root, "figures", 1), 0);
  assert_string_equal(text(row, "gpu"), "rtx-2080-ti");
  assert_string_equal(text(row, "kernel"), "fma");
  assert_string_equal(text(row, "unit"), "GFLOP/s");
  assert_string_equal(text(row, "verdict"), "ok");
  assert_true(strlen(text(row, "source")) > 0);
  const double ratio =
      json_number_value(json_object_get(row, "model")) / json_number_value(json_object_get(row, "public"));
  assert_float_equal(json_number_value(json_object_get(row, "ratio")), ratio, 1e-9);
  assert_int_equal(json_integer_value(json_object_get(root, "off")), 0);
  json_decref(root);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_params), cmocka_unit_test(test_intervals),
                                     cmocka_unit_test(test_check)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
