#include "base/error.h"

#include <stdlib.h>
#include <string.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <sys/resource.h>

#include "base/file.h"
#include "trace/read/reader.h"

static void prints(const struct error *error, const char *expected) {
  char *text = NULL;
  size_t length = 0;
  FILE *out = open_memstream(&text, &length);
  error_print(error, out);
  fclose(out);
  assert_string_equal(text, expected);
  free(text);
}

static void first_error_wins(void **state) {
  (void)state;
  struct error error = ERROR_INIT;
  assert_int_equal(error_set(&error, ERROR_INPUT, "first %d", 1), -1);
  assert_int_equal(error_set(&error, ERROR_WORK, "second"), -1);
  assert_int_equal(error_at(&error, ERROR_WORK, "f", 1, 2, "k", "third"), -1);
  assert_int_equal(error.kind, ERROR_INPUT);
  prints(&error, "first 1\n");
}

static void place_shows_what_is_known(void **state) {
  (void)state;
  struct error all = ERROR_INIT, file = ERROR_INIT, key = ERROR_INIT, no_column = ERROR_INIT;
  error_at(&all, ERROR_INPUT, "gpus/x.yaml", 7, 12, "cores", "found 0, allowed 1 to 1024");
  prints(&all, "gpus/x.yaml:7:12: cores: found 0, allowed 1 to 1024\n");
  error_at(&file, ERROR_INPUT, "x", 0, 5, NULL, "empty");
  prints(&file, "x: empty\n");
  error_at(&key, ERROR_INPUT, NULL, 3, 5, "cores", "zero");
  prints(&key, "cores: zero\n");
  error_at(&no_column, ERROR_INPUT, "x", 3, 0, "", "cut");
  prints(&no_column, "x:3: cut\n");
}

static void control_characters_do_not_reach_the_terminal(void **state) {
  (void)state;
  struct error error = ERROR_INIT;
  error_at(&error, ERROR_INPUT, "a\033b", 1, 1, "k\007", "line 1\nline\t2\r\177");
  prints(&error, "a?b:1:1: k?: line 1\nline\t2??\n");
}

static void long_texts_are_cut_not_overrun(void **state) {
  (void)state;
  char *text = malloc(10001);
  memset(text, 'x', 10000);
  text[10000] = '\0';
  struct error error = ERROR_INIT;
  error_at(&error, ERROR_WORK, text, 1, 1, text, "%s", text);
  assert_int_equal(strlen(error.file), sizeof error.file - 1);
  assert_int_equal(strlen(error.key), sizeof error.key - 1);
  assert_int_equal(strlen(error.text), sizeof error.text - 1);
  free(text);
}

static void exit_codes(void **state) {
  (void)state;
  struct error none = ERROR_INIT, input = ERROR_INIT, work = ERROR_INIT;
  error_set(&input, ERROR_INPUT, "i");
  error_set(&work, ERROR_WORK, "w");
  assert_int_equal(error_exit_code(&none), 0);
  assert_int_equal(error_exit_code(&input), 2);
  assert_int_equal(error_exit_code(&work), 1);
  assert_int_equal(error_set(NULL, ERROR_WORK, "nobody listens"), -1);
}

/* With as many files open as are allowed, a file cannot be opened, for which its name is not to blame. */
static void a_lack_of_room_is_no_mistake_of_the_input(void **state) {
  (void)state;
  struct error of_file = ERROR_INIT, of_trace = ERROR_INIT, of_name = ERROR_INIT;
  struct trace_reader *reader;
  struct rlimit before, none;
  char *text;
  size_t length;
  assert_int_equal(getrlimit(RLIMIT_NOFILE, &before), 0);
  none = before;
  none.rlim_cur = 0;
  assert_int_equal(setrlimit(RLIMIT_NOFILE, &none), 0);
  const int file = file_read("/dev/null", 10, &text, &length, &of_file);
  const int trace = trace_reader_open("/dev/null", &reader, &of_trace);
  assert_int_equal(setrlimit(RLIMIT_NOFILE, &before), 0);
  assert_int_equal(file, -1);
  assert_int_equal(trace, -1);
  assert_int_equal(of_file.kind, ERROR_WORK);
  assert_int_equal(of_trace.kind, ERROR_WORK);
  assert_int_equal(file_read("/dev/null/none", 10, &text, &length, &of_name), -1);
  assert_int_equal(of_name.kind, ERROR_INPUT);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(first_error_wins),
      cmocka_unit_test(place_shows_what_is_known),
      cmocka_unit_test(control_characters_do_not_reach_the_terminal),
      cmocka_unit_test(long_texts_are_cut_not_overrun),
      cmocka_unit_test(exit_codes),
      cmocka_unit_test(a_lack_of_room_is_no_mistake_of_the_input),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
