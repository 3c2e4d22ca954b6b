/* Bitcode as clang writes it, cut anywhere, is not complete. */
#include "expect_error.h"

#include <string.h>

#include "emulate_text.h"
#include "tracegen/front/clang/bitcode_end.h"
#include "tracegen/front/clang/clang_front_end.h"

static void whole_and_no_part_of_it(void **state) {
  struct error error = ERROR_INIT;
  char *bitcode = NULL;
  size_t length = 0;
  (void)state;
  write_text("whole.cl", "__kernel void k(__global int *x) {\n  x[get_global_id(0)] += 7;\n}\n");
  assert_int_equal(clang_begin("whole.cl", "", &error) || clang_finish("whole.cl", &bitcode, &length, &error), 0);
  assert_true(bitcode_is_complete(bitcode, length));
  for (size_t part = 0; part < length; part++)
    assert_false(bitcode_is_complete(bitcode, part));
  free(bitcode);
}

static void other_data(void **state) {
  static const char large[] = "BC\xC0\xDE\x5D\x0C\0\0\xFF\xFF\xFF\xFF\0\0\0";
  (void)state;
  assert_false(bitcode_is_complete(NULL, 0));
  assert_false(bitcode_is_complete("BC\xC0\xDE", 4));
  assert_false(bitcode_is_complete("no bitcode at all", 17));
  assert_false(bitcode_is_complete(large, sizeof large));
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(whole_and_no_part_of_it), cmocka_unit_test(other_data)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
