#include "cli/core/view.h"

#include <assert.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "cli/core/command.h"
#include "cli/core/wrap.h"

/* ---- values as JSON ---- */

static json_t *number_json(double value) {
  return isfinite(value) ? json_real(value) : json_null();
}

/* A new reference, NULL: out of memory. */
static json_t *value_json(const struct view_value *value) {
  switch (value->kind) {
  case VIEW_ABSENT:
  case VIEW_NULL:
    return json_null();
  case VIEW_TEXT:
    return command_json_text(value->text);
  case VIEW_WHOLE:
    return json_integer(value->whole);
  case VIEW_REAL:
    return number_json(value->real[0]);
  case VIEW_TRUTH:
    return json_boolean(value->truth);
  case VIEW_PAIR:
    return json_pack("[o, o]", number_json(value->real[0]), number_json(value->real[1]));
  case VIEW_JSON:
    return value->json;
  }
  return NULL;
}

/* Returns the object `key` of `object`, which is created empty where it is missing. */
static json_t *inner_object(json_t *object, const char *key, size_t length) {
  json_t *inner = json_object_getn(object, key, length);
  if (json_is_object(inner))
    return inner;
  inner = json_object();
  return json_object_setn_new(object, key, length, inner) == 0 ? inner : NULL;
}

/* Takes over `value`. */
static void set_path(struct view *view, json_t *object, const char *key, json_t *value) {
  for (const char *dot; object && (dot = strchr(key, '.')); key = dot + 1)
    object = inner_object(object, key, (size_t)(dot - key));
  if (json_object_set_new(object, key, value) != 0)
    view->failed = true;
}

/* ---- values as text ---- */

enum { LONGEST_NUMBER = 20 /* characters; longer ones are shown with an exponent */ };

static void format_number(const char *format, double value, char *text, size_t size) {
  int length = 0;
  if (isfinite(value))
    length = snprintf(text, size, format, value);
  else
    snprintf(text, size, "n/a");
  if (length > LONGEST_NUMBER)
    snprintf(text, size, "%.3g", value);
}

/* "a, b" of an array of texts; nothing of other values. */
static void format_texts(const json_t *array, char *text, size_t size) {
  size_t used = 0;
  for (size_t i = 0; i < json_array_size(array) && used < size; i++) {
    const char *item = json_string_value(json_array_get(array, i));
    if (item)
      used += (size_t)snprintf(text + used, size - used, "%s%s", used > 0 ? ", " : "", item);
  }
}

void view_format(const struct view_column *column, const struct view_value *value, char *text, size_t size) {
  const double scale = column->scale != 0 ? column->scale : 1;
  const bool whole = !column->format || strcmp(column->format, "%d") == 0;
  char high[64];
  text[0] = '\0';
  switch (value->kind) {
  case VIEW_ABSENT:
    break;
  case VIEW_NULL:
    snprintf(text, size, "-");
    break;
  case VIEW_TEXT:
    snprintf(text, size, "%s", value->text);
    break;
  case VIEW_WHOLE:
    if (whole || column->scale == 0)
      snprintf(text, size, "%lld", (long long)value->whole);
    else
      format_number(column->format, scale * (double)value->whole, text, size);
    break;
  case VIEW_REAL:
    format_number(whole ? "%.15g" : column->format, scale * value->real[0], text, size);
    break;
  case VIEW_TRUTH:
    snprintf(text, size, "%s", value->truth ? "yes" : "no");
    break;
  case VIEW_PAIR:
    format_number(whole ? "%.4g" : column->format, scale * value->real[0], text, size);
    format_number(whole ? "%.4g" : column->format, scale * value->real[1], high, sizeof high);
    snprintf(text + strlen(text), size - strlen(text), "..%s", high);
    break;
  case VIEW_JSON:
    format_texts(value->json, text, size);
  }
}

/* ---- the document ---- */

void view_begin(struct view *view, bool json, FILE *out, const char *schema) {
  *view = (struct view){.out = out, .document = json ? json_object() : NULL};
  view->objects[0] = view->document;
  view->failed = json && !view->document;
  if (schema)
    view_member(view, "schema", view_text(schema));
}

int view_take(struct view *view, int status, json_t **out, struct error *error) {
  assert(view->depth == 0 || status != 0);
  *out = view->document;
  if (status == 0 && view->failed)
    status = error_no_memory(error);
  if (status == 0)
    return 0;
  json_decref(view->document);
  *out = NULL;
  return -1;
}

int view_end(struct view *view, int status, struct error *error) {
  json_t *document;
  if (view_take(view, status, &document, error) != 0)
    return -1;
  return document ? command_print_json(document, error) : 0;
}

void view_member(struct view *view, const char *key, struct view_value value) {
  if (view_is_json(view) && value.kind != VIEW_ABSENT)
    set_path(view, view->objects[view->depth], key, value_json(&value));
  else if (value.kind == VIEW_JSON)
    json_decref(value.json);
}

void view_object_begin(struct view *view, const char *key) {
  assert(view->depth + 1 < VIEW_DEPTH);
  if (view_is_json(view))
    view->objects[view->depth + 1] = inner_object(view->objects[view->depth], key, strlen(key));
  view->depth++;
}

void view_object_end(struct view *view) {
  assert(view->depth > 0);
  view->depth--;
}

void view_array(struct view *view, const char *key) {
  if (view_is_json(view) && !json_object_get(view->objects[view->depth], key))
    view_member(view, key, view_json(json_array()));
}

void view_element_begin(struct view *view, const char *key) {
  assert(view->depth + 1 < VIEW_DEPTH);
  view_array(view, key);
  if (view_is_json(view)) {
    json_t *object = json_object();
    if (json_array_append_new(json_object_get(view->objects[view->depth], key), object) != 0)
      view->failed = true;
    view->objects[view->depth + 1] = view->failed ? NULL : object;
  }
  view->depth++;
}

void view_say(struct view *view, const char *format, ...) {
  char *text = NULL;
  va_list arguments;
  if (view_is_json(view))
    return;
  va_start(arguments, format);
  if (vasprintf(&text, format, arguments) < 0)
    text = NULL;
  va_end(arguments);
  view->failed = view->failed || !text;
  for (const char *c = text; c && *c != '\0'; c++)
    putc(*c == '\n' ? '\n' : table_clean(*c), view->out);
  free(text);
}

void view_say_wrapped(struct view *view, const char *text) {
  enum { USUAL_WIDTH = 100 /* of lines that are not printed on a terminal */ };
  const size_t width = table_terminal_width(view->out);
  char *clean = text ? strdup(text) : NULL;
  view->failed = view->failed || !clean;
  for (char *c = clean; c && *c != '\0'; c++)
    *c = *c == '\n' ? '\n' : table_clean(*c);
  if (clean && !view_is_json(view))
    wrap_print(clean, width > 0 ? width : USUAL_WIDTH, view->out);
  free(clean);
}

void view_field(struct view *view, const struct view_field *field, struct view_value value) {
  const struct view_column column = {.format = field->format};
  char text[1024];
  if (field->key)
    view_member(view, field->key, value);
  if (view_is_json(view))
    return;
  view_format(&column, &value, text, sizeof text);
  const int digits = field->format ? atoi(field->format + 1) : 0; /* "%6.1f" */
  view_say(view, "%-*s%*s%s%s\n", field->width, field->label, digits, text, field->unit ? " " : "",
           field->unit ? field->unit : "");
}

/* ---- lists ---- */

static struct table *table_of(const struct view_column *columns, size_t count) {
  struct table_column shown[VIEW_MOST_COLUMNS];
  size_t used = 0;
  for (int last = 0; last < 2; last++)
    for (size_t i = 0; i < count; i++)
      if (columns[i].title && columns[i].last == last)
        shown[used++] = (struct table_column){columns[i].title, columns[i].format != NULL};
  return used > 0 ? table_create(shown, used) : NULL;
}

void view_list_begin(struct view *view, const char *key, const struct view_column *columns, size_t count,
                     struct view_list *list) {
  assert(count <= VIEW_MOST_COLUMNS);
  *list = (struct view_list){.view = view, .columns = columns, .count = count};
  if (!view_is_json(view)) {
    list->table = table_of(columns, count);
  } else if (key) {
    list->rows = json_array();
    view_member(view, key, view_json(list->rows));
  }
}

void view_items_begin(struct view *view, const struct view_column *columns, size_t count, struct view_list *list) {
  *list = (struct view_list){
      .view = view, .columns = columns, .count = count, .rows = view_is_json(view) ? json_array() : NULL};
}

struct view_value view_items_end(struct view_list *list) {
  return list->rows ? view_json(list->rows) : view_absent();
}

void view_map_begin(struct view *view, const char *key, const struct view_column *columns, size_t count,
                    struct view_list *map) {
  view_list_begin(view, NULL, columns, count, map);
  if (view_is_json(view))
    map->rows = inner_object(view->objects[view->depth], key, strlen(key));
}

/* A new reference, NULL: out of memory. */
static json_t *object_of(const struct view_list *list, const struct view_value *values) {
  json_t *object = json_object();
  for (size_t i = 0; i < list->count; i++)
    if (list->columns[i].key && values[i].kind != VIEW_ABSENT)
      set_path(list->view, object, list->columns[i].key, value_json(&values[i]));
    else if (values[i].kind == VIEW_JSON)
      json_decref(values[i].json);
  return object;
}

void view_row_member(struct view *view, const char *key, const struct view_column *columns,
                     const struct view_value *values, size_t count) {
  const struct view_list row = {.view = view, .columns = columns, .count = count};
  if (view_is_json(view))
    view_member(view, key, view_json(object_of(&row, values)));
}

static void add_cells(struct view_list *list, const struct view_value *values) {
  char text[2048];
  for (int last = 0; last < 2; last++)
    for (size_t i = 0; i < list->count; i++)
      if (list->columns[i].title && list->columns[i].last == last) {
        view_format(&list->columns[i], &values[i], text, sizeof text);
        table_add(list->table, "%s", text);
      }
}

void view_row(struct view_list *list, const struct view_value *values, size_t count) {
  assert(count == list->count);
  if (list->rows) {
    if (json_array_append_new(list->rows, object_of(list, values)) != 0)
      list->view->failed = true;
    return;
  }
  if (list->table && (list->shown == 0 || list->length < list->shown))
    add_cells(list, values);
  list->length++;
  for (size_t i = 0; i < count; i++)
    if (values[i].kind == VIEW_JSON)
      json_decref(values[i].json);
}

void view_map_row(struct view_list *map, const char *name, const struct view_value *values, size_t count) {
  if (!map->rows && values)
    view_row(map, values, count);
  else if (map->rows && name &&
           json_object_set_new(map->rows, name, values ? object_of(map, values) : json_null()) != 0)
    map->view->failed = true;
}

void view_list_drop(struct view_list *list) {
  table_destroy(list->table);
  list->table = NULL;
}

void view_list_end(struct view_list *list) {
  if (!list->table)
    return;
  if (table_print(list->table, list->view->out, NULL) != 0)
    list->view->failed = true;
  view_list_drop(list);
  if (list->things && list->length > list->shown)
    view_say(list->view, "and %zu %s more (--json has all)\n", list->length - list->shown, list->things);
}
