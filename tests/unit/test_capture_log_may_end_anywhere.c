/* The log of a program that was killed while it wrote: complete lines count, the rest is ignored, and counts once its
 * end is there; what the layer would never write is an error with its line. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "tracegen/program/capture/capture.h"

static const char whole[] = "{\"event\":\"memory\",\"id\":0,\"kind\":\"buffer\",\"bytes\":4,\"flags\":1,\"at_s\":0.1}\n"
                            "{\"event\":\"launch\",\"index\":0,\"kernel\":\"f\",\"skipped\":\"for a test\"}\n"
                            "{\"event\":\"done\",\"index\":0,\"status\":0}\n"
                            "{\"event\":\"release\",\"id\":0,\"at_s\":0.5}\n"
                            "{\"event\":\"refused\",\"call\":\"clCreateProgramWithIL\",\"what\":\"SPIR-V\"}\n";

static void append(const char *folder, const char *text, size_t length) {
  char path[64];
  snprintf(path, sizeof path, "%s/log", folder);
  FILE *file = fopen(path, "a");
  assert_non_null(file);
  assert_int_equal(fwrite(text, 1, length, file), length);
  assert_int_equal(fclose(file), 0);
}

/* `first` bytes, then the rest of `length`. */
static int read_text(const char *text, size_t first, size_t length, struct capture *capture, struct error *error) {
  char folder[] = "capture-XXXXXX", path[64];
  bool any;
  assert_non_null(mkdtemp(folder));
  assert_int_equal(capture_open(folder, capture, error), 0);
  assert_int_equal(capture_advance(capture, &any, error), 0);
  assert_false(any);
  append(folder, text, first);
  int status = capture_advance(capture, &any, error);
  assert_true(any);
  append(folder, text + first, length - first);
  if (!status)
    status = capture_advance(capture, &any, error);
  snprintf(path, sizeof path, "%s/log", folder);
  unlink(path);
  snprintf(path, sizeof path, "%s/contents", folder);
  unlink(path);
  snprintf(path, sizeof path, "%s/control", folder);
  unlink(path);
  assert_int_equal(rmdir(folder), 0);
  return status;
}

static void a_cut_line_is_ignored(void **state) {
  (void)state;
  for (size_t length = 0; length < sizeof whole; length++) {
    struct capture capture;
    struct error error = ERROR_INIT;
    size_t lines = 0;
    for (size_t i = 0; i < length; i++)
      lines += whole[i] == '\n';
    assert_int_equal(read_text(whole, length / 2, length, &capture, &error), 0);
    assert_int_equal(json_array_size(capture.memories), lines >= 1);
    assert_int_equal(json_array_size(capture.launches), lines >= 2);
    assert_int_equal(json_object_get(json_array_get(capture.launches, 0), "status") != NULL, lines >= 3);
    assert_int_equal(json_object_get(json_array_get(capture.memories, 0), "released_at_s") != NULL, lines >= 4);
    assert_int_equal(json_array_size(capture.refused), lines >= 5);
    capture_close(&capture);
  }
}

static void refuse(const char *text, unsigned line) {
  struct capture capture;
  struct error error = ERROR_INIT;
  assert_int_equal(read_text(text, strlen(text) / 2, strlen(text), &capture, &error), -1);
  assert_int_not_equal(error.kind, ERROR_NONE);
  assert_int_equal(error.line, line);
  capture_close(&capture);
}

static void other_lines_are_errors(void **state) {
  (void)state;
  refuse("{\"event\":\"release\",\"id\":0,\"at_s\":0.5}\n{]\n", 2);
  refuse("{\"event\":\"lunch\"}\n", 1);
  refuse("{\"event\":\"done\",\"index\":-1}\n", 0);
  refuse("[]\n", 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(a_cut_line_is_ignored), cmocka_unit_test(other_lines_are_errors)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
