#include "dse/evaluate/number_rows.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

#include "base/spill_file.h"

struct number_rows {
  double *values;
  size_t width, bytes; /* numbers in a row; bytes of all rows */
  struct spill_file file;
  bool in_file;
  _Atomic size_t used; /* bytes used since rows last left the process */
};

static double *plain_or_file(struct number_rows *rows, size_t count) {
  if (__builtin_mul_overflow(count, rows->width * sizeof(double), &rows->bytes))
    return NULL;
  if (rows->bytes > NUMBER_ROWS_WINDOW)
    rows->values = spill_file_map(&rows->file, rows->bytes);
  rows->in_file = rows->values != NULL;
  return rows->in_file ? rows->values : calloc(count * rows->width + 1, sizeof(double));
}

struct number_rows *number_rows_create(size_t count, size_t width) {
  struct number_rows *rows = calloc(1, sizeof *rows);
  if (rows == NULL)
    return NULL;
  rows->width = width;
  rows->values = plain_or_file(rows, count);
  if (rows->values != NULL)
    return rows;
  number_rows_destroy(rows);
  return NULL;
}

void number_rows_destroy(struct number_rows *rows) {
  if (rows == NULL)
    return;
  if (rows->in_file)
    spill_file_unmap(rows->values, rows->bytes);
  else
    free(rows->values);
  spill_file_clear(&rows->file);
  free(rows);
}

double *number_rows_at(struct number_rows *rows, size_t number) {
  const size_t bytes = rows->width * sizeof(double);
  if (rows->in_file && atomic_fetch_add(&rows->used, bytes) + bytes > NUMBER_ROWS_WINDOW) {
    rows->used = 0;
    spill_file_let_go(rows->values, rows->bytes);
  }
  return rows->values + number * rows->width;
}
