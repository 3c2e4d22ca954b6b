/* Files of buffers' states: one that two launches and the buffer itself need goes with the last of the three; the room
 * is given back once. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

#include "tracegen/program/capture/capture_contents.h"

static char folder[] = "contents-XXXXXX";

static void make(uint64_t number) {
  char *path = contents_path(folder, number);
  FILE *file = fopen(path, "w");
  assert_non_null(file);
  assert_int_equal(fclose(file), 0);
  free(path);
}

static bool is_there(uint64_t number) {
  char *path = contents_path(folder, number);
  const bool there = access(path, F_OK) == 0;
  free(path);
  return there;
}

static void states_go_with_their_last_user(void **state) {
  (void)state;
  struct capture_control control = {0};
  struct contents contents = {.folder = folder, .control = &control};
  for (uint64_t number = 1; number <= 3; number++)
    make(number);
  assert_int_equal(contents_use(&contents, 5, 1, 100, NULL), 0); /* launch a finds buffer 5 in state 1, */
  assert_int_equal(contents_use(&contents, 5, 2, 100, NULL), 0); /* and leaves state 2 */
  assert_int_equal(contents_use(&contents, 5, 2, 100, NULL), 0); /* which launch b finds, */
  assert_int_equal(contents_use(&contents, 5, 3, 100, NULL), 0); /* and changes */
  contents_drop(&contents, 1);
  contents_drop(&contents, 2);
  assert_false(is_there(1));
  assert_true(is_there(2));
  contents_drop(&contents, 2);
  contents_drop(&contents, 3);
  assert_false(is_there(2));
  assert_true(is_there(3)); /* the next launch may find it */
  assert_int_equal(atomic_load(&control.freed_bytes), 200);
  contents_forget(&contents, 5);
  contents_forget(&contents, 5);
  contents_forget(&contents, 1000);
  contents_drop(&contents, 3);
  contents_drop(&contents, 1000);
  assert_false(is_there(3));
  assert_int_equal(atomic_load(&control.freed_bytes), 300);
  contents_clear(&contents);
}

static void numbers_out_of_reach_are_errors(void **state) {
  (void)state;
  struct capture_control control = {0};
  struct contents contents = {.folder = folder, .control = &control};
  struct error error = ERROR_INIT;
  assert_int_equal(contents_use(&contents, UINT64_MAX / 2, 1, 1, &error), -1);
  assert_int_equal(error.kind, ERROR_WORK);
  assert_int_equal(contents_use(&contents, 1, UINT64_MAX / 2, 1, NULL), -1);
  contents_clear(&contents);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(states_go_with_their_last_user),
                                     cmocka_unit_test(numbers_out_of_reach_are_errors)};
  if (!mkdtemp(folder))
    return 1;
  const int failed = cmocka_run_group_tests(tests, NULL, NULL);
  rmdir(folder);
  return failed;
}
