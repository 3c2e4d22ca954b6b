/* Rows of numbers (dse/evaluate/number_table.h) keep what was written, as plain memory and in a file; rows in a file
 * leave the process, so that it stays smaller than what it has written. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <stdint.h>
#include <stdio.h>
#include <unistd.h>

#include "dse/evaluate/number_table.h"

enum { WIDTH = 40, FEW = 100 };
static const size_t many = 1 << 20; /* rows: 320 MiB */

static double value_of(size_t row, size_t column) {
  return (double)row * 1.5 + (double)column;
}

static void check_rows(size_t count) {
  struct number_table *rows = number_table_create(count, WIDTH);
  assert_non_null(rows);
  assert_true(number_table_at(rows, count - 1)[WIDTH - 1] == 0);
  for (size_t row = 0; row < count; row++)
    for (size_t column = 0; column < WIDTH; column++)
      number_table_at(rows, row)[column] = value_of(row, column);
  for (size_t row = count; row-- > 0;)
    for (size_t column = 0; column < WIDTH; column++)
      if (number_table_at(rows, row)[column] != value_of(row, column))
        fail_msg("row %zu, column %zu", row, column);
  number_table_destroy(rows);
}

static size_t resident_pages(void) {
  size_t all, resident = 0;
  FILE *file = fopen("/proc/self/statm", "r");
  assert_non_null(file);
  assert_int_equal(fscanf(file, "%zu %zu", &all, &resident), 2);
  fclose(file);
  return resident;
}

static void few_rows_are_kept(void **state) {
  (void)state;
  check_rows(FEW);
}

static void many_rows_are_kept_and_leave_the_process(void **state) {
  (void)state;
  const size_t before = resident_pages(), page = (size_t)sysconf(_SC_PAGESIZE);
  struct number_table *rows = number_table_create(many, WIDTH);
  assert_non_null(rows);
  for (size_t row = 0; row < many; row++)
    number_table_at(rows, row)[0] = value_of(row, 0);
  const size_t after = resident_pages();
  for (size_t row = 0; row < many; row += 1021)
    assert_true(number_table_at(rows, row)[0] == value_of(row, 0));
  number_table_destroy(rows);
  if (after > before)
    assert_true((after - before) * page < 2 * NUMBER_TABLE_WINDOW);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(few_rows_are_kept),
      cmocka_unit_test(many_rows_are_kept_and_leave_the_process),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
