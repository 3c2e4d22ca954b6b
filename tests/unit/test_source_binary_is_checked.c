/* The binary that a captured program keeps gives back its options and source, and bytes that are not one are
 * refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tracegen/program/source_binary.h"

static const char options[] = "-D A=1", source[] = "kernel void k(void) {}\n";

static unsigned char *written(size_t *length) {
  *length = source_binary_size(options, source);
  unsigned char *bytes = malloc(*length);
  assert_non_null(bytes);
  source_binary_write(options, source, bytes);
  return bytes;
}

static void it_gives_back_what_it_holds(void **state) {
  (void)state;
  size_t length;
  char *o, *s;
  unsigned char *bytes = written(&length);
  assert_true(source_binary_read(bytes, length, &o, &s));
  assert_string_equal(o, options);
  assert_string_equal(s, source);
  free(o);
  free(s);
  free(bytes);
}

static void any_other_length_is_refused(void **state) {
  (void)state;
  size_t length;
  char *o, *s;
  unsigned char *bytes = written(&length);
  assert_false(source_binary_read(NULL, 0, &o, &s));
  for (size_t shorter = 0; shorter < length; shorter++)
    assert_false(source_binary_read(bytes, shorter, &o, &s));
  free(bytes);
}

/* Lengths beyond the bytes, negative ones and no numbers: each digit of the second line becomes another character. */
static void lengths_are_checked(void **state) {
  (void)state;
  size_t length;
  unsigned char *bytes = written(&length);
  unsigned char *line = (unsigned char *)memchr(bytes, '\n', length) + 1;
  for (size_t at = 0; at < 39; at++)
    for (const char *c = "9-x"; *c; c++) {
      char *o, *s;
      const unsigned char kept = line[at];
      line[at] = (unsigned char)*c;
      if (at != 19) /* the space between the two numbers */
        assert_false(source_binary_read(bytes, length, &o, &s));
      line[at] = kept;
    }
  free(bytes);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(it_gives_back_what_it_holds),
      cmocka_unit_test(any_other_length_is_refused),
      cmocka_unit_test(lengths_are_checked),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
