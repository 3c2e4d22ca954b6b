/* Build options are split as a shell does, and only OpenCL's reach the compiler. */
#include "expect_error.h"

#include <stdbool.h>
#include <string.h>

#include "emulate_text.h"
#include "tracegen/clang_arguments.h"
#include "tracegen/front_end.h"

static void words_are_split_at_blanks_outside_quotes(void **state) {
  struct error error = ERROR_INIT;
  char **words;
  size_t count;
  assert_int_equal(
      clang_options_split("  -DA=1 -D 'B=x y'\t-I \"in c\" -cl-mad-enable -g -DC=a\\ b -w", &words, &count, &error), 0);
  const char *expected[] = {"-DA=1", "-D", "B=x y", "-I", "in c", "-cl-mad-enable", "-DC=a b", "-w"};
  assert_int_equal(count, 8);
  for (size_t i = 0; i < count; i++)
    assert_string_equal(words[i], expected[i]);
  assert_null(words[count]);
  free(words);
  assert_int_equal(clang_options_split("", &words, &count, &error), 0);
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
    assert_int_equal(clang_options_split(options[i], &words, &count, &error), -1);
    assert_non_null(strstr(error.text, "is not supported; expected -D, -I, -cl-..., -w, -Werror"));
  }
  (void)state;
}

static void a_missing_value_is_noticed(void **state) {
  struct error error = ERROR_INIT;
  char **words;
  size_t count;
  assert_int_equal(clang_options_split("-w -D", &words, &count, &error), -1);
  expect_error(&error, "build option \"-D\" lacks its value");
  (void)state;
}

static bool compiles(const char *source, const char *options, struct error *error) {
  char *bitcode;
  size_t length;
  *error = (struct error)ERROR_INIT;
  if (front_end_compile(source, options, &bitcode, &length, error))
    return false;
  free(bitcode);
  return true;
}

/* clang takes "@name" for a file with more arguments, wherever it stands. */
static void no_file_becomes_arguments(void **state) {
  struct error error;
  write_text("@front_end.cl", "__kernel void f(__global int *x) { x[0] = NUMBER \"\\\\\"[0]; }\n");
  write_text("front_end.rsp", "-DNUMBER=1+\n");
  assert_true(compiles("@front_end.cl", "-DNUMBER=1+", &error));
  assert_true(compiles("@front_end.cl", "-D 'NUMBER=1 + sizeof \"a b\\n\" + '", &error));
  assert_false(compiles("@front_end.cl", "-D @front_end.rsp", &error));
  assert_non_null(strstr(error.text, "macro name must be an identifier"));
  remove("@front_end.cl");
  remove("front_end.rsp");
  (void)state;
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(words_are_split_at_blanks_outside_quotes),
      cmocka_unit_test(other_options_are_refused),
      cmocka_unit_test(a_missing_value_is_noticed),
      cmocka_unit_test(no_file_becomes_arguments),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
