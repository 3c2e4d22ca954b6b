/* A table of comma-separated values, in which measurements are published (RFC 4180, without line ends inside of cells).
 *
 * The first line names the columns. A file whose name ends in ".zst" is decompressed with zstd.
 * Shapes: cells[record * columns + column]; record 0 is line 2 of the file, because there are no empty lines.
 * Ownership: csv_table_load allocates, csv_table_clear frees; after an error there is nothing to free. The texts belong
 * to the table.
 * Errors: a record of another length than the first line, a column twice, a quote that is not closed; with the line.
 * Limits: 256 MiB, decompressed; 64 columns. Cost: linear. Threads: read-only after loading. */
#ifndef TUNER_CSV_TABLE_H
#define TUNER_CSV_TABLE_H

#include <stddef.h>

#include "base/error.h"

enum { CSV_MOST_COLUMNS = 64 };

struct csv_table {
  char *path;
  char *memory; /* the file, with a NUL behind each cell */
  const char *names[CSV_MOST_COLUMNS + 1];
  size_t columns, records;
  const char **cells;
};

int csv_table_load(const char *path, struct csv_table *table, struct error *error);
void csv_table_clear(struct csv_table *table);

/* Writes the index of the column of that name. An unknown name is an error that suggests a near one. */
int csv_table_column(const struct csv_table *table, const char *name, size_t *column, struct error *error);
/* Writes the cell as a number. An error has file, line and column. */
int csv_table_number(const struct csv_table *table, size_t record, size_t column, double *out, struct error *error);
/* Returns the record's line in the file. */
unsigned csv_table_line(size_t record);

#endif
