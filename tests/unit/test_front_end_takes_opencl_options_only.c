/* Build options are split as a shell does, and only OpenCL's reach the compiler. */
#include "expect_error.h"

#include <string.h>

#include "tracegen/front_end.h"

static void words_are_split_at_blanks_outside_quotes(void **state) {
  struct error error = ERROR_INIT;
  char **words;
  size_t count;
  assert_int_equal(
      front_end_options("  -DA=1 -D 'B=x y'\t-I \"in c\" -cl-mad-enable -DC=a\\ b -w", &words, &count, &error), 0);
  const char *expected[] = {"-DA=1", "-D", "B=x y", "-I", "in c", "-cl-mad-enable", "-DC=a b", "-w"};
  assert_int_equal(count, 8);
  for (size_t i = 0; i < count; i++)
    assert_string_equal(words[i], expected[i]);
  assert_null(words[count]);
  free(words);
  assert_int_equal(front_end_options("", &words, &count, &error), 0);
  assert_int_equal(count, 0);
  free(words);
  (void)state;
}

static void other_options_are_refused(void **state) {
  static const char *const options[] = {"-fplugin=x.so", "-o",    "-DA -Xclang", "-include",
                                        "x.cl",          "@file", "-B.",         "--config=x"};
  for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
    struct error error = ERROR_INIT;
    char **words;
    size_t count;
    assert_int_equal(front_end_options(options[i], &words, &count, &error), -1);
    assert_non_null(strstr(error.text, "is not supported; expected -D, -I, -cl-..., -w or -Werror"));
  }
  (void)state;
}

static void a_missing_value_is_noticed(void **state) {
  struct error error = ERROR_INIT;
  char **words;
  size_t count;
  assert_int_equal(front_end_options("-w -D", &words, &count, &error), -1);
  expect_error(&error, "build option \"-D\" lacks its value");
  (void)state;
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(words_are_split_at_blanks_outside_quotes),
      cmocka_unit_test(other_options_are_refused),
      cmocka_unit_test(a_missing_value_is_noticed),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
