/* A compiler that waits with its arguments reads the source from a pipe, and makes of it what it makes of the file;
 * sources that would mean something else there are read from their file. */
#include "expect_error.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "emulate_text.h"
#include "tracegen/front/clang/compiler_process.h"
#include "tracegen/front/clang/clang_front_end.h"
#include "tracegen/abi/kernel_abi.h"
#include "tracegen/front/clang/lone_source.h"

#define FILE_NAME "piped \"1\".cl"

static bool is_alone(const char *text) {
  return lone_source_is(text, strlen(text));
}

static void sources_that_ask_for_nothing_stand_alone(void **state) {
  (void)state;
  assert_true(is_alone(""));
  assert_true(is_alone("/* including files, to import and embed */ #define X(a) a \\\n  + 1\n#pragma unroll 2\n"));
  assert_false(is_alone("#include \"x.h\"\n"));
  assert_false(is_alone("  #  import <x.h>\n"));
  assert_false(is_alone("%: include <x.h>\n"));
  assert_false(is_alone("#embed \"x.bin\"\n"));
  assert_false(is_alone("# /* hidden */ include <x.h>\n"));
  assert_false(is_alone("#in\\\nclude <x.h>\n"));
  assert_false(is_alone("#in\\ \nclude <x.h>\n"));
  assert_false(is_alone("#\\\ninclude <x.h>\n"));
  assert_false(is_alone("\?\?=include <x.h>\n"));
  assert_false(is_alone("#if __has_include(\"x.h\")\n#endif\n"));
  assert_false(is_alone("int x = __INCLUDE_LEVEL__;\n"));
}

/* Compiles the source; `name` becomes that of the first kernel. */
static void compiles(const char *text, const char *options, bool expect, bool piped, char name[64]) {
  struct error error = ERROR_INIT;
  char *bitcode = NULL, **names;
  size_t length = 0, count;
  write_text(FILE_NAME, text);
  if (expect)
    clang_expect();
  if (clang_begin(FILE_NAME, options, &error) || clang_finish(FILE_NAME, &bitcode, &length, &error))
    fail_msg("%s", error.text);
  assert_int_equal(memmem(bitcode, length, "/dev/null", 9) != NULL, piped); /* the file that has no text of its own */
  assert_int_equal(kernel_names(bitcode, length, &names, &count, &error), 0);
  assert_true(count > 0);
  snprintf(name, 64, "%s", names[0]);
  for (size_t i = 0; i < count; i++)
    free(names[i]);
  free(names);
  free(bitcode);
  remove(FILE_NAME);
}

#define CONDITION(c) "#if " c "\n__kernel void yes() {}\n#else\n__kernel void no() {}\n#endif\n"

static void means_the_same(const char *text, const char *options, bool piped) {
  char from_file[64], waited[64];
  compiles(text, options, false, false, from_file);
  compiles(text, options, true, piped, waited);
  assert_string_equal(from_file, waited);
}

static void the_text_is_the_same(void **state) {
  (void)state;
  means_the_same("__kernel void k(__global float4 *x) { x[0] = sin(x[1]); }\n", "", true);
  means_the_same(CONDITION("__LINE__ == 1"), "", true);
  means_the_same("\xEF\xBB\xBF" CONDITION("1"), "", true);
  means_the_same("constant char file[] = __FILE__;\n__kernel void k(__global int *x) {\n"
                 "  __attribute__((unused)) char exact[sizeof file == sizeof "
                 "\"piped '1'.cl\""
                 " ? 1 : -1];\n}\n",
                 "", true);
  means_the_same(CONDITION("__INCLUDE_LEVEL__ == 0"), "", false);
}

static void definitions_come_first(void **state) {
  (void)state;
  means_the_same(CONDITION("A == 1 && B == 3 && F(2) == 4"), "-DA -D B=1+2 '-DF(x)=2*x' -I nowhere", true);
  means_the_same(CONDITION("A == 1"), "-D 'A=1\n2'", false);
  /* The header itself is read with it. */
  means_the_same("__kernel void k(__global int *x) {\n  char exact[sizeof(uint2) == 16 ? 1 : -1];\n"
                 "  x[0] = sizeof exact;\n}\n",
                 "'-Duint=unsigned long'", true);
}

/* The compiler that waits has been told what the source before had. */
static void other_options_start_another_compiler(void **state) {
  (void)state;
  means_the_same(CONDITION("__FAST_RELAXED_MATH__"), "-cl-fast-relaxed-math", false);
  write_text(FILE_NAME, CONDITION("1"));
  clang_remember(FILE_NAME, "-cl-fast-relaxed-math -DX");
  means_the_same(CONDITION("__FAST_RELAXED_MATH__"), "-cl-fast-relaxed-math -DY", true);
  write_text(FILE_NAME, CONDITION("1"));
  clang_remember(FILE_NAME, "");
  means_the_same(CONDITION("1"), "", false); /* they change: nothing is guessed */
  write_text(FILE_NAME, CONDITION("1"));
  clang_remember(FILE_NAME, "");
  means_the_same(CONDITION("1"), "", true);
}

static void a_wrong_guess_is_corrected(void **state) {
  char name[64];
  (void)state;
  write_text(FILE_NAME, CONDITION("1"));
  clang_expect();
  clang_correct(FILE_NAME, "-DX=1");
  assert_true(compiler_awaits_source());
  clang_correct(FILE_NAME, "-cl-mad-enable");
  assert_true(compiler_waits());
  assert_false(compiler_awaits_source());
  compiles(CONDITION("1"), "-cl-mad-enable", true, false, name);
  assert_string_equal(name, "yes");
}

static void fails(const char *text, const char *options, const char *message) {
  struct error error = ERROR_INIT;
  char *bitcode;
  size_t length;
  write_text(FILE_NAME, text);
  clang_expect();
  assert_int_equal(clang_begin(FILE_NAME, options, &error) || clang_finish(FILE_NAME, &bitcode, &length, &error), true);
  assert_int_equal(error.kind, ERROR_INPUT);
  if (!strstr(error.text, message))
    fail_msg("found \"%s\", expected \"%s\"", error.text, message);
  remove(FILE_NAME);
}

static void messages_are_those_of_the_file(void **state) {
  (void)state;
  fails("\n__kernel void k(__global int *x) { x[0] = y; }\n", "",
        "error: use of undeclared identifier 'y' (kernel source)\n__kernel void k");
  fails("/* end */ __kernel void k() {}\n", "'-DA=1 /*'", "unterminated /* comment");
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(sources_that_ask_for_nothing_stand_alone),
                                     cmocka_unit_test(the_text_is_the_same),
                                     cmocka_unit_test(definitions_come_first),
                                     cmocka_unit_test(other_options_start_another_compiler),
                                     cmocka_unit_test(a_wrong_guess_is_corrected),
                                     cmocka_unit_test(messages_are_those_of_the_file)};
  setenv("REASSEMBLE_CACHE", "none", 1); /* what is kept needs no compiler */
  return cmocka_run_group_tests(tests, NULL, NULL);
}
