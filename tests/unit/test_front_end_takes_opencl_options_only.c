/* Build options are split as a shell does, and only OpenCL's reach the compiler; what the preprocessor is told. */
#include "expect_error.h"

#include <stdbool.h>
#include <string.h>

#include "emulate_text.h"
#include "tracegen/front/opencl_options.h"
#include "tracegen/front/clang/clang_front_end.h"

static void words_are_split_at_blanks_outside_quotes(void **state) {
  struct error error = ERROR_INIT;
  char **words;
  size_t count;
  assert_int_equal(
      opencl_options_split("  -DA=1 -D 'B=x y'\t-I \"in c\" -cl-mad-enable -g -DC=a\\ b -w", &words, &count, &error),
      0);
  const char *expected[] = {"-DA=1", "-D", "B=x y", "-I", "in c", "-cl-mad-enable", "-DC=a b", "-w"};
  assert_int_equal(count, 8);
  for (size_t i = 0; i < count; i++)
    assert_string_equal(words[i], expected[i]);
  assert_null(words[count]);
  free(words);
  assert_int_equal(opencl_options_split("", &words, &count, &error), 0);
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
    assert_int_equal(opencl_options_split(options[i], &words, &count, &error), -1);
    assert_non_null(strstr(error.text, "is not supported; expected -D, -I, -cl-..., -w, -Werror"));
  }
  (void)state;
}

static void a_missing_value_is_noticed(void **state) {
  struct error error = ERROR_INIT;
  char **words;
  size_t count;
  assert_int_equal(opencl_options_split("-w -D", &words, &count, &error), -1);
  expect_error(&error, "build option \"-D\" lacks its value");
  (void)state;
}

static bool compiles(const char *source, const char *options, struct error *error) {
  char *bitcode;
  size_t length;
  *error = (struct error)ERROR_INIT;
  if (clang_begin(source, options, error) || clang_finish(source, &bitcode, &length, error))
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

/* OpenCL C, 6.10; extensions are there whose functions can be called. */
static void macros_tell_the_version_and_what_is_there(void **state) {
  struct error error;
  write_text(
      "macros.cl",
      "#if __OPENCL_VERSION__ != WANTED || !defined(__IMAGE_SUPPORT__)\n#error version\n#endif\n"
      "#if (WANTED >= 200 && !defined(cl_khr_subgroups)) || defined(cl_intel_subgroups) || defined(cl_amd_media_ops) "
      "|| \\\n"
      "    defined(cl_khr_mipmap_image) || defined(cl_khr_depth_images)\n#error refused\n#endif\n"
      "#if !defined(cl_khr_fp64) || !defined(cl_khr_int64_base_atomics) || !defined(cl_khr_byte_addressable_store) "
      "|| \\\n    !defined(cl_khr_3d_image_writes)\n"
      "#error missing\n#endif\n__kernel void k(__global int *x) { x[0] = 1; }\n");
  static const char *const options[] = {"-DWANTED=120", "-cl-std=CL1.1 -DWANTED=120", "-cl-std=CL2.0 -DWANTED=200",
                                        "-cl-std=CL3.0 -DWANTED=300"};
  for (size_t i = 0; i < sizeof options / sizeof *options; i++)
    if (!compiles("macros.cl", options[i], &error))
      fail_msg("%s: %s", options[i], error.text);
  remove("macros.cl");
  (void)state;
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(words_are_split_at_blanks_outside_quotes),
      cmocka_unit_test(other_options_are_refused),
      cmocka_unit_test(a_missing_value_is_noticed),
      cmocka_unit_test(no_file_becomes_arguments),
      cmocka_unit_test(macros_tell_the_version_and_what_is_there),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
