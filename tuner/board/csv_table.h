/* A table of comma-separated values, as measurements are published (RFC 4180, without line ends inside of cells).
 *
 * The first line names the columns. A file whose name ends in ".zst" is decompressed with zstd.
 * Shapes:    cells[row * columns + column]; row 0 is line 2 of the file, as there are no empty lines.
 * Ownership: csv_table_load fills, csv_table_clear frees; after an error it has nothing to free. The texts are the
 *            table's.
 * Errors:    a row of another length than the first line, a column twice, a quote that is not closed; with the line.
 * Limits:    256 MiB, decompressed; 64 columns. Cost: linear. Threads: read-only after loading. */
#ifndef TUNER_CSV_TABLE_H
#define TUNER_CSV_TABLE_H

#include <stddef.h>

#include "base/error.h"

enum { CSV_MOST_COLUMNS = 64 };

struct csv_table {
  char *path;
  char *memory; /* the file, with a NUL behind each cell */
  const char *names[CSV_MOST_COLUMNS + 1];
  size_t columns, rows;
  const char **cells;
};

int csv_table_load(const char *path, struct csv_table *table, struct error *error);
void csv_table_clear(struct csv_table *table);

/* Returns the column of that name; -1 where there is none, with an error that names a near one. */
int csv_table_column(const struct csv_table *table, const char *name, size_t *column, struct error *error);
/* The cell as a number; an error names file, line and column. */
int csv_table_number(const struct csv_table *table, size_t row, size_t column, double *out, struct error *error);
/* Line of the file. */
unsigned csv_table_line(size_t row);

#endif
