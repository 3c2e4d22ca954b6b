/* Reads measurements that are the records of a table: the "points" of a JSON board, or a table alone. */
#include "tuner/board/board_read.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/input/json.h"
#include "base/input/template.h"
#include "base/text.h"

static const char *const point_keys[] = {"file",     "value",  "spread", "name",  "description", "group",
                                         "workload", "launch", "groups", "terms", NULL};
#define LAUNCHES_MOST 1000000 /* the largest number of a launch */

static const char *const term_keys[] = {"workload", "launch", "groups", "weight", NULL};

/* The form of the launches of a record: texts are templates over the columns, numbers are expressions. NULL: not
 * stated. */
struct term_form {
  const char *workload, *groups, *weight;
  const char *launch_column; /* NULL: `launch` for all records */
  unsigned launch;
};

struct points_form {
  const char *value, *spread, *name, *description, *group;
  struct term_form *terms;
  size_t term_count;
  bool is_named_by_workload; /* used if `name` is NULL; otherwise by the line alone */
};

/* A record of a table, whose cells are the values of an expression's names. */
struct record {
  const struct csv_table *table;
  size_t at;
};

static int find_column(const void *user, const char *name, size_t *index, struct error *error) {
  return csv_table_column(((const struct record *)user)->table, name, index, error);
}

/* Returns the number in a cell. A cell that is not a number gives not-a-number, which an expression passes on to its
 * check. */
static double column_value(const void *user, size_t index) {
  const struct record *record = user;
  double value = 0;
  return csv_table_number(record->table, record->at, index, &value, NULL) == 0 ? value : (double)NAN;
}

/* ---- the form ---- */

static int optional_text(const json_t *object, const char *key, const char **out, const char *file,
                         struct error *error) {
  return !json_object_get(object, key) ? 0 : json_need_string(object, key, out, file, error);
}

/* A launch is a whole number, or the name of the column that has it. */
static int read_launch(const json_t *object, struct term_form *term, const char *file, struct error *error) {
  int64_t launch = 0;
  if (json_is_string(json_object_get(object, "launch")))
    return json_need_string(object, "launch", &term->launch_column, file, error);
  if (json_object_get(object, "launch") && json_need_int(object, "launch", 0, LAUNCHES_MOST, &launch, file, error) != 0)
    return -1;
  term->launch = (unsigned)launch;
  return 0;
}

static int read_term_form(const json_t *object, struct term_form *term, const char *file, struct error *error) {
  if (json_need_string(object, "workload", &term->workload, file, error) != 0 ||
      optional_text(object, "groups", &term->groups, file, error) != 0)
    return -1;
  if (json_is_number(json_object_get(object, "weight")))
    return error_at(error, ERROR_INPUT, file, 0, 0, "weight",
                    "found a number, expected an expression over the columns, as in \"1\" or \"K / 64\"");
  return optional_text(object, "weight", &term->weight, file, error) != 0 ? -1 : read_launch(object, term, file, error);
}

static int read_term_forms(const json_t *object, struct points_form *form, const char *file, struct error *error) {
  json_t *list = json_object_get(object, "terms");
  if (list && json_need_array(object, "terms", &list, file, error) != 0)
    return -1;
  form->term_count = list ? json_array_size(list) : 1;
  form->terms = calloc(form->term_count + 1, sizeof *form->terms);
  if (!form->terms)
    return error_no_memory(error);
  if (!list)
    return read_term_form(object, form->terms, file, error);
  for (size_t i = 0; i < form->term_count; i++) {
    const json_t *term = json_array_get(list, i);
    if (!json_is_object(term))
      return error_at(error, ERROR_INPUT, file, 0, 0, "terms", "found something else than an object");
    if (json_check_keys(term, term_keys, file, error) != 0 || read_term_form(term, &form->terms[i], file, error) != 0)
      return -1;
  }
  return form->term_count > 0 ? 0
                              : error_at(error, ERROR_INPUT, file, 0, 0, "terms", "found none, expected at least one");
}

static int read_form(const json_t *object, struct points_form *form, const char *file, struct error *error) {
  return json_check_keys(object, point_keys, file, error) != 0 ||
                 json_need_string(object, "value", &form->value, file, error) != 0 ||
                 optional_text(object, "spread", &form->spread, file, error) != 0 ||
                 optional_text(object, "name", &form->name, file, error) != 0 ||
                 optional_text(object, "description", &form->description, file, error) != 0 ||
                 optional_text(object, "group", &form->group, file, error) != 0 ||
                 read_term_forms(object, form, file, error) != 0
             ? -1
             : 0;
}

/* ---- records ---- */

/* Writes the text with the record's values in it. A text without expressions that is a column's name stands for its
 * cells. */
static int fill_text(const char *form, const struct record *record, char **out, struct error *error) {
  const struct expression_names names = {"a column", find_column, record};
  size_t column;
  if (!form)
    return 0;
  if (!template_is(form) && csv_table_column(record->table, form, &column, NULL) == 0)
    return board_copy(record->table->cells[record->at * record->table->columns + column], out, error);
  return template_text(form, &names, column_value, record, out, error);
}

static int fill_number(const char *form, const struct record *record, double minimum, double *out,
                       struct error *error) {
  const struct expression_names names = {"a column", find_column, record};
  struct expression *expression;
  size_t column;
  if (csv_table_column(record->table, form, &column, NULL) == 0) {
    if (csv_table_number(record->table, record->at, column, out, error) != 0)
      return -1;
  } else {
    if (expression_compile(form, EXPRESSION_SUM, &names, &expression, error) != 0)
      return -1;
    *out = expression_value(expression, column_value, record);
    expression_destroy(expression);
  }
  if (!(*out >= minimum && *out <= 1e18))
    return error_set(error, ERROR_INPUT, "%s is %.15g, allowed %.15g to 1e+18", form, *out, minimum);
  return 0;
}

static int fill_launch(const struct term_form *form, const struct record *record, unsigned *launch,
                       struct error *error) {
  double value = form->launch;
  if (form->launch_column && fill_number(form->launch_column, record, 0, &value, error) != 0)
    return -1;
  if (value > LAUNCHES_MOST || value != floor(value))
    return error_set(error, ERROR_INPUT, "%s is %.15g, expected a whole number up to %d", form->launch_column, value,
                     LAUNCHES_MOST);
  *launch = (unsigned)value;
  return 0;
}

static int fill_term(const struct term_form *form, const struct record *record, struct board_term *term,
                     struct error *error) {
  *term = (struct board_term){.weight = 1};
  if (fill_launch(form, record, &term->launch, error) != 0 ||
      fill_text(form->workload, record, &term->workload, error) != 0 ||
      fill_text(form->groups, record, &term->groups, error) != 0)
    return -1;
  return !form->weight ? 0 : fill_number(form->weight, record, -1e18, &term->weight, error);
}

static int fill_measurement(const struct points_form *form, const struct record *record, struct board_measurement *m,
                            struct error *error) {
  m->spread = -1;
  m->terms = calloc(form->term_count, sizeof *m->terms);
  if (!m->terms)
    return error_no_memory(error);
  for (size_t i = 0; i < form->term_count; i++) {
    m->term_count = i + 1;
    if (fill_term(&form->terms[i], record, &m->terms[i], error) != 0)
      return -1;
  }
  const unsigned line = csv_table_line(record->at);
  m->name = form->name                   ? NULL
            : form->is_named_by_workload ? text_format("%s (line %u)", m->terms[0].workload, line)
                                         : text_format("line %u", line);
  if (!form->name && !m->name)
    return error_no_memory(error);
  if (fill_number(form->value, record, 1e-9, &m->value, error) != 0 ||
      (form->spread && fill_number(form->spread, record, 0, &m->spread, error) != 0) ||
      fill_text(form->name, record, &m->name, error) != 0 ||
      fill_text(form->description, record, &m->description, error) != 0 ||
      fill_text(form->group, record, &m->group, error) != 0)
    return -1;
  return board_name_sum(m, error);
}

/* Adds the record's line in the table to an error. */
static int complain(const struct csv_table *table, size_t record, struct complaints *complaints, struct error *found) {
  if (found->kind == ERROR_INPUT && found->file[0] == '\0') {
    snprintf(found->file, sizeof found->file, "%s", table->path);
    found->line = csv_table_line(record);
  }
  return complaints_add(complaints, found);
}

/* Reads the measured time of every record, on which the choice is made. */
static int read_values(const struct csv_table *table, const struct points_form *form, double *values,
                       struct complaints *complaints) {
  for (size_t i = 0; i < table->records; i++) {
    struct error found = ERROR_INIT;
    fill_number(form->value, &(struct record){table, i}, 1e-9, &values[i], &found);
    if (complain(table, i, complaints, &found) != 0)
      return -1;
  }
  return 0;
}

static int fill_chosen(struct board *board, const struct csv_table *table, const struct points_form *form,
                       const size_t *indices, size_t count, struct complaints *complaints, struct error *error) {
  board->measurements = calloc(count + 1, sizeof *board->measurements);
  if (!board->measurements)
    return error_no_memory(error);
  for (size_t i = 0; i < count; i++) {
    struct error found = ERROR_INIT;
    board->count = i + 1;
    fill_measurement(form, &(struct record){table, indices[i]}, &board->measurements[i], &found);
    if (complain(table, indices[i], complaints, &found) != 0)
      return complaints_end(complaints, error);
  }
  return 0;
}

static int fill(struct board *board, const struct csv_table *table, const struct points_form *form,
                const struct board_split *split, struct complaints *complaints, struct error *error) {
  double *values = calloc(table->records + 1, sizeof *values);
  board->is_table = true;
  size_t *indices = NULL, count = 0;
  int status = values ? 0 : error_no_memory(error);
  if (status == 0 && table->records == 0)
    status = error_at(error, ERROR_INPUT, table->path, 0, 0, "", "found no rows, expected at least one");
  if (status == 0 && read_values(table, form, values, complaints) != 0)
    status = complaints_end(complaints, error);
  const bool whole = status == 0 && complaints->count == 0;
  if (whole)
    status = board_choose(board->choice, values, table->records, split, &indices, &count, error);
  if (whole && status == 0)
    status = fill_chosen(board, table, form, indices, count, complaints, error);
  free(values);
  free(indices);
  return status;
}

/* ---- public functions ---- */

/* Loads the table, whose path is relative to the board's file. */
static int load_table(const json_t *points, const char *board, struct csv_table *table, struct error *error) {
  const char *name, *slash = strrchr(board, '/');
  if (json_need_string(points, "file", &name, board, error) != 0)
    return -1;
  const int folder = slash && name[0] != '/' ? (int)(slash - board + 1) : 0;
  char *path = text_format("%.*s%s", folder, board, name);
  const int status = path ? csv_table_load(path, table, error) : error_no_memory(error);
  free(path);
  return status;
}

int board_read_points(const json_t *points, const struct board_split *split, struct board *board,
                      struct complaints *complaints, struct error *error) {
  struct csv_table table;
  struct points_form form = {0};
  if (load_table(points, board->path, &table, error) != 0)
    return -1;
  int status = read_form(points, &form, board->path, error);
  if (status == 0)
    status = fill(board, &table, &form, split, complaints, error);
  free(form.terms);
  csv_table_clear(&table);
  return status;
}

/* Finds the first column that a table alone may have its times in. "value" is a time in an unknown unit. */
static int find_unit(const struct csv_table *table, const char **unit, struct error *error) {
  static const char *const units[] = {"cycles", "ns", "us", "ms", "s", "value", NULL};
  size_t column;
  for (const char *const *u = units; *u; u++)
    if (csv_table_column(table, *u, &column, NULL) == 0) {
      *unit = *u;
      return 0;
    }
  return error_at(error, ERROR_INPUT, table->path, 1, 0, "",
                  "found no column of times, expected one of cycles, ns, us, ms, s, or value (unit unknown)");
}

static const char *optional_column(const struct csv_table *table, const char *name) {
  size_t column;
  return csv_table_column(table, name, &column, NULL) == 0 ? name : NULL;
}

static int read_alone(struct board *board, const struct csv_table *table, struct complaints *complaints,
                      struct error *error) {
  struct term_form term = {.workload = "workload", .groups = optional_column(table, "groups")};
  struct points_form form = {.terms = &term,
                             .term_count = 1,
                             .name = optional_column(table, "name"),
                             .is_named_by_workload = true,
                             .group = optional_column(table, "group"),
                             .spread = optional_column(table, "spread")};
  size_t column;
  if (csv_table_column(table, "workload", &column, error) != 0 || find_unit(table, &form.value, error) != 0)
    return -1;
  board->free_scale = strcmp(form.value, "value") == 0;
  if (board_copy(board->free_scale ? "cycles" : form.value, &board->unit, error) != 0)
    return -1;
  return fill(board, table, &form, &(struct board_split){.seed = 1}, complaints, error);
}

int board_read_table(struct board *board, struct complaints *complaints, struct error *error) {
  struct csv_table table;
  board->name = text_stem(board->path);
  if (!board->name)
    return error_no_memory(error);
  if (csv_table_load(board->path, &table, error) != 0)
    return -1;
  const int status = read_alone(board, &table, complaints, error);
  csv_table_clear(&table);
  return status;
}
