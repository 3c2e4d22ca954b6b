#include "cli/core/table.h"

#include <assert.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

struct table {
  size_t columns, count, capacity; /* cells, titles first */
  bool *right;
  char **cells;
  bool out_of_memory;
};

static char clean(char c) {
  return (unsigned char)c < ' ' || c == 0x7f ? '?' : c;
}

void table_print_text(const char *text, FILE *out) {
  for (; *text != '\0'; text++)
    putc(clean(*text), out);
}

static void add_text(struct table *table, char *text) {
  if (text == NULL) {
    table->out_of_memory = true;
    return;
  }
  for (char *c = text; *c; c++)
    *c = clean(*c);
  if (table->count == table->capacity) {
    size_t capacity = table->capacity ? 2 * table->capacity : 64;
    char **cells = realloc(table->cells, capacity * sizeof *cells);
    if (cells == NULL) {
      table->out_of_memory = true;
      free(text);
      return;
    }
    table->cells = cells;
    table->capacity = capacity;
  }
  table->cells[table->count++] = text;
}

struct table *table_create(const struct table_column *columns, size_t count) {
  assert(count > 0);
  struct table *table = calloc(1, sizeof *table);
  if (table == NULL)
    return NULL;
  table->columns = count;
  table->right = calloc(count, sizeof *table->right);
  if (table->right == NULL) {
    table_destroy(table);
    return NULL;
  }
  for (size_t i = 0; i < count; i++) {
    table->right[i] = columns[i].right;
    add_text(table, strdup(columns[i].title));
  }
  return table;
}

void table_add(struct table *table, const char *format, ...) {
  if (table == NULL || table->out_of_memory)
    return;
  char *text = NULL;
  va_list arguments;
  va_start(arguments, format);
  if (vasprintf(&text, format, arguments) < 0)
    text = NULL;
  va_end(arguments);
  add_text(table, text);
}

static size_t row_count(const struct table *table) {
  return table->count / table->columns;
}

static int column_width(const struct table *table, size_t column) {
  size_t width = 0;
  for (size_t i = column; i < row_count(table) * table->columns; i += table->columns) {
    size_t length = strlen(table->cells[i]);
    width = length > width ? length : width;
  }
  return (int)width;
}

static void print_row(const struct table *table, size_t row, const int *widths, FILE *out) {
  char *const *cells = table->cells + row * table->columns;
  size_t last = table->columns; /* behind the last cell that has text: lines end without spaces */
  while (last > 0 && cells[last - 1][0] == '\0')
    last--;
  for (size_t i = 0; i < last; i++) {
    bool ends = i + 1 == last;
    if (table->right[i])
      fprintf(out, "%*s", widths[i], cells[i]);
    else if (ends)
      fputs(cells[i], out);
    else
      fprintf(out, "%-*s", widths[i], cells[i]);
    if (!ends)
      fputs("  ", out);
  }
  putc('\n', out);
}

int table_print(const struct table *table, FILE *out, struct error *error) {
  int *widths = table && !table->out_of_memory ? calloc(table->columns, sizeof *widths) : NULL;
  if (widths == NULL)
    return error_set(error, ERROR_WORK, "out of memory");
  for (size_t i = 0; i < table->columns; i++)
    widths[i] = column_width(table, i);
  for (size_t row = 0; row < row_count(table); row++)
    print_row(table, row, widths, out);
  free(widths);
  return 0;
}

void table_destroy(struct table *table) {
  if (table == NULL)
    return;
  for (size_t i = 0; i < table->count; i++)
    free(table->cells[i]);
  free(table->cells);
  free(table->right);
  free(table);
}
