/* When memory runs out while a document is parsed, the document is refused, and nothing is written behind a buffer. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include <cmocka.h>

#include "base/input/json.h"

enum { LONG_WORD = 40 << 20, ROOM = 60 << 20 };

/* Returns the bytes that this process's data takes (VmData), as RLIMIT_DATA counts them. */
static size_t data_bytes(void) {
  char line[256];
  size_t kib = 0;
  FILE *status = fopen("/proc/self/status", "r");
  assert_non_null(status);
  while (fgets(line, sizeof line, status))
    sscanf(line, "VmData: %zu", &kib);
  fclose(status);
  assert_true(kib > 0);
  return kib << 10;
}

/* The buffer of a word doubles: 32 MiB more find room, 64 do not. */
static void a_word_that_finds_no_room(void **state) {
  (void)state;
#ifdef REASSEMBLE_SANITIZED
  skip(); /* a sanitizer's own memory counts */
#endif
  char *text = malloc(LONG_WORD + 3);
  struct rlimit before;
  json_error_t problem;
  assert_non_null(text);
  memset(text, 'x', LONG_WORD + 2);
  text[0] = '[', text[1] = '"';
  memcpy(text + LONG_WORD, "\"]", 3);
  json_t *whole = json_parse(text, LONG_WORD + 2, 0, &problem);
  assert_non_null(whole);
  json_decref(whole);
  assert_false(json_ran_out_of_memory());
  assert_int_equal(getrlimit(RLIMIT_DATA, &before), 0);
  const struct rlimit little = {data_bytes() + ROOM, before.rlim_max};
  assert_int_equal(setrlimit(RLIMIT_DATA, &little), 0);
  json_t *document = json_parse(text, LONG_WORD + 2, 0, &problem);
  assert_int_equal(setrlimit(RLIMIT_DATA, &before), 0);
  assert_null(document);
  assert_true(json_problem_is_memory(&problem));
  assert_string_equal(problem.text, "out of memory");
  assert_true(json_ran_out_of_memory());
  document = json_parse("[1]", 3, 0, &problem);
  assert_int_equal(json_array_size(document), 1);
  json_decref(document);
  free(text);
}

static void a_mistake_is_no_want_of_memory(void **state) {
  json_error_t problem;
  (void)state;
  assert_null(json_parse("[1", 2, 0, &problem));
  assert_false(json_problem_is_memory(&problem));
  assert_int_equal(problem.line, 1);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_mistake_is_no_want_of_memory),
      cmocka_unit_test(a_word_that_finds_no_room),
  };
  json_watch_memory();
  return cmocka_run_group_tests(tests, NULL, NULL);
}
