/* Regular files and new names are replaced, of a symbolic link what it leads to; devices and pipes are written through
 * and stay what they are. */
#include "base/file.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

static char folder[] = "/tmp/reassemble-target-XXXXXX";

static int enter(void **state) {
  (void)state;
  return mkdtemp(folder) && chdir(folder) == 0 && mkdir("d", 0777) == 0 ? 0 : -1;
}

static int leave(void **state) {
  (void)state;
  static const char *const names[] = {"plain", "link", "d/target", "second", "pipe", "loop", "staged"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    unlink(names[i]);
  rmdir("d");
  return chdir("/") == 0 && rmdir(folder) == 0 ? 0 : -1; /* fails when something was left over */
}

static int put(const char *path, const char *content, struct error *error) {
  struct file_replace f;
  if (file_replace_begin(&f, path, error) != 0)
    return -1;
  fputs(content, f.stream);
  return file_replace_commit(&f, error);
}

static void expect_put(const char *path, const char *content) {
  struct error error = ERROR_INIT;
  assert_int_equal(put(path, content, &error), 0);
}

static void expect_content(const char *path, const char *content) {
  struct error error = ERROR_INIT;
  char *text;
  size_t length;
  assert_int_equal(file_read(path, 100, &text, &length, &error), 0);
  assert_string_equal(text, content);
  free(text);
}

static mode_t kind_of(const char *path) {
  struct stat info;
  assert_int_equal(lstat(path, &info), 0);
  return info.st_mode & S_IFMT;
}

static void what_a_link_leads_to_is_replaced(void **state) {
  (void)state;
  expect_put("d/target", "old");
  assert_int_equal(symlink("d/target", "link"), 0);
  assert_int_equal(symlink("link", "second"), 0);
  expect_put("second", "new");
  assert_int_equal(kind_of("link"), S_IFLNK);
  assert_int_equal(kind_of("second"), S_IFLNK);
  expect_content("d/target", "new");
}

static void a_link_to_nothing_makes_its_target(void **state) {
  (void)state;
  unlink("d/target");
  expect_put("link", "made");
  assert_int_equal(kind_of("link"), S_IFLNK);
  expect_content("d/target", "made");
}

static void links_in_a_circle_are_refused(void **state) {
  (void)state;
  struct error error = ERROR_INIT;
  assert_int_equal(symlink("loop", "loop"), 0);
  assert_int_equal(put("loop", "", &error), -1);
  assert_int_equal(kind_of("loop"), S_IFLNK);
}

static void permissions_stay(void **state) {
  (void)state;
  struct stat info;
  expect_put("plain", "old");
  assert_int_equal(chmod("plain", 0640), 0);
  expect_put("plain", "new");
  assert_int_equal(stat("plain", &info), 0);
  assert_int_equal(info.st_mode & 07777, 0640);
}

static void a_pipe_gets_the_bytes(void **state) {
  (void)state;
  char text[8] = "";
  assert_int_equal(mkfifo("pipe", 0600), 0);
  const int reader = open("pipe", O_RDONLY | O_NONBLOCK);
  assert_true(reader >= 0);
  expect_put("pipe", "hello");
  assert_int_equal(read(reader, text, sizeof text), 5);
  assert_string_equal(text, "hello");
  close(reader);
  assert_int_equal(kind_of("pipe"), S_IFIFO);
}

static void a_full_device_is_an_error(void **state) {
  (void)state;
  struct error error = ERROR_INIT;
  assert_int_equal(put("/dev/full", "hello", &error), -1);
  assert_non_null(strstr(error.text, "No space left on device"));
  assert_int_equal(kind_of("/dev/full"), S_IFCHR);
}

static void standard_output_is_refused(void **state) {
  (void)state;
  struct error error = ERROR_INIT;
  assert_int_equal(put("-", "hello", &error), -1);
  assert_int_equal(error.kind, ERROR_INPUT);
  assert_int_equal(access("-", F_OK), -1);
}

static void a_folder_is_refused(void **state) {
  (void)state;
  struct error error = ERROR_INIT;
  assert_int_equal(put("d", "hello", &error), -1);
  assert_int_equal(error.kind, ERROR_INPUT);
}

static void finished_files_are_published_the_same_way(void **state) {
  (void)state;
  struct error error = ERROR_INIT;
  char text[8] = "";
  const int reader = open("pipe", O_RDONLY | O_NONBLOCK);
  expect_put("staged", "one");
  assert_int_equal(file_target_publish("staged", "link", &error), 0);
  expect_content("d/target", "one");
  expect_put("staged", "two");
  assert_int_equal(file_target_publish("staged", "pipe", &error), 0);
  assert_int_equal(read(reader, text, sizeof text), 3);
  assert_string_equal(text, "two");
  close(reader);
  assert_int_equal(kind_of("pipe"), S_IFIFO);
  assert_int_equal(access("staged", F_OK), -1);
}

/* The number of a process that has ended and has been waited for. */
static long gone_process(void) {
  const pid_t process = fork();
  if (process == 0)
    _exit(0);
  assert_int_equal(waitpid(process, NULL, 0), process);
  return process;
}

static void what_a_killed_process_left_is_removed(void **state) {
  (void)state;
  char left[64], others[64];
  snprintf(left, sizeof left, "plain.tmp-%ld", gone_process());
  snprintf(others, sizeof others, "plain.tmp-%ld", (long)getppid());
  expect_put(left, "half");
  expect_put(others, "of a process that runs");
  expect_put("plain", "whole");
  assert_int_equal(access(left, F_OK), -1);
  assert_int_equal(unlink(others), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_a_link_leads_to_is_replaced),
      cmocka_unit_test(a_link_to_nothing_makes_its_target),
      cmocka_unit_test(links_in_a_circle_are_refused),
      cmocka_unit_test(permissions_stay),
      cmocka_unit_test(a_pipe_gets_the_bytes),
      cmocka_unit_test(a_full_device_is_an_error),
      cmocka_unit_test(standard_output_is_refused),
      cmocka_unit_test(a_folder_is_refused),
      cmocka_unit_test(finished_files_are_published_the_same_way),
      cmocka_unit_test(what_a_killed_process_left_is_removed),
  };
  return cmocka_run_group_tests(tests, enter, leave);
}
