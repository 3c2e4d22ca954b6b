/* A workload with parameters stands for a family: values are bound by name, put in place of ${...}, and checked. */
#include "expect_error.h"

#include <string.h>

#include "workload/workload.h"

#define FAMILY                                                                                                         \
  "schema: reassemble.workload/1\nname: f\nsource: k.cl\noptions: \"-DT=${T} -DH=${T / 2}\"\n"                         \
  "parameters: {N: 64, T: 8}\nrequire: [\"N % T == 0\"]\n"                                                             \
  "buffers:\n  A: {type: float, count: \"${N * (T + 1)}\"}\n"                                                          \
  "launches:\n  - {kernel: k, global: \"${N}\", local: \"${T}\", args: [{buffer: A}, {int: \"${N - T}\"}]}\n"

static void write_family(const char *text) {
  FILE *out = fopen("family.yaml", "w");
  assert_non_null(out);
  fputs(text, out);
  fclose(out);
}

static struct workload *load(const char *name) {
  struct error error = ERROR_INIT;
  struct workload *w;
  write_family(FAMILY);
  assert_int_equal(workload_load(name, &w, &error), 0);
  return w;
}

static void the_file_has_default_values(void **state) {
  struct workload *w = load("family.yaml");
  assert_string_equal(w->name, "f");
  assert_string_equal(w->options, "-DT=8 -DH=4");
  assert_int_equal(w->buffers[0].count, 64 * 9);
  assert_int_equal(w->launches[0].global[0], 64);
  workload_destroy(w);
  (void)state;
}

static void bound_values_reach_every_place_and_the_name(void **state) {
  struct workload *w = load("family.yaml:T=16,N=128");
  assert_string_equal(w->name, "f+N128+T16");
  assert_string_equal(w->options, "-DT=16 -DH=8");
  assert_int_equal(w->buffers[0].count, 128 * 17);
  assert_int_equal(w->launches[0].local[0], 16);
  assert_memory_equal(w->launches[0].arguments[1].value, "\x70\x00\x00\x00", 4);
  workload_destroy(w);
  (void)state;
}

static void expect(const char *text, const char *name, const char *message) {
  struct error error = ERROR_INIT;
  struct workload *w;
  write_family(text);
  assert_int_equal(workload_load(name, &w, &error), -1);
  expect_error(&error, message);
}

static void faults_are_named(void **state) {
  expect(FAMILY, "family.yaml:TT=4", "\"TT\" is not a parameter of the workload; did you mean \"T\"?");
  expect(FAMILY, "family.yaml:T=4,T=8", "parameter \"T\" has two values");
  expect(FAMILY, "family.yaml:T=48", "family.yaml:6:11: the parameters break the condition N % T == 0");
  expect(FAMILY, "family.yaml:T=1", "family.yaml:4:10: options: T / 2 is 0.5; expected a whole number");
  expect(FAMILY, "family.yaml:N=64,T", "\"T\": expected NAME=VALUE");
  expect(FAMILY "about: \"${T\"\n", "family.yaml", "family.yaml:11:8: about: \"${\" is not closed; expected \"}\"");
  expect(FAMILY "about: \"${U}\"\n", "family.yaml",
         "family.yaml:11:8: about: \"U\" is not a parameter of the workload");
  expect(FAMILY "about: \"${N +}\"\n", "family.yaml",
         "family.yaml:11:8: about: \"N +\" ends where a number, a parameter or '(' is expected");
  (void)state;
}

static void a_workload_without_parameters_takes_no_values(void **state) {
  expect("schema: reassemble.workload/1\nname: w\nsource: k.cl\nlaunches: [{kernel: k, global: 1, local: 1}]\n",
         "family.yaml:N=4", "\"N\" is not a parameter: the workload has none");
  (void)state;
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_file_has_default_values),
      cmocka_unit_test(bound_values_reach_every_place_and_the_name),
      cmocka_unit_test(faults_are_named),
      cmocka_unit_test(a_workload_without_parameters_takes_no_values),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
