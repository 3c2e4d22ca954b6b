/* Formats of printf: the text of every kind of value, and what is wrong with formats that are none. */
#include "expect_error.h"

#include <string.h>

#include "tracegen/abi/print_format.h"

static const char literal[] = "literal";

static const char *find(void *user, uint64_t address, size_t *room) {
  (void)user;
  *room = address == 1 ? sizeof literal : 0;
  return address == 1 ? literal : NULL;
}

/* Prints one value. */
static void expect_text(const char *format, struct print_value value, const void *memory, const char *wanted) {
  struct error error = ERROR_INIT;
  struct print_format parsed;
  struct bytes text = {0};
  const struct print_strings strings = {find, NULL};
  assert_int_equal(print_format_parse(format, strlen(format), &parsed, &error), 0);
  assert_int_equal(parsed.count, 1);
  assert_int_equal(print_conversion_check(&parsed.conversions[0], &value, &error), 0);
  print_format_append(&parsed, &value, memory, &strings, &text);
  bytes_append(&text, "", 1);
  assert_string_equal((const char *)text.data, wanted);
  bytes_clear(&text);
  print_format_clear(&parsed);
}

static void integers_have_the_size_that_the_modifier_names(void **state) {
  const int64_t n = -2;
  const struct print_value i32 = {.kind = PRINT_INTEGER, .bytes = 4, .elements = 1};
  const struct print_value i64 = {.kind = PRINT_INTEGER, .bytes = 8, .elements = 1};
  expect_text("<%d>", i32, &n, "<-2>");
  expect_text("%u", i32, &n, "4294967294");
  expect_text("%hhu", i32, &n, "254");
  expect_text("%hx", i32, &n, "fffe");
  expect_text("%ld", i64, &n, "-2");
  expect_text("%lx", i64, &n, "fffffffffffffffe");
  expect_text("%d", i64, &n, "-2"); /* the low half, as everywhere that passes 64-bit numbers so */
  expect_text("%+06ld%%", i64, &n, "-00002%");
  (void)state;
}

static void floats_of_every_size_are_one_number(void **state) {
  const double d = 1.5;
  const float f = -0.25f;
  const uint16_t h = 0x4248; /* 3.140625 */
  expect_text("%f", (struct print_value){.kind = PRINT_REAL, .bytes = 8, .elements = 1}, &d, "1.500000");
  expect_text("%8.2e|", (struct print_value){.kind = PRINT_REAL, .bytes = 4, .elements = 1}, &f, "-2.50e-01|");
  expect_text("%g", (struct print_value){.kind = PRINT_REAL, .bytes = 2, .elements = 1}, &h, "3.14062");
  expect_text("%A", (struct print_value){.kind = PRINT_REAL, .bytes = 8, .elements = 1}, &d, "0X1.8P+0");
  (void)state;
}

static void vectors_have_commas(void **state) {
  const signed char bytes[] = {1, -1, 127};
  const float floats[] = {1, 2.5f};
  expect_text("%v3hhd", (struct print_value){.kind = PRINT_INTEGER, .bytes = 1, .elements = 3}, bytes, "1,-1,127");
  expect_text("%v3u", (struct print_value){.kind = PRINT_INTEGER, .bytes = 1, .elements = 3}, bytes, "1,255,127");
  expect_text("[%5.1v2hlf]", (struct print_value){.kind = PRINT_REAL, .bytes = 4, .elements = 2}, floats,
              "[  1.0,  2.5]");
  (void)state;
}

static void strings_and_pointers_are_padded_and_cut(void **state) {
  const uint64_t there = 1, nowhere = 0x2000;
  const struct print_value address = {.kind = PRINT_ADDRESS, .bytes = 8, .elements = 1};
  expect_text("%s", address, &there, "literal");
  expect_text("%5.3s|", address, &there, "  lit|");
  expect_text("%-9s|", address, &there, "literal  |");
  expect_text("%s|", address, &nowhere, "|");
  expect_text("%8p", address, &nowhere, "  0x2000");
  (void)state;
}

static void what_is_no_format_has_its_message(void **state) {
  static const struct {
    const char *format, *message;
  } cases[] = {
      {"%", "conversion \"%\" of the format is unknown; expected one of d i o u x X f F e E g G a A c s p %"},
      {"a %5k", "conversion \"%5k\" of the format is unknown; expected one of d i o u x X f F e E g G a A c s p %"},
      {"%n", "conversion \"%n\" of the format is unknown; expected one of d i o u x X f F e E g G a A c s p %"},
      {"%*d", "conversion \"%*\" of the format takes its width from an argument, which OpenCL C has not; write the "
              "number"},
      {"%.*f", "conversion \"%.*\" of the format takes its precision from an argument, which OpenCL C has not; write "
               "the number"},
      {"%4096d", "conversion \"%4096\" of the format has a width or precision above 4095"},
      {"%.99999999999d", "conversion \"%.99999999999\" of the format has a width or precision above 4095"},
      {"%lld", "conversion \"%ll\" of the format has a length modifier that OpenCL C has not; expected hh, h, hl or l"},
      {"%hld", "conversion \"%hl\" of the format has the length modifier hl, which is for vectors"},
      {"%v5d", "conversion \"%v5\" of the format prints a vector of a size that is none of 2, 3, 4, 8 and 16"},
      {"%v4s", "conversion \"%v4s\" of the format is none for vectors"},
      {"%------------------------d", "conversion \"%-------------------\" of the format is longer than 20 characters"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct error error = ERROR_INIT;
    struct print_format parsed;
    assert_int_equal(print_format_parse(cases[i].format, strlen(cases[i].format), &parsed, &error), -1);
    expect_error(&error, cases[i].message);
  }
  (void)state;
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(integers_have_the_size_that_the_modifier_names),
      cmocka_unit_test(floats_of_every_size_are_one_number),
      cmocka_unit_test(vectors_have_commas),
      cmocka_unit_test(strings_and_pointers_are_padded_and_cut),
      cmocka_unit_test(what_is_no_format_has_its_message),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
