#include "base/input/param.h"

#include "expect_error.h"

#include <math.h>
#include <string.h>

struct design {
  int64_t cores;
  double latency;
  bool cache;
  int policy;
};

static const char *const policies[] = {"ipdom", "min_pc", "xerox", NULL};
static const struct param rows[] = {
    {"cores", offsetof(struct design, cores), PARAM_INT, "1", 1, 1024, 8, NULL, PARAM_SWEEPABLE, "cores", NULL},
    {"latency", offsetof(struct design, latency), PARAM_REAL, "cycles", 0, 100, 2.5, NULL, PARAM_TUNABLE, "latency",
     NULL},
    {"cache", offsetof(struct design, cache), PARAM_BOOL, "1", 0, 1, 1, NULL, 0, "has a cache", NULL},
    {"policy", offsetof(struct design, policy), PARAM_CHOICE, "1", 0, 2, 1, policies, 0, "divergence", NULL},
};
static const struct param_table table = {"design parameter", rows, 4};

struct fixture {
  struct design design;
  struct param_origin origins[4];
};

static int begin(void **state) {
  struct fixture *f = calloc(1, sizeof *f);
  *state = f;
  params_defaults(&table, &f->design, f->origins);
  return 0;
}

static int end(void **state) {
  struct fixture *f = *state;
  params_origins_clear(&table, f->origins);
  free(f);
  return 0;
}

static int load(struct fixture *f, const char *text, struct error *error) {
  struct conf_doc *doc;
  assert_int_equal(conf_load_text("x.yaml", text, strlen(text), &doc, error), 0);
  int status = params_load(&table, conf_root(doc), &f->design, f->origins, error);
  conf_destroy(doc);
  return status;
}

static void loads(struct fixture *f, const char *text) {
  struct error error = ERROR_INIT;
  int status = load(f, text, &error);
  assert_string_equal(error.text, "");
  assert_int_equal(status, 0);
}

static void fails(struct fixture *f, const char *text, const char *expected) {
  struct error error = ERROR_INIT;
  assert_int_equal(load(f, text, &error), -1);
  expect_error(&error, expected);
}

static void defaults_come_from_the_rows(void **state) {
  struct fixture *f = *state;
  assert_int_equal(f->design.cores, 8);
  assert_true(f->design.latency == 2.5);
  assert_true(f->design.cache);
  assert_int_equal(f->design.policy, 1);
  assert_string_equal(f->origins[3].source, "default");
  assert_null(f->origins[3].file);
}

static void both_forms_load_with_their_origin(void **state) {
  struct fixture *f = *state;
  loads(f, "cores: 4\nlatency: {value: 0.5, source: \"table 1\"}\ncache: false\npolicy: xerox\n");
  assert_int_equal(f->design.cores, 4);
  assert_true(f->design.latency == 0.5);
  assert_false(f->design.cache);
  assert_int_equal(f->design.policy, 2);
  assert_string_equal(f->origins[0].source, "no source given");
  assert_string_equal(f->origins[0].file, "x.yaml");
  assert_int_equal(f->origins[1].line, 2);
  assert_string_equal(f->origins[1].source, "table 1");
}

static void scales_multiply_what_was_stated(void **state) {
  struct fixture *f = *state;
  loads(f, "cores: {value: 20, source: \"sheet\"}\nlatency: 0.45\n");
  loads(f, "cores: x0.7\nlatency: {scale: 0.8, source: \"half\"}\n");
  assert_int_equal(f->design.cores, 14);
  assert_true(f->design.latency == 0.36);
  assert_string_equal(f->origins[0].source, "x0.7 of 20 (sheet)");
  assert_string_equal(f->origins[1].source, "x0.8 of 0.45 (half)");
}

static void scale_errors(void **state) {
  struct fixture *f = *state;
  fails(f, "cores: x2\n",
        "x.yaml:1:8: cores: found a scale, but `base:` states no value that it could scale; state a value");
  loads(f, "cores: 5\ncache: true\n");
  fails(f, "cores: x0.5\n", "x.yaml:1:8: cores: x0.5 of the inherited value: found 2.5, expected a whole number");
  fails(f, "cores: x1000\n", "x.yaml:1:8: cores: x1000 of the inherited value: found 5000, allowed 1 to 1024");
  fails(f, "cores: x-1\n", "x.yaml:1:8: cores: found \"x-1\", expected a whole number (such as 64, 0x40, 16Ki, 1037M)");
  fails(f, "cache: {scale: 2}\n", "x.yaml:1:16: cache: found a scale, but only numbers can be scaled");
  fails(f, "cores: {scale: 1e9}\n", "x.yaml:1:16: cores: found 1e9, allowed 0 to 1000000");
}

static void value_errors_name_the_parameter(void **state) {
  struct fixture *f = *state;
  fails(f, "cores:     0\n", "x.yaml:1:12: cores: found 0, allowed 1 to 1024");
  fails(f, "cores: {value: 1025}\n", "x.yaml:1:16: cores: found 1025, allowed 1 to 1024");
  fails(f, "latency: -0.1\n", "x.yaml:1:10: latency: found -0.1, allowed 0 to 100");
  fails(f, "policy: min-pc\n",
        "x.yaml:1:9: policy: found \"min-pc\", expected one of ipdom, min_pc, xerox; did you mean \"min_pc\"?");
  fails(f, "cache: [true]\n", "x.yaml:1:8: cache: found a list, expected true or false");
  fails(f, "coers: 4\n", "x.yaml:1:1: coers: unknown design parameter; did you mean \"cores\"?");
  fails(f, "zzzzz: 4\n", "x.yaml:1:1: zzzzz: unknown design parameter; `reassemble params` lists all");
  fails(f, "cores: {value: 4, scale: 2}\n", "x.yaml:1:8: cores: found both, expected one of value: and scale:");
  fails(f, "cores: {source: x}\n", "x.yaml:1:8: cores: found neither, expected one of value: and scale:");
  fails(f, "cores: {value: 4, sorce: x}\n", "x.yaml:1:19: sorce: unknown key; did you mean \"source\"?");
  fails(f, "cores: {value: 4, source: [x]}\n", "x.yaml:1:27: source: found a list, expected text");
  fails(f, "[1]\n", "x.yaml:1:1: found a list, expected a mapping");
}

static void intervals_load_and_scale(void **state) {
  struct fixture *f = *state;
  loads(f, "latency: {value: 20, interval: [10, 60], source: fit}\ncores: 4\n");
  assert_true(f->origins[1].has_interval && f->origins[1].low == 10 && f->origins[1].high == 60);
  assert_false(f->origins[0].has_interval);
  loads(f, "latency: x0.5\n");
  assert_true(f->origins[1].has_interval && f->origins[1].low == 5 && f->origins[1].high == 30);
  loads(f, "latency: {scale: 4}\n");
  assert_true(f->origins[1].low == 20 && f->origins[1].high == 100); /* the row's maximum */
  loads(f, "latency: {scale: 0.5, interval: [19, 21]}\n");
  assert_true(f->origins[1].low == 19 && f->origins[1].high == 21);
  loads(f, "latency: 7\n"); /* another number: what was known of the old one is gone */
  assert_false(f->origins[1].has_interval);
  fails(f, "latency: {value: 1, interval: [2]}\n", "x.yaml:1:31: interval: found 1 values, expected two: [low, high]");
  fails(f, "latency: {value: 1, interval: [3, 2]}\n",
        "x.yaml:1:31: interval: runs from 3 to 2, expected the smaller one first");
  fails(f, "latency: {value: 1, interval: [0, 101]}\n", "x.yaml:1:35: found 101, allowed 0 to 100");
  fails(f, "policy: {value: ipdom, interval: [0, 1]}\n",
        "x.yaml:1:34: interval: found an interval, but only numbers have one");
}

static void number_fails(size_t row, double value, const char *expected) {
  struct design design = {.cores = 77, .latency = 77, .policy = 77};
  struct error error = ERROR_INIT;
  assert_int_equal(params_set_number(&rows[row], &design, value, &error), -1);
  assert_true(design.cores == 77 && design.latency == 77 && design.policy == 77);
  expect_error(&error, expected);
}

static void numbers_are_checked(void **state) {
  (void)state;
  struct design design = {0};
  assert_int_equal(params_set_number(&rows[0], &design, 1, NULL), 0);
  assert_int_equal(params_set_number(&rows[0], &design, 1024, NULL), 0);
  assert_int_equal(design.cores, 1024);
  assert_int_equal(params_set_number(&rows[3], &design, 2, NULL), 0);
  assert_true(params_get_number(&rows[3], &design) == 2);
  number_fails(0, 0, "cores: found 0, allowed 1 to 1024");
  number_fails(0, 1025, "cores: found 1025, allowed 1 to 1024");
  number_fails(0, 2.5, "cores: found 2.5, expected a whole number");
  number_fails(0, (double)NAN, "cores: found nan, allowed 1 to 1024");
  number_fails(0, (double)INFINITY, "cores: found inf, allowed 1 to 1024");
  number_fails(1, 100.5, "latency: found 100.5, allowed 0 to 100");
  number_fails(2, 2, "cache: found 2, allowed 0 to 1");
  number_fails(3, 3, "policy: found 3, allowed 0 to 2");
}

static void formats_as_yaml_takes_it(void **state) {
  (void)state;
  const struct design design = {.cores = 12, .latency = 0.1 + 0.2, .cache = true, .policy = 0};
  const struct design third = {.latency = 0.1};
  char text[64];
  assert_string_equal(params_format(&rows[0], &design, text, sizeof text), "12");
  assert_string_equal(params_format(&rows[1], &design, text, sizeof text), "0.30000000000000004");
  assert_string_equal(params_format(&rows[1], &third, text, sizeof text), "0.1");
  assert_string_equal(params_format(&rows[2], &design, text, sizeof text), "true");
  assert_string_equal(params_format(&rows[3], &design, text, sizeof text), "ipdom");
}

static void origins_copy_and_find(void **state) {
  struct fixture *f = *state;
  struct param_origin copy[4] = {0};
  loads(f, "cores: {value: 4, interval: [3, 5], source: a}\n");
  params_origins_copy(&table, copy, f->origins);
  assert_string_equal(copy[0].source, "a");
  assert_string_equal(copy[0].file, "x.yaml");
  assert_true(copy[0].has_interval && copy[0].low == 3 && copy[0].high == 5);
  assert_string_equal(copy[1].source, "default");
  params_origins_clear(&table, copy);
  assert_null(copy[0].source);
  assert_ptr_equal(params_find(&table, "policy"), &rows[3]);
  assert_null(params_find(&table, "polic"));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(defaults_come_from_the_rows),     TEST(both_forms_load_with_their_origin),
      TEST(scales_multiply_what_was_stated), TEST(scale_errors),
      TEST(value_errors_name_the_parameter), TEST(numbers_are_checked),
      TEST(formats_as_yaml_takes_it),        TEST(origins_copy_and_find),
      TEST(intervals_load_and_scale),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
