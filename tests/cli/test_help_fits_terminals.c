#include "cli/core/wrap.h"

#include <stdlib.h>
#include <string.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <cmocka.h>

static void prints(const char *text, size_t width, const char *expected) {
  char *printed = NULL;
  size_t length = 0;
  FILE *out = open_memstream(&printed, &length);
  wrap_print(text, width, out);
  fclose(out);
  assert_string_equal(printed, expected);
  free(printed);
}

static void files_get_lines_as_they_are(void **state) {
  (void)state;
  prints("a line of any length\n\n  --json  results\n", 0, "a line of any length\n\n  --json  results\n");
}

/* Following lines begin where the text of the first one began. */
static void lines_are_broken_at_spaces(void **state) {
  (void)state;
  prints("one two three four\n", 9, "one two\nthree\nfour\n");
  prints("  -j, --jobs N   threads at most for all\n", 36,
         "  -j, --jobs N   threads at most for\n                 all\n");
  prints("wide  a b\n", 80, "wide  a b\n");
}

/* A word without a place to break and a command that is to be copied stay whole, also on the narrowest terminal. */
static void words_and_commands_stay_whole(void **state) {
  (void)state;
  prints("incomprehensibilities\n", 9, "incomprehensibilities\n");
  prints("  reassemble rank --gpu mali-g71-mp8 saxpy\n", 20, "  reassemble rank --gpu mali-g71-mp8 saxpy\n");
  prints("one two\n", 3, "one\ntwo\n");
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(files_get_lines_as_they_are),
                                     cmocka_unit_test(lines_are_broken_at_spaces),
                                     cmocka_unit_test(words_and_commands_stay_whole)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
