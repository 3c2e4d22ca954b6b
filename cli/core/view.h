/* A command's result, described once and shown in one of two ways: as text for people, or as one JSON document.
 *
 *   struct view view;
 *   view_begin(&view, options->json, stdout, "reassemble.rank/1");
 *   view_member(&view, "gpu", view_text(gpu->name));          // JSON alone
 *   view_say(&view, "Variants on %s\n", gpu->name);           // text alone
 *   view_list_begin(&view, "variants", columns, COLUMNS, &list);
 *   VIEW_ROW(&list, view_text(name), view_real(cycles));      // a row of the table, an object of the array
 *   view_list_end(&list);
 *   return view_end(&view, status, error);
 *
 * Keys: "l1.misses" is the member "misses" of the object "l1". Members keep the order in which they were first named.
 * Text appears at once, JSON when the view ends and `status` is 0. Bytes that JSON cannot hold become "?", control
 * characters in text too.
 *
 * Ownership: texts are copied; a value of kind VIEW_JSON gives up its reference. view_end releases everything.
 * Errors:    running out of memory is remembered and reported by view_end.
 * Threads:   one per view. */
#ifndef CLI_VIEW_H
#define CLI_VIEW_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <jansson.h>

#include "base/error.h"
#include "cli/core/table.h"

enum view_kind {
  VIEW_ABSENT, /* no member, an empty cell */
  VIEW_NULL,   /* null, "-" */
  VIEW_TEXT,
  VIEW_WHOLE,
  VIEW_REAL, /* not finite: null, "n/a" */
  VIEW_TRUTH,
  VIEW_PAIR, /* [low, high], "low..high" */
  VIEW_JSON, /* anything; the text shows an array of texts with commas, and nothing of other values */
};

struct view_value {
  enum view_kind kind;
  union {
    const char *text;
    int64_t whole;
    double real[2];
    bool truth;
    json_t *json;
  };
};

static inline struct view_value view_absent(void) {
  return (struct view_value){.kind = VIEW_ABSENT};
}
static inline struct view_value view_null(void) {
  return (struct view_value){.kind = VIEW_NULL};
}
/* NULL is null. */
static inline struct view_value view_text(const char *text) {
  return (struct view_value){.kind = text ? VIEW_TEXT : VIEW_NULL, .text = text};
}
static inline struct view_value view_whole(uint64_t whole) {
  return (struct view_value){.kind = VIEW_WHOLE, .whole = (int64_t)whole};
}
static inline struct view_value view_real(double real) {
  return (struct view_value){.kind = VIEW_REAL, .real = {real}};
}
static inline struct view_value view_truth(bool truth) {
  return (struct view_value){.kind = VIEW_TRUTH, .truth = truth};
}
static inline struct view_value view_pair(double low, double high) {
  return (struct view_value){.kind = VIEW_PAIR, .real = {low, high}};
}
static inline struct view_value view_json(json_t *json) {
  return (struct view_value){.kind = VIEW_JSON, .json = json};
}

/* A datum of a row. Where `format` is given, cells stand to the right. It formats numbers: for printf and a double
 * ("%.1f"), or "%d" for whole numbers, which are shown as they are unless they are scaled. */
struct view_column {
  const char *key;    /* NULL: in the table alone */
  const char *title;  /* with the unit: "busy %", "waited, cycles"; NULL: in JSON alone */
  const char *format; /* NULL: text */
  double scale;       /* of numbers in the table; 0 is 1 */
  bool last;          /* the table has it behind all others */
};

enum { VIEW_DEPTH = 8, VIEW_MOST_COLUMNS = 64 };

struct view {
  FILE *out;
  json_t *document;            /* NULL: text */
  json_t *objects[VIEW_DEPTH]; /* the open ones, the document first */
  size_t depth;
  bool failed;
};

struct view_list {
  struct view *view;
  const struct view_column *columns;
  size_t count;
  json_t *rows;        /* JSON: an array; of a map an object */
  struct table *table; /* text */
  size_t length;       /* rows so far */
  size_t shown;        /* rows of the table at most; 0: all */
  const char *things;  /* what the rows are, for "and 5 lines more"; NULL: nothing is said */
};

void view_begin(struct view *view, bool json, FILE *out, const char *schema);
/* Prints the document of JSON, if `status` is 0. Returns 0 if it is and nothing failed, else -1. */
int view_end(struct view *view, int status, struct error *error);
/* Gives the document to the caller instead of printing it; *out is NULL for text. */
int view_take(struct view *view, int status, json_t **out, struct error *error);

static inline bool view_is_json(const struct view *view) {
  return view->document != NULL;
}

/* JSON alone. A member that is named again gets the new value and keeps its place. */
void view_member(struct view *view, const char *key, struct view_value value);
/* The members until view_object_end are those of the object `key`; text goes on as before. */
void view_object_begin(struct view *view, const char *key);
void view_object_end(struct view *view);

/* The same for a new object at the end of the array `key`. */
void view_element_begin(struct view *view, const char *key);
/* The array `key`, which stays empty unless elements follow. */
void view_array(struct view *view, const char *key);

/* Text alone. */
void view_say(struct view *view, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Prints whole lines within the width of the terminal, or of 100 characters; NULL: memory has run out. */
void view_say_wrapped(struct view *view, const char *text);

/* A member, and a line "label   value unit" with the value behind `width` columns. `key` NULL: text alone. */
struct view_field {
  const char *key, *label, *format, *unit;
  int width;
};
void view_field(struct view *view, const struct view_field *field, struct view_value value);

/* A list: an array of objects, a table. `key` NULL: text alone. */
void view_list_begin(struct view *view, const char *key, const struct view_column *columns, size_t count,
                     struct view_list *list);
/* One value per column. */
void view_row(struct view_list *list, const struct view_value *values, size_t count);
#define VIEW_ROW(list, ...)                                                                                            \
  view_row(list, (const struct view_value[]){__VA_ARGS__},                                                             \
           sizeof((const struct view_value[]){__VA_ARGS__}) / sizeof(struct view_value))
void view_list_end(struct view_list *list);
/* Ends a list without printing its table, because the work that gives its rows failed. */
void view_list_drop(struct view_list *list);

/* A list whose rows are members of the object `key`, each with a name. */
void view_map_begin(struct view *view, const char *key, const struct view_column *columns, size_t count,
                    struct view_list *map);
/* `name` NULL: in the table alone. `values` NULL: null in JSON, no row in the table. */
void view_map_row(struct view_list *map, const char *name, const struct view_value *values, size_t count);

/* A member that is one row, for JSON alone. */
void view_row_member(struct view *view, const char *key, const struct view_column *columns,
                     const struct view_value *values, size_t count);

/* A list within a row, for JSON alone: items are rows, and the list is a value. */
void view_items_begin(struct view *view, const struct view_column *columns, size_t count, struct view_list *list);
struct view_value view_items_end(struct view_list *list);

/* The text of a value in a table, cut to `size`. */
void view_format(const struct view_column *column, const struct view_value *value, char *text, size_t size);

#endif
