/* Aligned tables for people.
 *
 *   struct table *t = table_create((struct table_column[]){{"kernel", false}, {"cycles", true}}, 2);
 *   table_add(t, "%s", name);
 *   table_add(t, "%.0f", cycles);   // the row is full; the next cell begins another one
 *   int status = table_print(t, stdout, error);
 *   table_destroy(t);
 *
 * Shapes:    text is ASCII (a byte is a column); two spaces between columns, none at line ends. Control characters are
 *            shown as '?'. A column of which every cell is empty or "-" is left out. On a terminal that is narrower
 *            than the table the widest columns of text are wrapped at spaces; the first column never is. If that is not
 *            enough, titles of numbers take several lines, and then columns that have no room follow in another part
 *            below, beside the first column.
 * Ownership: titles and cells are copied.
 * Errors:    running out of memory is remembered and reported by table_print. */
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
/* Returns whether a table could not be made for want of memory, in this process. */
bool table_ran_out_of_memory(void);
void table_add(struct table *table, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Title row and all full rows, within the width of the terminal where `out` is one. */
int table_print(const struct table *table, FILE *out, struct error *error);
/* Within `width` characters a line, 0: any number. Only a line of two columns that cannot be that narrow is longer. */
int table_print_within(const struct table *table, size_t width, FILE *out, struct error *error);
void table_destroy(struct table *table);

/* Returns the characters in a line of the terminal; 0 where `out` is none. */
size_t table_terminal_width(FILE *out);

/* The character as a table shows it: "?" for a control character. */
char table_clean(char c);

#endif
