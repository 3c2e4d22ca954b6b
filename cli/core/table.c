#include "cli/core/table.h"

#include <assert.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/array.h"

enum { GAP = 2, LEAST_WRAPPED = 16 /* characters of a column that is wrapped */ };

struct table {
  size_t columns, count, capacity; /* cells, titles first */
  bool *right;
  char **cells;
  bool out_of_memory;
};

char table_clean(char c) {
  return (unsigned char)c < ' ' || c == 0x7f ? '?' : c;
}

static void add_text(struct table *table, char *text) {
  if (!text) {
    table->out_of_memory = true;
    return;
  }
  for (char *c = text; *c; c++)
    *c = table_clean(*c);
  if (!array_room(&table->cells, &table->capacity, table->count + 1, sizeof *table->cells)) {
    table->out_of_memory = true;
    free(text);
    return;
  }
  table->cells[table->count++] = text;
}

static bool ran_out;

bool table_ran_out_of_memory(void) {
  return ran_out;
}

struct table *table_create(const struct table_column *columns, size_t count) {
  assert(count > 0);
  struct table *table = calloc(1, sizeof *table);
  ran_out |= !table;
  if (!table)
    return NULL;
  table->columns = count;
  table->right = calloc(count, sizeof *table->right);
  if (!table->right) {
    ran_out = true;
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
  if (!table || table->out_of_memory)
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

/* ---- widths ---- */

static bool has_value(const char *cell) {
  return cell[0] != '\0' && strcmp(cell, "-") != 0;
}

/* The longest text of the column; 0 for a column of rows that say nothing. */
static size_t column_width(const struct table *table, size_t column) {
  size_t width = 0;
  bool any = row_count(table) == 1; /* titles alone are shown */
  for (size_t i = column; i < row_count(table) * table->columns; i += table->columns) {
    const size_t length = strlen(table->cells[i]);
    width = length > width ? length : width;
    any = any || (i >= table->columns && has_value(table->cells[i]));
  }
  return any ? width : 0;
}

static size_t line_width(const struct table *table, const size_t *widths) {
  size_t sum = 0;
  for (size_t i = 0; i < table->columns; i++)
    sum += widths[i] > 0 ? widths[i] + GAP : 0;
  return sum > 0 ? sum - GAP : 0;
}

/* The widest column of text that may be wrapped; `columns` where there is none. */
static size_t widest_text(const struct table *table, const size_t *widths) {
  size_t widest = table->columns;
  for (size_t i = 1; i < table->columns; i++)
    if (!table->right[i] && widths[i] > LEAST_WRAPPED && (widest == table->columns || widths[i] > widths[widest]))
      widest = i;
  return widest;
}

static void fit(const struct table *table, size_t limit, size_t *widths) {
  for (size_t line = line_width(table, widths); line > limit; line = line_width(table, widths)) {
    const size_t widest = widest_text(table, widths), excess = line - limit;
    if (widest == table->columns)
      return;
    widths[widest] = widths[widest] > LEAST_WRAPPED + excess ? widths[widest] - excess : LEAST_WRAPPED;
  }
}

/* Returns the length of the longest word of the text. */
static size_t longest_word(const char *text) {
  size_t longest = 0;
  while (*text != '\0') {
    const size_t length = strcspn(text, " ");
    longest = length > longest ? length : longest;
    text += length + strspn(text + length, " ");
  }
  return longest;
}

/* The width of a column of numbers whose title may take several lines. */
static size_t narrow_width(const struct table *table, size_t column) {
  size_t width = longest_word(table->cells[column]);
  for (size_t i = column + table->columns; i < row_count(table) * table->columns; i += table->columns) {
    const size_t length = strlen(table->cells[i]);
    width = length > width ? length : width;
  }
  return width;
}

/* Widths of a table without a limit, and within it as far as wrapping texts, and then also titles, makes it so. */
struct widths {
  size_t *whole, *fitted, *part;
};

static void find_widths(const struct table *table, size_t limit, const struct widths *w) {
  for (size_t i = 0; i < table->columns; i++)
    w->fitted[i] = w->whole[i] = column_width(table, i);
  if (limit == 0)
    return;
  fit(table, limit, w->fitted);
  if (line_width(table, w->fitted) <= limit)
    return;
  for (size_t i = 0; i < table->columns; i++)
    w->fitted[i] = w->whole[i] = w->whole[i] > 0 && table->right[i] ? narrow_width(table, i) : w->whole[i];
  fit(table, limit, w->fitted);
}

/* Returns the column behind the last one that fits beside the first column; a part has one at least. */
static size_t end_of_part(const struct table *table, const size_t *widths, size_t from, size_t limit) {
  size_t line = widths[0], end = from;
  while (end < table->columns && (end == from || limit == 0 || widths[end] == 0 || line + GAP + widths[end] <= limit)) {
    line += widths[end] > 0 ? GAP + widths[end] : 0;
    end++;
  }
  return end;
}

size_t table_terminal_width(FILE *out) {
  struct winsize size;
  const int file = fileno(out);
  return file >= 0 && isatty(file) && ioctl(file, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

/* ---- lines ---- */

/* Returns how many characters of `text` fit into one line of `width`; *skip adds the spaces that follow them. */
static size_t line_length(const char *text, size_t width, size_t *skip) {
  size_t length = strlen(text);
  if (length > width) {
    length = width;
    while (length > 0 && text[length] != ' ')
      length--;
    length = length > 0 ? length : width; /* a word that is longer than the line */
  }
  *skip = length + strspn(text + length, " ");
  return length;
}

static void print_spaces(size_t count, FILE *out) {
  for (; count > 0; count--)
    putc(' ', out);
}

/* Prints one line of a row; `cells` advance to what the next line holds. Lines end without spaces. */
static void print_line(const struct table *table, const char **cells, const size_t *widths, FILE *out) {
  size_t spaces = 0; /* not printed until something follows */
  for (size_t i = 0; i < table->columns; i++) {
    size_t skip, length = widths[i] > 0 ? line_length(cells[i], widths[i], &skip) : 0;
    if (widths[i] == 0)
      continue;
    const size_t padding = widths[i] - length;
    if (length > 0) {
      print_spaces(spaces + (table->right[i] ? padding : 0), out);
      spaces = table->right[i] ? 0 : padding;
      fwrite(cells[i], 1, length, out);
    } else
      spaces += padding;
    spaces += GAP;
    cells[i] += skip;
  }
  putc('\n', out);
}

static bool is_printed(const struct table *table, const char *const *cells, const size_t *widths) {
  for (size_t i = 0; i < table->columns; i++)
    if (widths[i] > 0 && cells[i][0] != '\0')
      return false;
  return true;
}

static void print_row(const struct table *table, size_t row, const size_t *widths, const char **cells, FILE *out) {
  for (size_t i = 0; i < table->columns; i++)
    cells[i] = table->cells[row * table->columns + i];
  do
    print_line(table, cells, widths, out);
  while (!is_printed(table, cells, widths));
}

/* Prints the first column and those from `from` on that fit beside it. Returns the first column of the next part. */
static size_t print_part(const struct table *table, const struct widths *w, size_t from, size_t limit,
                         const char **cells, FILE *out) {
  const size_t end = end_of_part(table, w->fitted, from, limit);
  for (size_t i = 0; i < table->columns; i++)
    w->part[i] = i == 0 || (i >= from && i < end) ? w->whole[i] : 0;
  if (limit > 0)
    fit(table, limit, w->part);
  for (size_t row = 0; row < row_count(table); row++)
    print_row(table, row, w->part, cells, out);
  return end;
}

static void print_parts(const struct table *table, const struct widths *w, size_t limit, const char **cells,
                        FILE *out) {
  size_t next = print_part(table, w, 1, limit, cells, out);
  while (next < table->columns) {
    putc('\n', out);
    next = print_part(table, w, next, limit, cells, out);
  }
}

int table_print_within(const struct table *table, size_t width, FILE *out, struct error *error) {
  const bool whole = table && !table->out_of_memory;
  size_t *memory = whole ? calloc(3 * table->columns, sizeof *memory) : NULL;
  const char **cells = whole ? calloc(table->columns, sizeof *cells) : NULL;
  const bool done = memory && cells;
  if (done) {
    const struct widths w = {memory, memory + table->columns, memory + 2 * table->columns};
    find_widths(table, width, &w);
    print_parts(table, &w, width, cells, out);
  }
  free(memory);
  free(cells);
  return done ? 0 : error_no_memory(error);
}

int table_print(const struct table *table, FILE *out, struct error *error) {
  return table_print_within(table, table_terminal_width(out), out, error);
}

void table_destroy(struct table *table) {
  if (!table)
    return;
  for (size_t i = 0; i < table->count; i++)
    free(table->cells[i]);
  free(table->cells);
  free(table->right);
  free(table);
}
