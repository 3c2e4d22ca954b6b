/* A stream that writes a text holds all of it, or says that memory has run out. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include <cmocka.h>

#include "base/text.h"

enum { ROOM = 20 << 20, LINES = 3 << 20 };

static const char line[] = "a line of a text\n";

static void all_is_there(void **state) {
  char *text;
  size_t length;
  (void)state;
  FILE *stream = text_stream_begin(&text, &length);
  assert_non_null(stream);
  assert_int_equal(fflush(stream), 0);
  assert_string_equal(text, "");
  for (int i = 0; i < 1000; i++)
    assert_true(fputs(line, stream) >= 0);
  assert_int_equal(fflush(stream), 0);
  assert_int_equal(length, 1000 * strlen(line));
  assert_true(fprintf(stream, "%d", 7) > 0);
  assert_true(text_stream_end(stream, &text));
  assert_int_equal(strlen(text), length);
  for (size_t i = 0; i < 1000; i++)
    assert_memory_equal(text + i * strlen(line), line, strlen(line));
  assert_string_equal(text + 1000 * strlen(line), "7");
  free(text);
}

/* Returns the bytes that this process's data takes (VmData), as RLIMIT_DATA counts them. */
static size_t data_bytes(void) {
  char row[256];
  size_t kib = 0;
  FILE *status = fopen("/proc/self/status", "r");
  assert_non_null(status);
  while (fgets(row, sizeof row, status))
    sscanf(row, "VmData: %zu", &kib);
  fclose(status);
  assert_true(kib > 0);
  return kib << 10;
}

/* Memory is given back before the end, so that only an allocation in the middle fails. */
static void a_loss_is_an_error(void **state) {
  char *text;
  size_t length;
  struct rlimit before;
  (void)state;
#ifdef REASSEMBLE_SANITIZED
  skip(); /* a sanitizer's own memory counts */
#endif
  assert_int_equal(getrlimit(RLIMIT_DATA, &before), 0);
  FILE *stream = text_stream_begin(&text, &length);
  assert_non_null(stream);
  const struct rlimit little = {data_bytes() + ROOM, before.rlim_max};
  assert_int_equal(setrlimit(RLIMIT_DATA, &little), 0);
  for (int i = 0; i < LINES; i++)
    fputs(line, stream);
  assert_int_equal(setrlimit(RLIMIT_DATA, &before), 0);
  fputs(line, stream);
  assert_false(text_stream_end(stream, &text));
  assert_null(text);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(all_is_there),
      cmocka_unit_test(a_loss_is_an_error),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
