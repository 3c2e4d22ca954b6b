#include "base/input/conf.h"

#include "expect_error.h"

#include <string.h>

static struct conf_doc *doc;
static const struct conf_node *root;

static int load(void **state) {
  (void)state;
  static const char text[] = "whole: 42\n"
                             "hex: 0x40\n"
                             "suffix: 16Ki\n"
                             "clock: 1037M\n"
                             "negative: -3k\n"
                             "real: 0.25\n"
                             "point: .5\n"
                             "scaled: 1.5G\n"
                             "huge: 9223372036854775807\n"
                             "over: 9223372036854775808\n"
                             "product: 9007199254740993Ki\n"
                             "quoted: \"42\"\n"
                             "empty:\n"
                             "word: banana\n"
                             "yes: true\n"
                             "no: false\n"
                             "list: [1, two]\n"
                             "map:\n"
                             "  cores:   0\n"
                             "long: 0123456789012345678901234567890123456789012345678901234567890123456789\n"
                             "bell: \"a\\ab\"\n"
                             "number: 0x\n"
                             "infinite: inf\n"
                             "nan: nan\n"
                             "infinity: 1e400\n"
                             "unit: 5 MB\n"
                             "hexunit: 0x10Ki\n";
  struct error error = ERROR_INIT;
  if (conf_load_text("x.yaml", text, sizeof text - 1, &doc, &error) != 0)
    return -1;
  root = conf_root(doc);
  return 0;
}

static int unload(void **state) {
  (void)state;
  conf_destroy(doc);
  return 0;
}

static void int_is(const char *key, int64_t expected) {
  int64_t value;
  assert_int_equal(conf_int(conf_get(root, key), INT64_MIN, INT64_MAX, &value, NULL), 0);
  assert_true(value == expected);
}

static void int_fails(const char *key, int64_t low, int64_t high, const char *expected) {
  struct error error = ERROR_INIT;
  int64_t value = 7;
  assert_int_equal(conf_int(conf_get(root, key), low, high, &value, &error), -1);
  assert_true(value == 7);
  expect_error(&error, expected);
}

static void whole_numbers(void **state) {
  (void)state;
  int_is("whole", 42);
  int_is("hex", 64);
  int_is("suffix", 16384);
  int_is("clock", 1037000000);
  int_is("negative", -3000);
  int_is("huge", INT64_MAX);
}

static void whole_number_errors(void **state) {
  (void)state;
  static const char any[] = "a whole number (such as 64, 0x40, 16Ki, 1037M)";
  static const struct {
    const char *key, *place, *found;
  } wrong[] = {
      {"real", "x.yaml:6:7: real", "\"0.25\""},
      {"quoted", "x.yaml:12:9: quoted", "\"42\""},
      {"empty", "x.yaml:13:7: empty", "nothing"},
      {"word", "x.yaml:14:7: word", "\"banana\""},
      {"list", "x.yaml:17:7: list", "a list"},
      {"map", "x.yaml:19:3: map", "a mapping"},
      {"number", "x.yaml:22:9: number", "\"0x\""},
      {"unit", "x.yaml:26:7: unit", "\"5 MB\""},
      {"hexunit", "x.yaml:27:10: hexunit", "\"0x10Ki\""},
      {"bell", "x.yaml:21:7: bell", "\"a?b\""},
  };
  for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
    char expected[300];
    snprintf(expected, sizeof expected, "%s: found %s, expected %s", wrong[i].place, wrong[i].found, any);
    int_fails(wrong[i].key, 0, 100, expected);
  }
}

static void ranges_are_inclusive(void **state) {
  (void)state;
  int64_t value;
  assert_int_equal(conf_int(conf_get(root, "whole"), 42, 42, &value, NULL), 0);
  int_fails("whole", 43, 50, "x.yaml:1:8: whole: found 42, allowed 43 to 50");
  int_fails("whole", 0, 41, "x.yaml:1:8: whole: found 42, allowed 0 to 41");
  int_fails("over", 0, 5, "x.yaml:10:7: over: found 9223372036854775808, allowed 0 to 5");
  int_fails("product", 0, INT64_MAX,
            "x.yaml:11:10: product: found 9007199254740993Ki, allowed 0 to 9223372036854775807");
}

static void message_of_the_manual(void **state) {
  (void)state;
  struct error error = ERROR_INIT;
  int64_t value;
  assert_int_equal(conf_int(conf_get(conf_get(root, "map"), "cores"), 1, 1024, &value, &error), -1);
  expect_error(&error, "x.yaml:19:12: cores: found 0, allowed 1 to 1024");
}

static void real_is(const char *key, double expected) {
  double value;
  assert_int_equal(conf_real(conf_get(root, key), -1e300, 1e300, &value, NULL), 0);
  assert_true(value == expected);
}

static void real_fails(const char *key, double low, double high, const char *expected) {
  struct error error = ERROR_INIT;
  double value;
  assert_int_equal(conf_real(conf_get(root, key), low, high, &value, &error), -1);
  expect_error(&error, expected);
}

static void real_numbers(void **state) {
  (void)state;
  real_is("real", 0.25);
  real_is("point", 0.5);
  real_is("scaled", 1.5e9);
  real_is("whole", 42);
  real_is("negative", -3000);
  real_fails("real", 0.5, 1, "x.yaml:6:7: real: found 0.25, allowed 0.5 to 1");
  real_fails("word", 0, 1, "x.yaml:14:7: word: found \"banana\", expected a number (such as 0.5, 16Ki, 1.037G)");
  real_fails("infinite", 0, 1, "x.yaml:23:11: infinite: found \"inf\", expected a number (such as 0.5, 16Ki, 1.037G)");
  real_fails("nan", 0, 1, "x.yaml:24:6: nan: found \"nan\", expected a number (such as 0.5, 16Ki, 1.037G)");
  real_fails("infinity", 0, 1e300, "x.yaml:25:11: infinity: found 1e400, allowed 0 to 1e+300");
}

static void truth_values(void **state) {
  (void)state;
  bool value;
  struct error error = ERROR_INIT;
  assert_int_equal(conf_bool(conf_get(root, "yes"), &value, NULL), 0);
  assert_true(value);
  assert_int_equal(conf_bool(conf_get(root, "no"), &value, NULL), 0);
  assert_false(value);
  assert_int_equal(conf_bool(conf_get(root, "whole"), &value, &error), -1);
  expect_error(&error, "x.yaml:1:8: whole: found \"42\", expected true or false");
}

static void texts(void **state) {
  (void)state;
  const char *text;
  struct error list = ERROR_INIT, empty = ERROR_INIT;
  assert_int_equal(conf_string(conf_get(root, "quoted"), &text, NULL), 0);
  assert_string_equal(text, "42");
  assert_int_equal(conf_string(conf_get(root, "list"), &text, &list), -1);
  expect_error(&list, "x.yaml:17:7: list: found a list, expected text");
  assert_int_equal(conf_string(conf_get(root, "empty"), &text, &empty), -1);
  expect_error(&empty, "x.yaml:13:7: empty: found nothing, expected text");
}

static void choices(void **state) {
  (void)state;
  static const char *const fruits[] = {"apple", "banana", NULL}, *const others[] = {"bananas", "pear", NULL};
  static const char *const tools[] = {"hammer", "saw", NULL};
  int index;
  struct error near = ERROR_INIT, far = ERROR_INIT;
  assert_int_equal(conf_choice(conf_get(root, "word"), fruits, &index, NULL), 0);
  assert_int_equal(index, 1);
  assert_int_equal(conf_choice(conf_get(root, "word"), others, &index, &near), -1);
  expect_error(&near, "x.yaml:14:7: word: found \"banana\", expected one of bananas, pear; did you mean \"bananas\"?");
  assert_int_equal(conf_choice(conf_get(root, "word"), tools, &index, &far), -1);
  expect_error(&far, "x.yaml:14:7: word: found \"banana\", expected one of hammer, saw");
}

static void keys(void **state) {
  (void)state;
  static const char *const near[] = {"core", NULL}, *const far[] = {"x", "y", NULL}, *const right[] = {"cores", NULL};
  const struct conf_node *map = conf_get(root, "map");
  struct error a = ERROR_INIT, b = ERROR_INIT, c = ERROR_INIT, d = ERROR_INIT;
  assert_int_equal(conf_check_keys(map, right, NULL), 0);
  assert_int_equal(conf_check_keys(map, near, &a), -1);
  expect_error(&a, "x.yaml:19:3: cores: unknown key; did you mean \"core\"?");
  assert_int_equal(conf_check_keys(map, far, &b), -1);
  expect_error(&b, "x.yaml:19:3: cores: unknown key; expected one of x, y");
  assert_null(conf_need(map, "clock", &c));
  expect_error(&c, "x.yaml:19:3: clock: missing, expected in \"map\"");
  assert_null(conf_need(root, "schema", &d));
  expect_error(&d, "x.yaml:1:1: schema: missing, expected in this mapping");
  assert_null(conf_get(conf_get(root, "list"), "cores"));
}

static void long_values_are_cut_in_messages(void **state) {
  (void)state;
  struct error error = ERROR_INIT;
  assert_int_equal(conf_expect(conf_get(root, "long"), CONF_MAP, &error), -1);
  expect_error(&error, "x.yaml:20:7: long: found \"012345678901234567890123456789012345678901234567890123456789...\", "
                       "expected a mapping");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(whole_numbers),
      cmocka_unit_test(whole_number_errors),
      cmocka_unit_test(ranges_are_inclusive),
      cmocka_unit_test(message_of_the_manual),
      cmocka_unit_test(real_numbers),
      cmocka_unit_test(truth_values),
      cmocka_unit_test(texts),
      cmocka_unit_test(choices),
      cmocka_unit_test(keys),
      cmocka_unit_test(long_values_are_cut_in_messages),
  };
  return cmocka_run_group_tests(tests, load, unload);
}
