/* Parameter tables: one row a parameter.
 *
 * Purpose: key, field, type, unit, bounds, default, meaning of every parameter stand in one row. The YAML loader, range
 *          errors, the `params` listing, the tuner's bounds and the sweep's axes all read that row.
 *          (Idea: axboe/fio parse.h; redis config.c.)
 * Shapes: `spec` is a plain struct; a row names a field by its offset. PARAM_INT is int64_t, PARAM_REAL double,
 *         PARAM_BOOL bool, PARAM_CHOICE int (index into `choices`).
 * Ownership: origins[i] belongs to row i; an array of origins starts zeroed (calloc) and may be NULL wherever it is
 * taken; params_origins_clear frees the texts, not the array. YAML: a parameter is `key: 4`, or `key: {value: 4,
 * source: "where the number comes from"}`, or, where the file inherits (`base:`), `key: {scale: 0.7, source: …}`,
 * written x0.7 in short: `key: x0.7`. A value can be scaled only when an origin says that it was stated, not a default.
 * `interval: [low, high]` beside value or scale says how well the number is known; scaling scales an inherited one.
 */
#ifndef BASE_PARAM_H
#define BASE_PARAM_H

#include <stdbool.h>
#include <stddef.h>

#include "base/conf.h"
#include "base/error.h"

enum param_type { PARAM_INT, PARAM_REAL, PARAM_BOOL, PARAM_CHOICE };

enum param_flags {
  PARAM_TUNABLE = 1,   /* a latency that the tuner may fit */
  PARAM_SWEEPABLE = 2, /* an axis of a sweep may use it */
  PARAM_OPTION = 4,    /* belongs to a mechanism that is off by default: a description need not state it */
};

struct param_row {
  const char *key;
  size_t offset;
  enum param_type type;
  const char *unit; /* "cycles", "bytes", "1" … */
  double minimum, maximum, default_value;
  const char *const *choices; /* PARAM_CHOICE: NULL-terminated names */
  unsigned flags;
  const char *meaning;                /* one line */
  const char *const *choice_meanings; /* PARAM_CHOICE: one line for each choice, NULL-terminated; NULL: none */
};

struct param_table {
  const char *subject; /* "GPU parameter", for messages */
  const struct param_row *rows;
  size_t count;
};

/* Where a value came from. */
struct param_origin {
  char *source; /* text of `source:`, "default", "no source given" or "x0.7 of 8 (<inherited source>)"; owned */
  char *file;   /* owned, NULL for defaults */
  unsigned line;
  bool has_interval;
  double low, high; /* where the value lies with 95 % confidence, in its unit */
};

const struct param_row *params_find(const struct param_table *table, const char *key);
/* The same; an unknown key is an error with did-you-mean. */
const struct param_row *params_need(const struct param_table *table, const char *key, struct error *error);
void params_defaults(const struct param_table *table, void *spec, struct param_origin *origins);
/* Overrides `spec` with the keys of `map`; unknown keys, types and ranges are errors with place and did-you-mean.
 * On failure `spec` may be partly changed. */
int params_load(const struct param_table *table, const struct conf_node *map, void *spec, struct param_origin *origins,
                struct error *error);
/* One parameter from a number, for tuner and sweep; checks the bounds (and that an integer is one). */
int params_set_number(const struct param_row *row, void *spec, double value, struct error *error);
double params_get_number(const struct param_row *row, const void *spec);
/* The value as text, as YAML would take it. Returns `buffer`. */
const char *params_format(const struct param_row *row, const void *spec, char *buffer, size_t size);
void params_origins_copy(const struct param_table *table, struct param_origin *to, const struct param_origin *from);
void params_origins_clear(const struct param_table *table, struct param_origin *origins);

#endif
