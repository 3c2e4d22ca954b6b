/* The library says what the program prints: every number of `simulate --json` under its dotted name, both ways;
 * parameters as `params`; mistakes come back as errors. Sees reassemble.h only. */
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

#define GPU "mali-g71-mp8"

static char trace_path[4096];

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

static json_t *printed_prediction(const char *gpu) {
  char arguments[8192];
  snprintf(arguments, sizeof arguments, "simulate --json --gpu %s '%s'", gpu, trace_path);
  return printed(arguments);
}

static struct reassemble_trace *open_trace(void) {
  struct reassemble_trace *trace = NULL;
  struct reassemble_error error;
  assert_int_equal(reassemble_trace_open(trace_path, &trace, &error), 0);
  return trace;
}

static struct reassemble_gpu *load_gpu(const char *name) {
  struct reassemble_gpu *gpu = NULL;
  struct reassemble_error error;
  assert_int_equal(reassemble_gpu_load(name, &gpu, &error), 0);
  return gpu;
}

static struct reassemble_result *predict(const struct reassemble_trace *trace, const struct reassemble_gpu *gpu) {
  struct reassemble_result *result = NULL;
  struct reassemble_error error;
  if (reassemble_simulate(trace, gpu, &result, &error) != 0)
    print_error("%s: %s\n", error.key, error.message);
  assert_non_null(result);
  return result;
}

struct comparison {
  json_t *kernel;
  size_t compared;
};

static int compare(const char *name, double value, const char *unit, const char *meaning, void *user) {
  struct comparison *comparison = user;
  char path[128];
  snprintf(path, sizeof path, "%s", name);
  char *dot = strchr(path, '.');
  const json_t *object = comparison->kernel;
  if (dot) {
    *dot = '\0';
    object = json_object_get(object, path);
  }
  const json_t *number = json_object_get(object, dot ? dot + 1 : path);
  assert_true(json_is_number(number));
  assert_true(json_number_value(number) == value);
  assert_true(unit[0] != '\0' && meaning[0] != '\0');
  comparison->compared++;
  return 0;
}

static size_t numbers_in(const json_t *object) {
  size_t count = 0;
  const char *key;
  json_t *value;
  json_object_foreach((json_t *)(uintptr_t)object, key, value) {
    if (strncmp(key, "time_ns_", strlen("time_ns_")) !=
        0) /* the interval, which is made of the time and the GPU's error */
      count += json_is_number(value) ? 1 : json_is_object(value) ? numbers_in(value) : 0;
  }
  return count;
}

static void every_number_of_the_program(void **state) {
  (void)state;
  struct reassemble_trace *trace = open_trace();
  static const char *const gpus[] = {GPU, "mali-g31-mp2", "nvidia-like-32"};
  for (size_t i = 0; i < sizeof gpus / sizeof gpus[0]; i++) {
    struct reassemble_gpu *gpu = load_gpu(gpus[i]);
    struct reassemble_result *result = predict(trace, gpu);
    json_t *document = printed_prediction(gpus[i]);
    struct comparison comparison = {json_array_get(json_object_get(document, "kernels"), 0), 0};
    assert_int_equal(reassemble_result_each(result, compare, &comparison), 0);
    assert_int_equal(comparison.compared, numbers_in(comparison.kernel));
    double cycles = 0;
    assert_int_equal(reassemble_result_get(result, "cycles", &cycles, NULL), 0);
    assert_true(cycles == json_number_value(json_object_get(comparison.kernel, "cycles")));
    json_decref(document);
    reassemble_result_free(result);
    reassemble_gpu_free(gpu);
  }
  reassemble_trace_free(trace);
}

static int sum_line(uint32_t line, const char *component, double cycles, void *user) {
  (void)line; /* 0 where the trace does not know */
  if (strcmp(component, "launch") != 0 && strcmp(component, "idle") != 0)
    *(double *)user += cycles;
  return 0;
}

/* Lines hold what the engines were busy with; they can't hold more than the kernel took. */
static void lines_cost_something(void **state) {
  (void)state;
  struct reassemble_trace *trace = open_trace();
  struct reassemble_gpu *gpu = load_gpu(GPU);
  struct reassemble_result *result = predict(trace, gpu);
  double cycles = 0, sum = 0;
  assert_int_equal(reassemble_result_get(result, "cycles", &cycles, NULL), 0);
  assert_int_equal(reassemble_result_each_line(result, sum_line, &sum), 0);
  assert_true(sum > 0 && sum <= cycles * 1.001);
  reassemble_result_free(result);
  reassemble_gpu_free(gpu);
  reassemble_trace_free(trace);
}

static int stop_at_third(const struct reassemble_parameter *parameter, void *user) {
  assert_non_null(parameter->name);
  return ++*(int *)user == 3 ? 42 : 0;
}

static void a_copy_changes_alone(void **state) {
  (void)state;
  struct reassemble_trace *trace = open_trace();
  struct reassemble_gpu *gpu = load_gpu(GPU), *copy = NULL;
  struct reassemble_error error;
  assert_int_equal(reassemble_gpu_copy(gpu, &copy, &error), 0);
  assert_string_equal(reassemble_gpu_name(copy), GPU);
  assert_int_equal(reassemble_gpu_set(copy, "arith_cycles", 44, &error), 0);
  double own = 0, copied = 0, slow = 0, fast = 0;
  assert_int_equal(reassemble_gpu_get(gpu, "arith_cycles", &own, NULL), 0);
  assert_int_equal(reassemble_gpu_get(copy, "arith_cycles", &copied, NULL), 0);
  assert_true(own < 1 && copied == 44);
  struct reassemble_result *first = predict(trace, gpu), *second = predict(trace, copy);
  assert_int_equal(reassemble_result_get(first, "cycles", &fast, NULL), 0);
  assert_int_equal(reassemble_result_get(second, "cycles", &slow, NULL), 0);
  assert_true(slow > 2 * fast);
  int visited = 0;
  assert_int_equal(reassemble_gpu_each(gpu, stop_at_third, &visited), 42);
  assert_int_equal(visited, 3);
  reassemble_result_free(first);
  reassemble_result_free(second);
  reassemble_gpu_free(copy);
  reassemble_gpu_free(gpu);
  reassemble_trace_free(trace);
}

static void the_launch_is_described(void **state) {
  (void)state;
  struct reassemble_trace *trace = open_trace();
  struct reassemble_launch launch;
  reassemble_trace_launch(trace, &launch);
  uint64_t groups = 1;
  for (int d = 0; d < 3; d++)
    groups *= launch.global_size[d] / launch.local_size[d];
  assert_true(groups == launch.work_groups && groups > 0);
  assert_true(launch.kernel[0] != '\0');
  reassemble_trace_free(trace);
}

static void mistakes_are_errors(void **state) {
  (void)state;
  struct reassemble_error error;
  struct reassemble_trace *trace = NULL;
  struct reassemble_gpu *gpu = NULL, *good = load_gpu(GPU);
  struct reassemble_result *result = NULL;
  double value = 7;
  assert_int_equal(reassemble_trace_open("no-such-trace", &trace, &error), -1);
  assert_null(trace);
  assert_int_equal(error.kind, REASSEMBLE_BAD_INPUT);
  assert_non_null(strstr(error.file, "no-such-trace"));
  assert_int_equal(reassemble_trace_open("no-such-trace", &trace, NULL), -1);
  assert_int_equal(reassemble_gpu_load("mali-g71-mp9", &gpu, &error), -1);
  assert_null(gpu);
  assert_non_null(strstr(error.message, "mali-g71-mp8"));
  assert_int_equal(reassemble_gpu_set(good, "core", 3, &error), -1);
  assert_non_null(strstr(error.message, "did you mean \"cores\""));
  assert_int_equal(reassemble_gpu_set(good, "cores", 0, &error), -1);
  assert_int_equal(reassemble_gpu_set(good, "cores", 2.5, &error), -1);
  assert_int_equal(reassemble_gpu_get(good, "nonsense", &value, &error), -1);
  assert_true(value == 7);
  /* Each value is in range, together they are not. */
  assert_int_equal(reassemble_gpu_set(good, "l1_bytes", 16385, &error), 0);
  trace = open_trace();
  assert_int_equal(reassemble_simulate(trace, good, &result, &error), -1);
  assert_null(result);
  assert_string_equal(error.key, "l1_bytes");
  assert_int_equal(reassemble_gpu_set(good, "l1_bytes", 16384, &error), 0);
  result = predict(trace, good);
  assert_int_equal(reassemble_result_get(result, "cycle", &value, &error), -1);
  assert_string_equal(error.key, "cycle");
  reassemble_result_free(result);
  reassemble_trace_free(trace);
  reassemble_gpu_free(good);
  reassemble_trace_free(NULL);
  reassemble_gpu_free(NULL);
  reassemble_result_free(NULL);
}

int main(void) {
  snprintf(trace_path, sizeof trace_path, "%s/tests/golden/gemm-4.rtrace", getenv("REASSEMBLE_DATA"));
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_number_of_the_program), cmocka_unit_test(lines_cost_something),
      cmocka_unit_test(a_copy_changes_alone),        cmocka_unit_test(the_launch_is_described),
      cmocka_unit_test(mistakes_are_errors),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
