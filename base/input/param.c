#include "base/input/param.h"

#include "base/text.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static void *field_of(const struct param *param, void *spec) {
  return (char *)spec + param->offset;
}

static const void *const_field_of(const struct param *param, const void *spec) {
  return (const char *)spec + param->offset;
}

static int choice_count(const struct param *param) {
  int n = 0;
  while (param->choices[n])
    n++;
  return n;
}

static void store(const struct param *param, void *spec, double value) {
  void *field = field_of(param, spec);
  switch (param->type) {
  case PARAM_INT:
    *(int64_t *)field = (int64_t)value;
    break;
  case PARAM_REAL:
    *(double *)field = value;
    break;
  case PARAM_BOOL:
    *(bool *)field = value != 0;
    break;
  case PARAM_CHOICE:
    *(int *)field = (int)value;
    break;
  }
}

double params_get_number(const struct param *param, const void *spec) {
  const void *field = const_field_of(param, spec);
  switch (param->type) {
  case PARAM_INT:
    return (double)*(const int64_t *)field;
  case PARAM_REAL:
    return *(const double *)field;
  case PARAM_BOOL:
    return *(const bool *)field ? 1 : 0;
  case PARAM_CHOICE:
    return *(const int *)field;
  }
  return 0;
}

const char *params_format(const struct param *param, const void *spec, char *buffer, size_t size) {
  const void *field = const_field_of(param, spec);
  switch (param->type) {
  case PARAM_INT:
    snprintf(buffer, size, "%lld", (long long)*(const int64_t *)field);
    break;
  case PARAM_REAL: /* the fewest digits that give the same number again */
    for (int digits = 15; digits <= 17; digits++) {
      snprintf(buffer, size, "%.*g", digits, *(const double *)field);
      if (strtod(buffer, NULL) == *(const double *)field)
        break;
    }
    break;
  case PARAM_BOOL:
    snprintf(buffer, size, "%s", *(const bool *)field ? "true" : "false");
    break;
  case PARAM_CHOICE:
    snprintf(buffer, size, "%s", param->choices[*(const int *)field]);
    break;
  }
  return buffer;
}

const struct param *params_find(const struct param_table *table, const char *key) {
  for (size_t i = 0; i < table->count; i++)
    if (strcmp(table->list[i].key, key) == 0)
      return &table->list[i];
  return NULL;
}

static void origin_clear(struct param_origin *origin) {
  free(origin->source);
  free(origin->file);
  *origin = (struct param_origin){0};
}

/* Sets an origin and takes ownership of `source`. Returns false when memory ran out; so does a `source` of NULL. */
static bool origin_set(struct param_origin *origin, char *source, const char *file, unsigned line) {
  char *own_file = file ? strdup(file) : NULL;
  origin_clear(origin);
  *origin = (struct param_origin){.source = source, .file = own_file, .line = line};
  return source && (own_file || !file);
}

static void origin_set_interval(struct param_origin *origin, const struct param_origin *from) {
  origin->has_interval = from->has_interval;
  origin->low = from->low;
  origin->high = from->high;
}

bool params_defaults(const struct param_table *table, void *spec, struct param_origin *origins) {
  bool good = true;
  for (size_t i = 0; i < table->count; i++) {
    store(&table->list[i], spec, table->list[i].default_value);
    if (origins)
      good = origin_set(&origins[i], strdup("default"), NULL, 0) && good;
  }
  return good;
}

bool params_origins_copy(const struct param_table *table, struct param_origin *to, const struct param_origin *from) {
  bool good = true;
  for (size_t i = 0; i < table->count; i++) {
    good = origin_set(&to[i], from[i].source ? strdup(from[i].source) : NULL, from[i].file, from[i].line) && good;
    origin_set_interval(&to[i], &from[i]);
  }
  return good;
}

void params_origins_clear(const struct param_table *table, struct param_origin *origins) {
  for (size_t i = 0; origins && i < table->count; i++)
    origin_clear(&origins[i]);
}

/* Returns whether the value is whole apart from the rounding of a scale: 20 x 0.7 counts as 14. */
static bool is_whole(double value) {
  return fabs(value - rint(value)) <= 1e-9 * fmax(1, fabs(value));
}

int params_set_number(const struct param *param, void *spec, double value, struct error *error) {
  double minimum = param->minimum, maximum = param->maximum;
  if (param->type == PARAM_BOOL) {
    minimum = 0;
    maximum = 1;
  } else if (param->type == PARAM_CHOICE) {
    minimum = 0;
    maximum = choice_count(param) - 1;
  }
  bool whole = param->type != PARAM_REAL;
  if (whole && isfinite(value) && is_whole(value))
    value = rint(value);
  if (!(value >= minimum && value <= maximum))
    return error_at(error, ERROR_INPUT, NULL, 0, 0, param->key, "found %.15g, allowed %.15g to %.15g", value, minimum,
                    maximum);
  if (whole && value != rint(value))
    return error_at(error, ERROR_INPUT, NULL, 0, 0, param->key, "found %.15g, expected a whole number", value);
  store(param, spec, value);
  return 0;
}

static int load_value(const struct param *param, const struct conf_node *node, void *spec, struct error *error) {
  void *field = field_of(param, spec);
  switch (param->type) {
  case PARAM_INT:
    return conf_int(node, (int64_t)param->minimum, (int64_t)param->maximum, field, error);
  case PARAM_REAL:
    return conf_real(node, param->minimum, param->maximum, field, error);
  case PARAM_BOOL:
    return conf_bool(node, field, error);
  case PARAM_CHOICE:
    return conf_choice(node, param->choices, field, error);
  }
  return -1;
}

/* Returns a copy of the node with the parameter's key, so that errors of `key: {value: ...}` name the parameter. */
static struct conf_node named(const struct conf_node *node, const char *key) {
  struct conf_node copy = *node;
  copy.key = key;
  return copy;
}

bool param_is_relative(const struct conf_node *node) {
  if (node->kind != CONF_SCALAR || node->quoted || node->text[0] != 'x')
    return false;
  return (node->text[1] >= '0' && node->text[1] <= '9') || node->text[1] == '.';
}

double param_round(double value) {
  char text[64];
  snprintf(text, sizeof text, "%.14g", value);
  return strtod(text, NULL);
}

static int load_scale(const struct param *param, const struct conf_node *node, void *spec,
                      const struct param_origin *origin, double *scale, struct error *error) {
  static const double largest = 1e6; /* bounds the product; designs do not differ by more */
  if (param->type != PARAM_INT && param->type != PARAM_REAL)
    return conf_error(node, error, "found a scale, but only numbers can be scaled");
  if (origin && !origin->file)
    return conf_error(node, error, "found a scale, but `base:` states no value that it could scale; state a value");
  if (conf_real(node, 0, largest, scale, error) != 0)
    return -1;
  struct error reason = ERROR_INIT;
  double value = param_round(params_get_number(param, spec) * *scale);
  if (params_set_number(param, spec, value, &reason) != 0)
    return conf_error(node, error, "x%.15g of the inherited value: %s", *scale, reason.text);
  return 0;
}

/* Reads the list [low, high] into *stated. */
static int load_interval(const struct param *param, const struct conf_node *node, struct param_origin *stated,
                         struct error *error) {
  if (param->type != PARAM_INT && param->type != PARAM_REAL)
    return conf_error(node, error, "found an interval, but only numbers have one");
  if (conf_expect(node, CONF_LIST, error) != 0)
    return -1;
  if (node->count != 2)
    return conf_error(node, error, "found %zu values, expected two: [low, high]", node->count);
  if (conf_real(node->items[0], param->minimum, param->maximum, &stated->low, error) != 0 ||
      conf_real(node->items[1], param->minimum, param->maximum, &stated->high, error) != 0)
    return -1;
  if (!(stated->low <= stated->high))
    return conf_error(node, error, "runs from %.15g to %.15g, expected the smaller one first", stated->low,
                      stated->high);
  stated->has_interval = true;
  return 0;
}

/* Loads one parameter in any of its forms. Sets *scale, *source and the interval of *stated only if the form has
 * them. */
static int load_forms(const struct param *param, const struct conf_node *node, void *spec,
                      const struct param_origin *origin, double *scale, const char **source,
                      struct param_origin *stated, struct error *error) {
  static const char *const keys[] = {"value", "scale", "interval", "source", NULL};
  if (param_is_relative(node)) {
    struct conf_node number = *node;
    number.text++;
    return load_scale(param, &number, spec, origin, scale, error);
  }
  if (node->kind != CONF_MAP)
    return load_value(param, node, spec, error);
  if (conf_check_keys(node, keys, error) != 0)
    return -1;
  const struct conf_node *value = conf_get(node, "value"), *factor = conf_get(node, "scale");
  const struct conf_node *text = conf_get(node, "source");
  if ((!value) == (!factor))
    return conf_error(node, error, "found %s, expected one of value: and scale:", value ? "both" : "neither");
  if (text && conf_string(text, source, error) != 0)
    return -1;
  const struct conf_node *interval = conf_get(node, "interval");
  if (interval && load_interval(param, interval, stated, error) != 0)
    return -1;
  struct conf_node number = named(value ? value : factor, param->key);
  return value ? load_value(param, &number, spec, error) : load_scale(param, &number, spec, origin, scale, error);
}

/* Returns the inherited interval times the factor, within the parameter's bounds. */
static struct param_origin scaled_interval(const struct param *param, const struct param_origin *origin, double scale) {
  return (struct param_origin){.has_interval = origin->has_interval,
                               .low = fmax(param->minimum, fmin(param->maximum, param_round(scale * origin->low))),
                               .high = fmax(param->minimum, fmin(param->maximum, param_round(scale * origin->high)))};
}

static int load_parameter(const struct param *param, const struct conf_node *node, void *spec,
                          struct param_origin *origin, struct error *error) {
  double scale = 0;
  const char *source = NULL;
  struct param_origin interval = {0};
  char before[64];
  params_format(param, spec, before, sizeof before);
  bool scaled = param_is_relative(node) || conf_get(node, "scale");
  if (load_forms(param, node, spec, origin, &scale, &source, &interval, error) != 0)
    return -1;
  if (!origin)
    return 0;
  const char *stated = source ? source : scaled && origin->source ? origin->source : "no source given";
  if (scaled && !interval.has_interval)
    interval = scaled_interval(param, origin, scale);
  char *text = scaled ? text_format("x%.15g of %s (%s)", scale, before, stated) : strdup(stated);
  const bool good = origin_set(origin, text, node->file, node->line);
  origin_set_interval(origin, &interval);
  return good ? 0 : error_no_memory(error);
}

/* Sets the error for a key that no parameter has. `node` is its place, or NULL. */
static void unknown_key(const struct param_table *table, const char *key, const struct conf_node *node,
                        struct error *error) {
  const char **keys = calloc(table->count + 1, sizeof *keys);
  if (!keys) {
    error_no_memory(error);
    return;
  }
  for (size_t i = 0; i < table->count; i++)
    keys[i] = table->list[i].key;
  error_at(error, ERROR_INPUT, node ? node->file : "", node ? node->key_line : 0, node ? node->key_column : 0, key,
           "unknown %s%s", table->subject, text_hint(key, keys, "; `reassemble params` lists all").text);
  free(keys);
}

const struct param *params_need(const struct param_table *table, const char *key, struct error *error) {
  const struct param *param = params_find(table, key);
  if (!param)
    unknown_key(table, key, NULL, error);
  return param;
}

int params_load(const struct param_table *table, const struct conf_node *map, void *spec, struct param_origin *origins,
                struct error *error) {
  if (conf_expect(map, CONF_MAP, error) != 0)
    return -1;
  for (size_t i = 0; i < map->count; i++) {
    const struct conf_node *node = map->items[i];
    const struct param *param = params_find(table, node->key);
    if (!param) {
      unknown_key(table, node->key, node, error);
      return -1;
    }
    struct param_origin *origin = origins ? &origins[param - table->list] : NULL;
    if (load_parameter(param, node, spec, origin, error) != 0)
      return -1;
  }
  return 0;
}
