#include "cli/core/table.h"

#include <stdlib.h>
#include <string.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <cmocka.h>

static void prints(const struct table *table, const char *expected) {
  char *text = NULL;
  size_t length = 0;
  FILE *out = open_memstream(&text, &length);
  assert_int_equal(table_print(table, out, NULL), 0);
  fclose(out);
  assert_string_equal(text, expected);
  free(text);
}

static void left_right_and_no_spaces_at_line_ends(void **state) {
  (void)state;
  const struct table_column columns[] = {{"kernel", false}, {"cycles", true}, {"note", false}};
  struct table *t = table_create(columns, 3);
  table_add(t, "gemm");
  table_add(t, "%d", 7);
  table_add(t, "a\nb\033");
  table_add(t, "a-long-name");
  table_add(t, "%d", 12345678);
  table_add(t, "%s", "");
  table_add(t, "a row that is not full is not shown");
  prints(t, "kernel         cycles  note\n"
            "gemm                7  a?b?\n"
            "a-long-name  12345678\n");
  table_destroy(t);
}

static void titles_alone_are_a_table(void **state) {
  (void)state;
  struct table *t = table_create(&(struct table_column){"name", true}, 1);
  prints(t, "name\n");
  table_destroy(t);
  table_destroy(NULL);
}

static void columns_that_say_nothing_are_left_out(void **state) {
  (void)state;
  struct table *t = table_create((struct table_column[]){{"a", false}, {"b", true}, {"c", true}, {"d", false}}, 4);
  for (int row = 0; row < 2; row++) {
    table_add(t, "x");
    table_add(t, "-");
    table_add(t, "%s", row == 0 ? "-" : "1");
    table_add(t, "%s", "");
  }
  prints(t, "a  c\n"
            "x  -\n"
            "x  1\n");
  table_destroy(t);
}

static void text_is_wrapped_where_lines_are_short(void **state) {
  (void)state;
  char *text = NULL;
  size_t length = 0;
  FILE *out = open_memstream(&text, &length);
  struct table *t = table_create((struct table_column[]){{"name", false}, {"about", false}, {"n", true}}, 3);
  table_add(t, "gemm");
  table_add(t, "C = A B on floats of a square");
  table_add(t, "12");
  assert_int_equal(table_print_within(t, 28, out, NULL), 0);
  assert_int_equal(table_print_within(t, 5, out, NULL), 0); /* a column of text is not narrower than 16 */
  fclose(out);
  assert_string_equal(text, "name  about                n\n"
                            "gemm  C = A B on floats   12\n"
                            "      of a square\n"
                            "name  about\n"
                            "gemm  C = A B on\n"
                            "      floats of a\n"
                            "      square\n"
                            "\n"
                            "name   n\n"
                            "gemm  12\n");
  free(text);
  table_destroy(t);
}

/* Titles of numbers take several lines first; what then has no room stands in a part below. */
static void wide_tables_of_numbers_stand_in_parts(void **state) {
  (void)state;
  char *text = NULL;
  size_t length = 0;
  FILE *out = open_memstream(&text, &length);
  struct table *t = table_create(
      (struct table_column[]){{"kernel", false}, {"work-item instructions", true}, {"L1 miss %", true}, {"us", true}},
      4);
  table_add(t, "gemm");
  table_add(t, "3751936");
  table_add(t, "7.07");
  table_add(t, "84.0");
  assert_int_equal(table_print_within(t, 34, out, NULL), 0);
  assert_int_equal(table_print_within(t, 27, out, NULL), 0);
  fclose(out);
  assert_string_equal(text, "kernel     work-item    L1    us\n"
                            "        instructions  miss\n"
                            "                         %\n"
                            "gemm         3751936  7.07  84.0\n"
                            "kernel     work-item    L1\n"
                            "        instructions  miss\n"
                            "                         %\n"
                            "gemm         3751936  7.07\n"
                            "\n"
                            "kernel    us\n"
                            "gemm    84.0\n");
  free(text);
  table_destroy(t);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(left_right_and_no_spaces_at_line_ends), cmocka_unit_test(titles_alone_are_a_table),
      cmocka_unit_test(columns_that_say_nothing_are_left_out), cmocka_unit_test(text_is_wrapped_where_lines_are_short),
      cmocka_unit_test(wide_tables_of_numbers_stand_in_parts)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
