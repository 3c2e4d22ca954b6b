#include "dse/evaluate/number_table.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

#include "base/spill_file.h"

struct number_table {
  double *values;
  size_t width, bytes; /* numbers of an entry; bytes of all entries */
  struct spill_file file;
  bool in_file;
  _Atomic size_t used; /* bytes used since the entries last left the process */
};

static double *plain_or_file(struct number_table *table, size_t count) {
  if (__builtin_mul_overflow(count, table->width * sizeof(double), &table->bytes))
    return NULL;
  if (table->bytes > NUMBER_TABLE_WINDOW)
    table->values = spill_file_map(&table->file, table->bytes);
  table->in_file = table->values != NULL;
  return table->in_file ? table->values : calloc(count * table->width + 1, sizeof(double));
}

struct number_table *number_table_create(size_t count, size_t width) {
  struct number_table *table = calloc(1, sizeof *table);
  if (!table)
    return NULL;
  table->width = width;
  table->values = plain_or_file(table, count);
  if (table->values)
    return table;
  number_table_destroy(table);
  return NULL;
}

void number_table_destroy(struct number_table *table) {
  if (!table)
    return;
  if (table->in_file)
    spill_file_unmap(table->values, table->bytes);
  else
    free(table->values);
  spill_file_clear(&table->file);
  free(table);
}

double *number_table_at(struct number_table *table, size_t number) {
  const size_t bytes = table->width * sizeof(double);
  if (table->in_file && atomic_fetch_add(&table->used, bytes) + bytes > NUMBER_TABLE_WINDOW) {
    table->used = 0;
    spill_file_let_go(table->values, table->bytes);
  }
  return table->values + number * table->width;
}
