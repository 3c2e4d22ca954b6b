/* The shape of thesis table 5.7 on the data there is, the eleven GEMM variants on the HiKey-960: MAPE falls from the
 * basic model over L1, L2 and coalescing, as the thesis' did; the last step is the whole model, whose MAPE is the
 * summary's. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <jansson.h>

static json_t *validation;

static int run_validate(void **state) {
  (void)state;
  char command[4096];
  snprintf(command, sizeof command,
           "'%s' validate --gpu mali-g71-mp8-thesis --board hikey960-gemm-variants --ablate --reference "
           "kaszyk-table-5.7 --json --quiet",
           getenv("REASSEMBLE_PROGRAM"));
  FILE *pipe = popen(command, "r");
  if (!pipe)
    return -1;
  json_error_t error;
  validation = json_loadf(pipe, 0, &error);
  return pclose(pipe) == 0 && validation ? 0 : -1;
}

static int forget(void **state) {
  (void)state;
  json_decref(validation);
  return 0;
}

static double number(const json_t *row, const char *key) {
  assert_true(json_is_number(json_object_get(row, key)));
  return json_number_value(json_object_get(row, key));
}

/* Step `number` of the incremental rows, NULL behind the last. */
static const json_t *step(size_t index) {
  const json_t *rows = json_object_get(validation, "ablation");
  for (size_t i = 0; i < json_array_size(rows); i++) {
    const json_t *row = json_array_get(rows, i);
    if (strcmp(json_string_value(json_object_get(row, "kind")), "step") == 0 && index-- == 0)
      return row;
  }
  return NULL;
}

static void test_error_falls(void **state) {
  (void)state;
  static const char *const names[] = {NULL, "l1", "l2", "coalescing"};
  for (size_t i = 0; i < 4; i++) {
    const char *name = json_string_value(json_object_get(step(i), "mechanism"));
    printf("%-10s MAPE %8.1f %%, with one scale %5.1f %%, thesis %2.0f %%\n", name ? name : "basic",
           number(step(i), "mape_percent"), number(step(i), "mape_percent_with_one_scale"),
           number(step(i), "reference_mape_percent"));
    assert_true(!names[i] ? !name : strcmp(names[i], name) == 0);
    assert_true(i == 0 || number(step(i), "mape_percent") < number(step(i - 1), "mape_percent"));
    assert_true(i == 0 || number(step(i), "reference_mape_percent") < number(step(i - 1), "reference_mape_percent"));
  }
  /* Errors of shape, not of scale, fall as well. */
  assert_true(number(step(3), "mape_percent_with_one_scale") < number(step(0), "mape_percent_with_one_scale"));
}

static void test_last_step_is_the_whole_model(void **state) {
  (void)state;
  size_t last = 3;
  while (step(last + 1))
    last++;
  assert_true(last > 3);
  const double mape = number(json_object_get(validation, "summary"), "mape_percent");
  assert_true(number(step(last), "mape_percent") == mape);
  assert_true(number(json_array_get(json_object_get(validation, "ablation"), 0), "mape_percent") == mape);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_error_falls),
      cmocka_unit_test(test_last_step_is_the_whole_model),
  };
  return cmocka_run_group_tests(tests, run_validate, forget);
}
