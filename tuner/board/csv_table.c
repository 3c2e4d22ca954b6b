#include "tuner/board/csv_table.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <zstd.h>

#include "base/array.h"
#include "base/file.h"
#include "base/text.h"

static const size_t most_bytes = (size_t)256 << 20;

/* ---- the file ---- */

static int inflate_frame(const char *path, const char *data, size_t length, char **out, struct error *error) {
  const unsigned long long size = ZSTD_getFrameContentSize(data, length);
  if (size == ZSTD_CONTENTSIZE_ERROR || size == ZSTD_CONTENTSIZE_UNKNOWN)
    return error_at(error, ERROR_INPUT, path, 0, 0, "",
                    "found no zstd frame that states its size; expected the output of `zstd FILE.csv`");
  if (size > most_bytes)
    return error_at(error, ERROR_INPUT, path, 0, 0, "", "found %llu bytes, expected at most %zu", size, most_bytes);
  *out = malloc((size_t)size + 1);
  if (!*out)
    return error_no_memory(error);
  const size_t got = ZSTD_decompress(*out, (size_t)size, data, length);
  if (ZSTD_isError(got))
    return error_at(error, ERROR_INPUT, path, 0, 0, "", "cannot be decompressed: %s", ZSTD_getErrorName(got));
  (*out)[got] = '\0';
  return 0;
}

static bool is_compressed(const char *path) {
  const size_t length = strlen(path);
  return length > 4 && strcmp(path + length - 4, ".zst") == 0;
}

static int read_text(const char *path, char **out, struct error *error) {
  char *data;
  size_t length;
  if (file_read(path, most_bytes, &data, &length, error) != 0)
    return -1;
  if (!is_compressed(path)) {
    *out = data;
    return 0;
  }
  const int status = inflate_frame(path, data, length, out, error);
  free(data);
  return status;
}

/* ---- cells ---- */

struct cursor {
  char *at;
};

/* Ends the quoted cell at `c->at` with a NUL and moves behind its closing quote. Returns the cell, or NULL if the line
 * ends first. */
static char *take_quoted(struct cursor *c) {
  char *from = ++c->at, *to = from;
  for (; *c->at != '\0' && *c->at != '\n'; *to++ = *c->at++)
    if (*c->at == '"' && *++c->at != '"') {
      *to = '\0';
      return from;
    }
  return NULL;
}

static char *take_plain(struct cursor *c) {
  char *from = c->at;
  c->at += strcspn(from, ",\r\n");
  return from;
}

/* Takes the next cell; *last becomes whether it ends its line. Returns NULL if a quote is not closed, or text follows
 * it. */
static char *take_cell(struct cursor *c, bool *last) {
  char *cell = *c->at == '"' ? take_quoted(c) : take_plain(c), *end = c->at;
  if (!cell)
    return NULL;
  c->at += *c->at == '\r';
  if (*c->at != ',' && *c->at != '\n' && *c->at != '\0')
    return NULL;
  *last = *c->at != ',';
  c->at += *c->at != '\0';
  *end = '\0';
  return cell;
}

static int bad_quote(const struct csv_table *table, unsigned line, struct error *error) {
  return error_at(error, ERROR_INPUT, table->path, line, 0, "", "found a quote that is not closed at the cell's end");
}

static int read_names(struct csv_table *table, struct cursor *c, struct error *error) {
  for (bool last = false; !last; table->columns++) {
    if (table->columns == CSV_MOST_COLUMNS)
      return error_at(error, ERROR_INPUT, table->path, 1, 0, "", "found more than %d columns", CSV_MOST_COLUMNS);
    const char *name = take_cell(c, &last);
    if (!name)
      return bad_quote(table, 1, error);
    for (size_t i = 0; i < table->columns; i++)
      if (strcmp(table->names[i], name) == 0)
        return error_at(error, ERROR_INPUT, table->path, 1, 0, "", "found the column \"%.60s\" a second time", name);
    table->names[table->columns] = name;
  }
  return 0;
}

static int read_record(struct csv_table *table, struct cursor *c, struct error *error) {
  const unsigned line = csv_table_line(table->records);
  size_t count = 0;
  for (bool last = false; !last; count++) {
    const char *cell = take_cell(c, &last);
    if (!cell)
      return bad_quote(table, line, error);
    if (count < table->columns)
      table->cells[table->records * table->columns + count] = cell;
  }
  if (count != table->columns)
    return error_at(error, ERROR_INPUT, table->path, line, 0, "", "found %zu cells, expected %zu, as in the first line",
                    count, table->columns);
  table->records++;
  return 0;
}

static int read_records(struct csv_table *table, struct error *error) {
  struct cursor c = {.at = table->memory};
  size_t capacity = 0;
  if (*c.at == '\0')
    return error_at(error, ERROR_INPUT, table->path, 0, 0, "", "found an empty file, expected names of columns");
  if (read_names(table, &c, error) != 0)
    return -1;
  while (*c.at != '\0') {
    if (!array_room(&table->cells, &capacity, (table->records + 1) * table->columns, sizeof *table->cells))
      return error_no_memory(error);
    if (read_record(table, &c, error) != 0)
      return -1;
  }
  return 0;
}

int csv_table_load(const char *path, struct csv_table *table, struct error *error) {
  *table = (struct csv_table){.path = strdup(path)};
  int status = table->path ? read_text(path, &table->memory, error) : error_no_memory(error);
  if (status == 0)
    status = read_records(table, error);
  if (status != 0)
    csv_table_clear(table);
  return status;
}

void csv_table_clear(struct csv_table *table) {
  free(table->path);
  free(table->memory);
  free(table->cells);
  *table = (struct csv_table){0};
}

/* ---- public functions ---- */

int csv_table_column(const struct csv_table *table, const char *name, size_t *column, struct error *error) {
  for (*column = 0; *column < table->columns; ++*column)
    if (strcmp(table->names[*column], name) == 0)
      return 0;
  return error_set(
      error, ERROR_INPUT,
      "\"%.60s\" is not a column of %.300s, which begins with \"%.60s\"%s; docs/recipes/add-a-board.md shows such "
      "tables",
      name, table->path, table->columns > 0 ? table->names[0] : "", text_hint(name, table->names, "").text);
}

int csv_table_number(const struct csv_table *table, size_t record, size_t column, double *out, struct error *error) {
  const char *cell = table->cells[record * table->columns + column];
  char *end;
  *out = strtod(cell, &end);
  if (end == cell || *end != '\0' || !isfinite(*out))
    return error_at(error, ERROR_INPUT, table->path, csv_table_line(record), 0, table->names[column],
                    "found \"%.60s\", expected a number", cell);
  return 0;
}

unsigned csv_table_line(size_t record) {
  return (unsigned)record + 2;
}
