#include "base/file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

/* A data root with two GPUs, one of them in a folder, and a file outside that names must not reach. */
static char root[] = "/tmp/reassemble-data-XXXXXX";

static void touch(const char *path) {
  FILE *f = fopen(path, "w");
  assert_non_null(f);
  fclose(f);
}

static int enter(void **state) {
  (void)state;
  if (!mkdtemp(root) || chdir(root) != 0 || file_make_directories("configs/gpus/zz-set", NULL) != 0)
    return -1;
  touch("configs/gpus/zz-one.yaml");
  touch("configs/gpus/zz-set/two.yaml");
  touch("configs/gpus/.hidden.yaml");
  touch("configs/gpus/note.txt");
  touch("configs/outside.yaml");
  return setenv("REASSEMBLE_DATA", root, 1);
}

static int leave(void **state) {
  (void)state;
  char command[100];
  snprintf(command, sizeof command, "rm -r %s", root);
  return chdir("/") == 0 ? system(command) : -1;
}

static void expect_found(const char *name, const char *tail) {
  struct error error = ERROR_INIT;
  char *path;
  char expected[200];
  snprintf(expected, sizeof expected, "%s/configs/gpus/%s", root, tail);
  assert_int_equal(data_find(DATA_GPU, name, &path, &error), 0);
  assert_string_equal(path, expected);
  free(path);
}

static void names_resolve(void **state) {
  (void)state;
  expect_found("zz-one", "zz-one.yaml");
  expect_found("zz-set/two", "zz-set/two.yaml");
}

static void names_cannot_leave_the_root(void **state) {
  (void)state;
  static const char *const names[] = {"../outside",
                                      "zz-set/../../outside",
                                      "./zz-one",
                                      "zz-set//two",
                                      "/configs/gpus/zz-one",
                                      "zz-set/",
                                      ".hidden",
                                      ""};
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
    struct error error = ERROR_INIT;
    char *path;
    assert_int_equal(data_find(DATA_GPU, names[i], &path, &error), -1);
    assert_null(path);
    assert_int_equal(error.kind, ERROR_INPUT);
  }
}

static void an_existing_file_wins(void **state) {
  (void)state;
  struct error error = ERROR_INIT;
  char *path;
  touch("zz-one");
  assert_int_equal(data_find(DATA_GPU, "zz-one", &path, &error), 0);
  assert_string_equal(path, "zz-one");
  free(path);
  unlink("zz-one");
  assert_int_equal(data_find(DATA_GPU, "configs/outside.yaml", &path, &error), 0);
  assert_string_equal(path, "configs/outside.yaml");
  free(path);
}

static void shipped_names_ignore_files_around(void **state) {
  (void)state;
  struct error error = ERROR_INIT;
  char *path;
  touch("zz-one");
  assert_int_equal(data_find_shipped(DATA_GPU, "zz-one", &path, &error), 0);
  assert_non_null(strstr(path, "configs/gpus/zz-one.yaml"));
  free(path);
  unlink("zz-one");
}

static void near_names_are_offered(void **state) {
  (void)state;
  struct error error = ERROR_INIT;
  char *path;
  assert_int_equal(data_find(DATA_GPU, "zz-oen", &path, &error), -1);
  assert_string_equal(error.text, "found no GPU \"zz-oen\": no such file, and no shipped GPU of that name; "
                                  "did you mean \"zz-one\"?");
}

static void listing_has_each_name_once_in_order(void **state) {
  (void)state;
  struct error error = ERROR_INIT;
  char **names;
  size_t count;
  assert_int_equal(data_list(DATA_GPU, &names, &count, &error), 0);
  assert_true(count >= 2);
  assert_string_equal(names[count - 2], "zz-one"); /* the source tree's own names come before */
  assert_string_equal(names[count - 1], "zz-set/two");
  for (size_t i = 1; i < count; i++)
    assert_true(strcmp(names[i - 1], names[i]) < 0);
  data_list_free(names, count);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(names_resolve),          cmocka_unit_test(names_cannot_leave_the_root),
      cmocka_unit_test(an_existing_file_wins),  cmocka_unit_test(shipped_names_ignore_files_around),
      cmocka_unit_test(near_names_are_offered), cmocka_unit_test(listing_has_each_name_once_in_order),
  };
  return cmocka_run_group_tests(tests, enter, leave);
}
