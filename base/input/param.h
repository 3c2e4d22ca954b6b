/* Tables of parameters.
 *
 * Purpose: key, field, type, unit, bounds, default and meaning of a parameter stand in one struct param. The YAML
 *          loader, range errors, the listing of `reassemble params`, the tuner's bounds and the sweep's axes all read
 *          it. The idea is that of fio (parse.h) and redis (config.c).
 * Shapes:  `spec` is a plain struct, and a parameter names a field of it by the offset. PARAM_INT is int64_t,
 *          PARAM_REAL double, PARAM_BOOL bool, PARAM_CHOICE int (an index into `choices`).
 * Ownership: origins[i] belongs to parameter i of the table. An array of origins starts zeroed (calloc) and may be NULL
 *          wherever it is taken. params_origins_clear frees the texts, not the array.
 * YAML:    a parameter is `key: 4`, or `key: {value: 4, source: "where the number comes from"}`. In a file that
 *          inherits another one (`base:`) it may also be `key: {scale: 0.7, source: ...}`, or shorter `key: x0.7`.
 *          Only a value that some file stated can be scaled, not a default. `interval: [low, high]` beside value or
 *          scale says how well the number is known; scaling scales an inherited interval. */
#ifndef BASE_PARAM_H
#define BASE_PARAM_H

#include <stdbool.h>
#include <stddef.h>

#include "base/input/conf.h"
#include "base/error.h"

enum param_type { PARAM_INT, PARAM_REAL, PARAM_BOOL, PARAM_CHOICE };

enum param_flags {
  PARAM_TUNABLE = 1,          /* a latency that the tuner may fit */
  PARAM_SWEEPABLE = 2,        /* an axis of a sweep may use it */
  PARAM_OPTION = 4,           /* belongs to a mechanism that is off by default: a description need not state it */
  PARAM_RETIMED = 8,          /* a recorded replay is timed with another value */
  PARAM_RETIMED_SAMPLED = 16, /* so is a recorded sampled launch */
};

struct param {
  const char *key;
  size_t offset;
  enum param_type type;
  const char *unit; /* "cycles", "bytes", "1" and so on */
  double minimum, maximum, default_value;
  const char *const *choices; /* PARAM_CHOICE: NULL-terminated names */
  unsigned flags;
  const char *meaning;                /* one line */
  const char *const *choice_meanings; /* PARAM_CHOICE: one line for each choice, NULL-terminated; NULL: none */
};

struct param_table {
  const char *subject; /* "GPU parameter", for messages */
  const struct param *list;
  size_t count;
};

/* The source of a value. */
struct param_origin {
  char *source; /* text of `source:`, "default", "no source given" or "x0.7 of 8 (<inherited source>)"; owned */
  char *file;   /* owned, NULL for defaults */
  unsigned line;
  bool has_interval;
  double low, high; /* the value lies between them with 95 % confidence; in its unit */
};

/* Returns the parameter with this key; NULL if there is none. */
const struct param *params_find(const struct param_table *table, const char *key);
/* Returns the parameter with this key; an unknown key is an error that names the nearest known one. */
const struct param *params_need(const struct param_table *table, const char *key, struct error *error);
/* Sets every parameter of `spec` to its default value, and also origins[i] of each parameter i unless `origins` is
 * NULL. Returns false when memory ran out for an origin. */
bool params_defaults(const struct param_table *table, void *spec, struct param_origin *origins);
/* Overrides `spec` with the keys of `map`. Unknown keys, wrong types and values out of range are errors with a place.
 * On failure `spec` may be partly changed. */
int params_load(const struct param_table *table, const struct conf_node *map, void *spec, struct param_origin *origins,
                struct error *error);
/* Sets one parameter from a number, for the tuner and sweeps. Checks the bounds, and that a whole number is whole. */
int params_set_number(const struct param *param, void *spec, double value, struct error *error);
double params_get_number(const struct param *param, const void *spec);
/* Returns whether the node is relative to another value: "x0.8". */
bool param_is_relative(const struct conf_node *node);
/* Returns the value rounded to 14 digits, so that 0.45 x 0.8 is 0.36 and not 0.36000000000000004. */
double param_round(double value);
/* Writes the value as YAML would take it. Returns `buffer`. */
const char *params_format(const struct param *param, const void *spec, char *buffer, size_t size);
/* Copies the origins `from` to those of another table of the same rows, `to`. Returns false when memory ran out. */
bool params_origins_copy(const struct param_table *table, struct param_origin *to, const struct param_origin *from);
void params_origins_clear(const struct param_table *table, struct param_origin *origins);

#endif
