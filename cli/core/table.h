/* Aligned tables for people.
 *
 *   struct table *t = table_create((struct table_column[]){{"kernel", false}, {"cycles", true}}, 2);
 *   table_add(t, "%s", name);
 *   table_add(t, "%.0f", cycles);   // the row is full; the next cell begins another one
 *   int status = table_print(t, stdout, error);
 *   table_destroy(t);
 *
 * Shapes: text is ASCII (a byte is a column); two spaces between columns, none at line ends. Control characters are
 * shown as '?'. Ownership: titles and cells are copied. Errors: running out of memory is remembered and reported by
 * table_print. */
#ifndef CLI_TABLE_H
#define CLI_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "base/error.h"

struct table_column {
  const char *title;
  bool right; /* aligned to the right: numbers */
};

struct table;

struct table *table_create(const struct table_column *columns, size_t count);
void table_add(struct table *table, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Title row and all full rows. */
int table_print(const struct table *table, FILE *out, struct error *error);
void table_destroy(struct table *table);

/* A line outside of a table, cleaned like a cell: texts from files may come from anywhere and give no commands to a
 * terminal; control characters become "?". */
void table_print_text(const char *text, FILE *out);

#endif
