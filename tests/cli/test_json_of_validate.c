/* The document of `reassemble validate --json`: scores, ranks, several boards, speed-ups of other GPUs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "json_documents.h"

/* Time proportional to issue slots predicts the board that ships worse than the model does. */
static void check_work_baseline(const json_t *summary) {
  assert_true(number(summary, "issue_slots_baseline_mape_percent") > number(summary, "mape_percent"));
}

static void check_coefficient(const json_t *summary, const char *key) {
  assert_true(number(summary, key) >= -1 && number(summary, key) <= 1);
}

static void test_validate(void **state) {
  (void)state;
  json_t *root = document("validate --board hikey960-gemm-variants --json --quiet", "reassemble.validate/1");
  const json_t *summary = json_object_get(root, "summary");
  assert_non_null(
      strstr(json_string_value(json_object_get(root, "prediction_error_source")), "measurements determine"));
  assert_true(number(summary, "mape_percent") >= 0);
  assert_true(number(summary, "mape_percent_without_largest") >= 0);
  assert_true(number(summary, "constant_baseline_mape_percent") > 0);
  check_work_baseline(summary);
  check_coefficient(summary, "pearson");
  check_coefficient(summary, "spearman");
  check_coefficient(summary, "kendall");
  const json_t *kernels = list(root, "kernels", 11);
  double ranks = 0, predicted_ranks = 0;
  for (size_t i = 0; i < 11; i++) {
    const json_t *kernel = json_array_get(kernels, i);
    assert_int_equal(strlen(text(kernel, "name")), 1);
    assert_true(number(kernel, "measured") > 0 && number(kernel, "predicted") > 0);
    assert_true(number(kernel, "error_percent") > -100);
    ranks += number(kernel, "measured_rank");
    predicted_ranks += number(kernel, "predicted_rank");
  }
  assert_true(ranks == 66 && predicted_ranks == 66); /* 1 + ... + 11, ties or not */
  json_decref(root);
}

static const char hostile_board[] =
    "{\"schema\": \"reassemble.board/1\", \"name\": \"n\\u001b[31m\", \"board\": \"b\", \"gpu\": \"mali-g71-mp8\","
    " \"clock_hz\": 1e9, \"driver\": \"\", \"statistic\": \"\\u0007\", \"unit\": \"ns\", \"source\": \"\\u001b]0;x\","
    " \"measurements\": [{\"name\": \"m\\u001b[1m\", \"workload\": \"saxpy\", \"launch\": 0, \"description\": "
    "\"\\u007f\","
    " \"value\": 1e5, \"source\": \"\"}]}";

/* One measurement: no correlation is defined, JSON says null; no text of the board gives commands to a terminal. */
static void test_board_of_one_measurement(void **state) {
  (void)state;
  FILE *file = fopen("board.json", "w");
  assert_non_null(file);
  fputs(hostile_board, file);
  assert_int_equal(fclose(file), 0);
  json_t *root = document("validate -q --json --board board.json", "reassemble.validate/1");
  const json_t *summary = json_object_get(root, "summary");
  const char *const undefined[] = {"mape_percent_without_largest", "pearson", "spearman", "kendall"};
  for (size_t i = 0; i < sizeof undefined / sizeof undefined[0]; i++)
    assert_true(json_is_null(json_object_get(summary, undefined[i])));
  const json_t *kernel = json_array_get(list(root, "kernels", 1), 0);
  assert_true(number(summary, "mape_percent") == fabs(number(kernel, "error_percent")));
  json_decref(root);

  struct outcome outcome = run("validate -q --board board.json");
  assert_int_equal(outcome.code, 0);
  assert_non_null(strstr(outcome.out, "n/a"));
  for (const char *c = outcome.out; *c != '\0'; c++)
    assert_true(*c == '\n' || ((unsigned char)*c >= ' ' && *c != 0x7f));
  clear(&outcome);
}

/* The GPU itself is 1 times as fast; at twice the clock it takes the same cycles and half the time. */
static void test_speedups(void **state) {
  (void)state;
  write_text("twice.yaml", "schema: reassemble.gpu/1\nname: twice\nabout: same at twice the clock\nbase: mali-g71-mp8\n"
                           "parameters:\n  clock_hz: {scale: 2, source: test}\n");
  write_text("family.json",
             "{\"schema\": \"reassemble.reference/1\", \"name\": \"f\", \"about\": \"a\", \"source\": \"test\","
             "\"groups\": [{\"name\": \"g\", \"about\": \"a\", \"rows\": [{\"point\": \"mali-g71-mp8\", \"value\": 2},"
             "{\"point\": \"twice.yaml\", \"value\": 2}]}]}");
  json_t *root = document("validate --gpu mali-g71-mp8 --speedups family.json --workloads saxpy --json --quiet",
                          "reassemble.speedups/1");
  static const double cycles[] = {1, 1}, time[] = {1, 2};
  for (size_t i = 0; i < 2; i++) {
    const json_t *gpu = json_array_get(json_object_get(root, "gpus"), i);
    const json_t *in_cycles = json_object_get(gpu, "cycles"), *in_time = json_object_get(gpu, "time");
    assert_true(fabs(json_real_value(json_object_get(in_cycles, "mean")) - cycles[i]) < 1e-12);
    assert_true(fabs(json_real_value(json_object_get(in_time, "mean")) - time[i]) < 1e-12);
    assert_true(fabs(json_real_value(json_object_get(in_time, "geometric_mean")) - time[i]) < 1e-12);
    assert_true(fabs(json_real_value(json_object_get(in_time, "error_percent")) - 50 * (time[i] - 2)) < 1e-9);
  }
  json_decref(root);
}

/* Two boards: the documents of each alone, and a line of CSV for every measurement. */
static void test_several_boards(void **state) {
  (void)state;
  write_text("second.json", "{\"schema\": \"reassemble.board/1\", \"name\": \"second, synthetic\", \"board\": \"b\", "
                            "\"gpu\": \"mali-g72-mp12\","
                            "\"clock_hz\": 1e9, \"driver\": \"d\", \"statistic\": \"s\", \"unit\": \"ns\", \"source\": "
                            "\"made up\", \"measurements\": ["
                            "{\"name\": \"x\", \"workload\": \"saxpy\", \"launch\": 0, \"description\": \"d\", "
                            "\"value\": 100000, \"source\": \"s\"}]}");
  json_t *root = document("validate hikey960-gemm-variants second.json --scatter points.csv --json --quiet",
                          "reassemble.validations/1");
  json_t *alone = document("validate --board second.json --json --quiet", "reassemble.validate/1");
  assert_int_equal(json_array_size(json_object_get(root, "boards")), 2);
  json_t *second = json_array_get(json_object_get(root, "boards"), 1);
  json_object_del(json_object_get(second, "provenance"), "command");
  json_object_del(json_object_get(alone, "provenance"), "command");
  assert_true(json_equal(second, alone));
  char *points = contents("points.csv");
  const json_t *kernel = json_array_get(json_object_get(alone, "kernels"), 0);
  char last[256];
  snprintf(last, sizeof last, "\"second, synthetic\",mali-g72-mp12,x,saxpy,ns,100000,%.17g\n",
           json_real_value(json_object_get(kernel, "predicted")));
  assert_non_null(strstr(points, last));
  size_t lines = 0;
  for (const char *c = points; *c; c++)
    lines += *c == '\n';
  assert_int_equal(lines, 1 + 11 + 1);
  free(points);
  json_decref(alone);
  json_decref(root);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_validate), cmocka_unit_test(test_board_of_one_measurement),
                                     cmocka_unit_test(test_speedups), cmocka_unit_test(test_several_boards)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
