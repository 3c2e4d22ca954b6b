/* The demo's claim: the eleven GEMM variants of thesis table 5.10 on the HiKey-960, in sample, MAPE at most 15 % and
 * Spearman at least 0.90; and no prediction changes unnoticed: gemm_variants.csv holds all of them, rounded to cycles.
 * Error formula: thesis equation 5.3, all eleven kernels included.
 *
 * REASSEMBLE_UPDATE_CASES=1 writes gemm_variants.csv anew; the diff is the review. */
#include <errno.h>
#include <math.h>
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
  snprintf(command, sizeof command, "'%s' validate --board hikey960-gemm-variants --json --quiet",
           getenv("REASSEMBLE_PROGRAM"));
  FILE *pipe = popen(command, "r");
  if (!pipe)
    return -1;
  json_error_t error;
  validation = json_loadf(pipe, 0, &error);
  return pclose(pipe) == 0 && validation ? 0 : -1;
}

static double summary(const char *key) {
  const json_t *value = json_object_get(json_object_get(validation, "summary"), key);
  assert_true(json_is_number(value));
  return json_number_value(value);
}

static void test_bounds(void **state) {
  (void)state;
  printf("MAPE %.2f %%, without the largest %.2f %%, constant guess %.2f %%, Spearman %.3f\n", summary("mape_percent"),
         summary("mape_percent_without_largest"), summary("constant_baseline_mape_percent"), summary("spearman"));
  assert_true(summary("mape_percent") <= 15);
  assert_true(summary("spearman") >= 0.90);
  assert_true(summary("mape_percent_without_largest") <= 15);
  assert_true(summary("mape_percent") < summary("constant_baseline_mape_percent"));
}

/* The summary again, from the kernels' own numbers. */
static void test_summary_follows_from_kernels(void **state) {
  (void)state;
  const json_t *kernels = json_object_get(validation, "kernels");
  assert_int_equal(json_array_size(kernels), 11);
  double sum = 0;
  for (size_t i = 0; i < json_array_size(kernels); i++) {
    const json_t *k = json_array_get(kernels, i);
    const double measured = json_number_value(json_object_get(k, "measured")),
                 predicted = json_number_value(json_object_get(k, "predicted"));
    assert_true(fabs(json_number_value(json_object_get(k, "error_percent")) - 100 * (predicted - measured) / measured) <
                1e-6);
    sum += fabs(predicted - measured) / measured;
  }
  assert_true(fabs(100 * sum / 11 - summary("mape_percent")) < 1e-6);
}

static void write_rows(FILE *out) {
  fputs("kernel,measured_cycles,predicted_cycles\n", out);
  const json_t *kernels = json_object_get(validation, "kernels");
  for (size_t i = 0; i < json_array_size(kernels); i++) {
    const json_t *k = json_array_get(kernels, i);
    fprintf(out, "%s,%.0f,%.0f\n", json_string_value(json_object_get(k, "name")),
            json_number_value(json_object_get(k, "measured")), json_number_value(json_object_get(k, "predicted")));
  }
}

static void test_no_prediction_changed(void **state) {
  (void)state;
  char path[4096], *now, *kept = calloc(1, 1 << 16);
  size_t size;
  snprintf(path, sizeof path, "%s/tests/accuracy/gemm_variants.csv", getenv("REASSEMBLE_DATA"));
  FILE *memory = open_memstream(&now, &size);
  write_rows(memory);
  fclose(memory);
  FILE *file = fopen(path, getenv("REASSEMBLE_UPDATE_CASES") ? "w+" : "r");
  assert_non_null(file);
  if (getenv("REASSEMBLE_UPDATE_CASES")) {
    fputs(now, file);
    rewind(file);
  }
  assert_true(fread(kept, 1, (1 << 16) - 1, file) > 0);
  fclose(file);
  assert_string_equal(now, kept);
  free(now);
  free(kept);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_bounds),
      cmocka_unit_test(test_summary_follows_from_kernels),
      cmocka_unit_test(test_no_prediction_changed),
  };
  return cmocka_run_group_tests(tests, run_validate, NULL);
}
