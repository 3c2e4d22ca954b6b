/* The messages of clang become one error: the first place, the number of further errors, and the line with its
 * mark. */
#include "expect_error.h"
#include "tracegen/front/clang/compile_errors.h"

struct said {
  const char *clang, *error;
};

static const struct said cases[] = {
    {"k.cl:2:22: error: expression is not assignable\n  a[x += 1;\n    ~ ^\n",
     "k.cl:2:22: error: expression is not assignable (kernel source)\n  a[x += 1;\n    ~ ^"},
    {/* a header; warnings, notes and consequences */
     "In file included from k.cl:1:\nh.h:1:2: warning: #warning error: not this [-W#warnings]\n"
     "In file included from k.cl:1:\nh.h:2:14: error: use of undeclared identifier 'y'\nreturn y;\n       ^\n"
     "k.cl:3:1: note: here\nk.cl:4:5: error: expected '}'\nk.cl:9:5: fatal error: too many\n4 errors generated.\n",
     "h.h:2:14: error: use of undeclared identifier 'y' (for the kernel source k.cl; 2 more errors)\nreturn y;\n"
     "       ^"},
    {"k.cl:1:10: fatal error: 'n.h' file not found\n", "k.cl:1:10: error: 'n.h' file not found (kernel source)"},
    {"/a:1:2/h.h:7:3: error: no\n", "/a:1:2/h.h:7:3: error: no (for the kernel source k.cl)"},
    {/* without a place */
     "error: invalid value 'CL9' in '-cl-std=CL9'\n",
     "k.cl: error: invalid value 'CL9' in '-cl-std=CL9' (kernel source)"},
    {"clang: error: no input\n", "k.cl: error: no input (kernel source)"},
    {":: error: x\n", "k.cl: error: x (kernel source)"},
    {/* the text ends anywhere */
     "k.cl:2:22: error: ", "k.cl:2:22: error:  (kernel source)"},
    {"k.cl:2:22: error: a\n  a[x +=", "k.cl:2:22: error: a (kernel source)"},
    {/* a crash: where clang was, from the last line that tells it */
     "LLVM ERROR: out of memory\nAllocation failed\nPLEASE submit\nStack dump:\n0.\tProgram arguments: clang k.cl\n"
     "1.\tk.cl:2:1: current parser token '__kernel'\n2.\tk.cl:1:17: Generating code for declaration 'big'\n #0 0x1 f\n"
     "clang: error: clang frontend command failed with exit code 134\n",
     "k.cl:1:17: error: compiling this takes clang more than the 1048576 bytes of memory that it may use (Generating "
     "code "
     "for declaration 'big'); is an array or a list of values too large?"},
    {"PLEASE submit\nStack dump:\n0.\tProgram arguments: clang k.cl\n1.\tk.cl:3:4: current parser token ')'\n",
     "k.cl:3:4: error: clang crashed here (current parser token ')')"},
    {"PLEASE submit\nStack dump:\n0.\tProgram arguments: clang k.cl\n1.\tbad\n2", "k.cl: error: clang crashed here"},
    {"Segmentation fault\n", "k.cl: the kernels do not compile:\nSegmentation fault"},
    {"", "k.cl: the kernels do not compile"},
    {NULL, "k.cl: the kernels do not compile"},
};

static void each_is_one_error(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct error error = ERROR_INIT;
    assert_int_equal(compile_error("k.cl", cases[i].clang, NULL, 1 << 20, &error), -1);
    assert_int_equal(error.kind, ERROR_INPUT);
    expect_error(&error, cases[i].error);
  }
}

static void long_lines_are_not_shown(void **state) {
  struct error error = ERROR_INIT;
  char text[700];
  (void)state;
  snprintf(text, sizeof text, "k.cl:1:2: error: no\n%*s;\n ^\n", 500, "x");
  compile_error("k.cl", text, NULL, 1 << 20, &error);
  expect_error(&error, "k.cl:1:2: error: no (kernel source)");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(each_is_one_error),
      cmocka_unit_test(long_lines_are_not_shown),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
