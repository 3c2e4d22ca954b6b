#include "base/text.h"

#include <stdlib.h>
#include <string.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

static const char *const words[] = {"cores", "clock_hz", "arith_cycles", "l1_bytes", "l2_bytes", NULL};

static void one_slip_of_each_kind_is_near(void **state) {
  (void)state;
  assert_string_equal(text_nearest("core", words), "cores");   /* left out */
  assert_string_equal(text_nearest("coress", words), "cores"); /* put in */
  assert_string_equal(text_nearest("corez", words), "cores");  /* replaced */
  assert_string_equal(text_nearest("croes", words), "cores");  /* swapped */
  assert_string_equal(text_nearest("CORES", words), "cores");  /* other case */
  assert_string_equal(text_nearest("clockhz", words), "clock_hz");
}

static void far_words_are_not_offered(void **state) {
  (void)state;
  assert_null(text_nearest("divergence", words));
  assert_null(text_nearest("", words));
  assert_null(text_nearest("x", words));
  assert_null(text_nearest("banana", words));
}

static void the_nearest_wins_over_the_first(void **state) {
  (void)state;
  assert_string_equal(text_nearest("l2_byte", words), "l2_bytes");
  assert_string_equal(text_nearest("l1_byte", words), "l1_bytes");
}

static void a_beginning_is_near(void **state) {
  (void)state;
  assert_string_equal(text_nearest("arith", words), "arith_cycles");
  assert_null(text_nearest("ar", words));
}

static void long_words_are_safe(void **state) {
  (void)state;
  char word[100001];
  memset(word, 'c', 100000);
  word[100000] = '\0';
  assert_null(text_nearest(word, words));
  const char *const long_candidate[] = {word, NULL};
  assert_null(text_nearest("cores", long_candidate));
}

/* Test vectors of the FNV authors (draft-eastlake-fnv, 64 bits, FNV-1a). */
static void hash_equals_published_vectors(void **state) {
  (void)state;
  assert_true(text_hash(TEXT_HASH_START, "", 0) == 0xcbf29ce484222325u);
  assert_true(text_hash(TEXT_HASH_START, "a", 1) == 0xaf63dc4c8601ec8cu);
  assert_true(text_hash(TEXT_HASH_START, "foobar", 6) == 0x85944171f73967e8u);
  assert_true(text_hash(text_hash(TEXT_HASH_START, "foo", 3), "bar", 3) == 0x85944171f73967e8u);
}

static void format_allocates_the_text(void **state) {
  (void)state;
  char *text = text_format("%s-%d", "a", 7);
  assert_string_equal(text, "a-7");
  free(text);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(one_slip_of_each_kind_is_near),
      cmocka_unit_test(far_words_are_not_offered),
      cmocka_unit_test(the_nearest_wins_over_the_first),
      cmocka_unit_test(a_beginning_is_near),
      cmocka_unit_test(long_words_are_safe),
      cmocka_unit_test(hash_equals_published_vectors),
      cmocka_unit_test(format_allocates_the_text),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
