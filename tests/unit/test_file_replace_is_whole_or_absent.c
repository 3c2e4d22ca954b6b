#include "base/file.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

static char folder[] = "/tmp/reassemble-file-XXXXXX";

static int enter(void **state) {
  (void)state;
  return mkdtemp(folder) && chdir(folder) == 0 ? 0 : -1;
}

static int leave(void **state) {
  (void)state;
  unlink("a");
  rmdir("d/e/f");
  rmdir("d/e");
  rmdir("d");
  return chdir("/") == 0 && rmdir(folder) == 0 ? 0 : -1; /* fails when something was left over */
}

static void expect_content(const char *path, const char *content) {
  struct error error = ERROR_INIT;
  char *text;
  size_t length;
  assert_int_equal(file_read(path, 100, &text, &length, &error), 0);
  assert_int_equal(length, strlen(content));
  assert_string_equal(text, content);
  free(text);
}

static void write_file(const char *path, const char *content) {
  struct error error = ERROR_INIT;
  struct file_replace f;
  assert_int_equal(file_replace_begin(&f, path, &error), 0);
  fputs(content, f.stream);
  assert_int_equal(file_replace_commit(&f, &error), 0);
}

static void old_content_stands_until_commit(void **state) {
  (void)state;
  struct error error = ERROR_INIT;
  struct file_replace f;
  write_file("a", "old");
  assert_int_equal(file_replace_begin(&f, "a", &error), 0);
  fputs("new", f.stream);
  fflush(f.stream);
  expect_content("a", "old");
  assert_int_equal(file_replace_commit(&f, &error), 0);
  expect_content("a", "new");
}

static void abort_leaves_the_old_file(void **state) {
  (void)state;
  struct error error = ERROR_INIT;
  struct file_replace f;
  write_file("a", "old");
  assert_int_equal(file_replace_begin(&f, "a", &error), 0);
  fputs("new", f.stream);
  file_replace_abort(&f);
  expect_content("a", "old");
}

static void missing_folder_is_named(void **state) {
  (void)state;
  struct error error = ERROR_INIT;
  struct file_replace f;
  assert_int_equal(file_replace_begin(&f, "no/such", &error), -1);
  assert_int_equal(error.kind, ERROR_WORK);
  assert_string_equal(error.file, "no/such");
  assert_string_equal(error.text, "cannot create the file: No such file or directory");
}

static void a_folder_is_not_replaced(void **state) {
  (void)state;
  struct error error = ERROR_INIT;
  struct file_replace f;
  assert_int_equal(file_make_directories("d", &error), 0);
  assert_int_equal(file_replace_begin(&f, "d", &error), -1);
  assert_string_equal(error.text, "this is a folder, expected a file");
}

static void reading_stops_at_the_limit(void **state) {
  (void)state;
  struct error error = ERROR_INIT;
  char *text;
  size_t length;
  write_file("a", "12345");
  assert_int_equal(file_read("a", 5, &text, &length, &error), 0);
  free(text);
  assert_int_equal(file_read("a", 4, &text, &length, &error), -1);
  assert_null(text);
  assert_string_equal(error.text, "the file is too large: allowed are 4 bytes");
  struct error endless = ERROR_INIT;
  assert_int_equal(file_read("/dev/zero", 1000000, &text, &length, &endless), -1);
}

static void unreadable_files_are_named(void **state) {
  (void)state;
  struct error missing = ERROR_INIT, is_folder = ERROR_INIT;
  char *text;
  size_t length;
  assert_int_equal(file_read("none", 10, &text, &length, &missing), -1);
  assert_int_equal(missing.kind, ERROR_INPUT);
  assert_string_equal(missing.text, "cannot open the file: No such file or directory");
  assert_int_equal(file_read("/", 10, &text, &length, &is_folder), -1);
  assert_string_equal(is_folder.text, "cannot read the file: Is a directory");
}

static void folders_are_made_with_their_parents(void **state) {
  (void)state;
  struct error error = ERROR_INIT;
  struct stat info;
  assert_int_equal(file_make_directories("d/e/f", &error), 0);
  assert_int_equal(file_make_directories("d/e/f/", &error), 0);
  assert_int_equal(file_make_directories("/", &error), 0);
  assert_true(stat("d/e/f", &info) == 0 && S_ISDIR(info.st_mode));
  write_file("a", "file");
  assert_int_equal(file_make_directories("a/b", &error), -1);
  assert_string_equal(error.file, "a/b");
  assert_string_equal(error.text, "cannot make the folder: Not a directory");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(old_content_stands_until_commit),
      cmocka_unit_test(abort_leaves_the_old_file),
      cmocka_unit_test(missing_folder_is_named),
      cmocka_unit_test(a_folder_is_not_replaced),
      cmocka_unit_test(reading_stops_at_the_limit),
      cmocka_unit_test(unreadable_files_are_named),
      cmocka_unit_test(folders_are_made_with_their_parents),
  };
  return cmocka_run_group_tests(tests, enter, leave);
}
