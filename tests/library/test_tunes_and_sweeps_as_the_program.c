/* The library's tunings and sweeps give the numbers of `tune --json` and of the results that `dse` writes. Sees
 * reassemble.h only. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <jansson.h>
#include <reassemble.h>

static char paths[2][4096]; /* of traces, which are the workloads' names as well */
static struct reassemble_trace *traces[2];

static void write_file(const char *path, const char *format, ...) {
  FILE *file = fopen(path, "w");
  assert_non_null(file);
  va_list arguments;
  va_start(arguments, format);
  vfprintf(file, format, arguments);
  va_end(arguments);
  assert_int_equal(fclose(file), 0);
}

static json_t *printed(const char *arguments) {
  char command[9000];
  snprintf(command, sizeof command, "'%s' %s", getenv("REASSEMBLE_PROGRAM"), arguments);
  FILE *pipe = popen(command, "r");
  assert_non_null(pipe);
  json_t *document = json_loadf(pipe, 0, NULL);
  assert_int_equal(pclose(pipe), 0);
  assert_non_null(document);
  return document;
}

static double number_at(const json_t *object, const char *key) {
  return json_number_value(json_object_get(object, key));
}

/* ---- tuning ---- */

static const struct reassemble_trace *find(const char *workload, uint32_t launch, void *user) {
  ++*(int *)user;
  for (int i = 0; i < 2; i++)
    if (launch == 0 && strcmp(workload, paths[i]) == 0)
      return traces[i];
  return NULL;
}

static void write_board(const char *second) {
  static const char measurement[] = "{\"name\": \"%s\", \"workload\": \"%s\", \"launch\": 0, \"description\": \"\", "
                                    "\"value\": %d, \"source\": \"none\"}";
  char a[9000], b[9000];
  snprintf(a, sizeof a, measurement, "A", paths[0], 400);
  snprintf(b, sizeof b, measurement, "B", second, 150000);
  write_file("board.json",
             "{\"schema\": \"reassemble.board/1\", \"name\": \"two\", \"board\": \"none\", \"gpu\": \"mali-g71-mp8\", "
             "\"clock_hz\": 1e9, \"driver\": \"none\", \"statistic\": \"minimum of 1 run\", \"unit\": \"cycles\", "
             "\"source\": \"synthetic\", \"measurements\": [%s, %s]}",
             a, b);
}

static int same_parameter(const char *name, const char *unit, double start, double tuned, double low, double high,
                          void *user) {
  const json_t *row = json_array_get(user, 0);
  assert_string_equal(name, json_string_value(json_object_get(row, "key")));
  assert_string_equal(unit, json_string_value(json_object_get(row, "unit")));
  assert_true(start == number_at(row, "start") && tuned == number_at(row, "tuned"));
  assert_true(low == number_at(row, "low") && high == number_at(row, "high"));
  assert_true(start != tuned);
  return 5;
}

struct kernels {
  const json_t *rows;
  size_t count;
};

static int same_kernel(const char *name, double measured, double start, double predicted, void *user) {
  struct kernels *kernels = user;
  const json_t *row = json_array_get(kernels->rows, kernels->count++);
  assert_string_equal(name, json_string_value(json_object_get(row, "name")));
  assert_true(measured == number_at(row, "measured") && start == number_at(row, "start"));
  assert_true(predicted == number_at(row, "predicted"));
  return 0;
}

static void a_tuning_is_that_of_the_program(void **state) {
  (void)state;
  struct reassemble_error error;
  struct reassemble_tuning *tuning = NULL;
  struct reassemble_gpu *gpu = NULL;
  int asked = 0;
  double value = 0, tuned = 0;
  write_board(paths[1]);
  json_t *document = printed("tune --json --quiet --board board.json --params l1_miss=10..200 --method coordinate");
  const struct reassemble_tuning_request request = {
      .board = "board.json", .parameters = "l1_miss=10..200", .method = "coordinate", .trace = find, .user = &asked};
  assert_int_equal(reassemble_tune(&request, &tuning, &error), 0);
  assert_int_equal(asked, 2);
  json_t *parameters = json_object_get(document, "parameters");
  assert_int_equal(reassemble_tuning_each_parameter(tuning, same_parameter, parameters), 5);
  struct kernels kernels = {json_object_get(document, "kernels"), 0};
  assert_int_equal(reassemble_tuning_each_kernel(tuning, same_kernel, &kernels), 0);
  assert_int_equal(kernels.count, 2);
  assert_int_equal(reassemble_tuning_get(tuning, "objective", &value, &error), 0);
  assert_true(value == number_at(document, "objective_value"));
  assert_int_equal(reassemble_tuning_get(tuning, "evaluations", &value, &error), 0);
  assert_true(value > 1 && value <= number_at(document, "evaluations")); /* the program also profiles the result */
  assert_int_equal(reassemble_tuning_get(tuning, "evaluation", &value, &error), -1);
  assert_int_equal(reassemble_tuning_gpu(tuning, &gpu, &error), 0);
  assert_int_equal(reassemble_gpu_get(gpu, "l1_miss_cycles", &tuned, &error), 0);
  assert_true(tuned == number_at(json_array_get(parameters, 0), "tuned"));
  reassemble_gpu_free(gpu);
  reassemble_tuning_free(tuning);
  json_decref(document);
}

static void mistakes_of_a_tuning_are_errors(void **state) {
  (void)state;
  struct reassemble_error error;
  struct reassemble_tuning *tuning = NULL;
  int asked = 0;
  struct reassemble_tuning_request request = {.board = "board.json", .parameters = "l1_miss", .user = &asked};
  write_board("another");
  assert_int_equal(reassemble_tune(&request, &tuning, &error), -1);
  assert_non_null(strstr(error.message, "trace is missing"));
  request.trace = find;
  assert_int_equal(reassemble_tune(&request, &tuning, &error), -1);
  assert_non_null(strstr(error.file, "board.json"));
  assert_non_null(strstr(error.message, "no trace of launch 0 of workload another"));
  request.method = "coordinat";
  assert_int_equal(reassemble_tune(&request, &tuning, &error), -1);
  assert_non_null(strstr(error.message, "coordinate"));
  assert_null(tuning);
  reassemble_tuning_free(NULL);
}

/* ---- sweeps ---- */

struct designs {
  const json_t *points;
  size_t count;
};

static int same_design(const struct reassemble_design *design, void *user) {
  struct designs *designs = user;
  const json_t *point = json_array_get(designs->points, designs->count++);
  assert_int_equal(design->point, (uint64_t)number_at(point, "point"));
  assert_string_equal(design->name, json_string_value(json_object_get(point, "name")));
  assert_true(design->exact);
  assert_true(design->objective == number_at(point, "objective") && design->area == number_at(point, "area"));
  assert_true(design->energy_ratio == number_at(point, "energy_ratio"));
  for (size_t w = 0; w < 2; w++) {
    const json_t *row = json_array_get(json_object_get(point, "workloads"), w);
    assert_true(design->cycles[w] == number_at(row, "cycles") && design->time_ns[w] == number_at(row, "time_ns"));
    assert_true(design->speedups[w] == number_at(row, "speedup"));
  }
  return 0;
}

static void a_sweep_is_that_of_the_program(void **state) {
  (void)state;
  struct reassemble_error error;
  struct reassemble_sweep *sweep = NULL;
  write_file("sweep.yaml",
             "schema: reassemble.sweep/1\nname: small\ngpu: mali-g71-mp8\nworkloads: [\"%s\", \"%s\"]\n"
             "axes:\n  - cores: [2, 4]\n  - l1_hit_cycles: [x0.5, x2]\n",
             paths[0], paths[1]);
  remove("sweep/journal"); /* of an earlier run of this test */
  remove("sweep/intervals.journal");
  json_decref(printed("dse sweep.yaml --json --quiet --exact -o sweep"));
  json_t *document = json_load_file("sweep/results.json", 0, NULL);
  const struct reassemble_trace *const launches[] = {traces[0], traces[1]};
  const struct reassemble_workload workloads[] = {{"a", &launches[0], 1}, {"b", &launches[1], 1}};
  struct reassemble_sweep_request request = {
      .sweep = "sweep.yaml", .workloads = workloads, .workload_count = 2, .jobs = 2, .exact = 1};
  assert_int_equal(reassemble_sweep_run(&request, &sweep, &error), 0);
  struct designs designs = {json_object_get(document, "points"), 0};
  assert_int_equal(reassemble_sweep_each(sweep, same_design, &designs), 0);
  assert_int_equal(designs.count, 5);
  assert_int_equal(json_array_size(designs.points), 5);
  reassemble_sweep_free(sweep);
  request.workload_count = 0;
  assert_int_equal(reassemble_sweep_run(&request, &sweep, &error), -1);
  request.sweep = "no-such-sweep";
  assert_int_equal(reassemble_sweep_run(&request, &sweep, &error), -1);
  reassemble_sweep_free(NULL);
  json_decref(document);
}

int main(void) {
  static const char *const names[] = {"gemm-4", "gemm-64"};
  for (int i = 0; i < 2; i++) {
    snprintf(paths[i], sizeof paths[i], "%s/tests/golden/%s.rtrace", getenv("REASSEMBLE_DATA"), names[i]);
    assert_int_equal(reassemble_trace_open(paths[i], &traces[i], NULL), 0);
  }
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_tuning_is_that_of_the_program),
      cmocka_unit_test(mistakes_of_a_tuning_are_errors),
      cmocka_unit_test(a_sweep_is_that_of_the_program),
  };
  const int failed = cmocka_run_group_tests(tests, NULL, NULL);
  for (int i = 0; i < 2; i++)
    reassemble_trace_free(traces[i]);
  return failed;
}
