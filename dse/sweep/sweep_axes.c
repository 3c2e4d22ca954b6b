/* Reads axes of a sweep: lists and ranges of values, of one parameter or of several that move together. */
#include "dse/sweep/sweep_read.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

/* The values of one parameter of an axis. */
struct column {
  size_t count;
  double *values;
  bool *relative;
  char **labels; /* "cores=12", as the user wrote it */
};

static void column_clear(struct column *column) {
  for (size_t i = 0; column->labels && i < column->count; i++)
    free(column->labels[i]);
  free(column->labels);
  free(column->relative);
  free(column->values);
  *column = (struct column){0};
}

static int column_make(struct column *column, size_t count, const struct conf_node *node, struct error *error) {
  if (count == 0 || count > SWEEP_MOST_VALUES)
    return conf_error(node, error, "found %s values, allowed 1 to %d", count == 0 ? "no" : "too many",
                      SWEEP_MOST_VALUES);
  *column = (struct column){count, calloc(count, sizeof *column->values), calloc(count, sizeof *column->relative),
                            calloc(count, sizeof *column->labels)};
  return column->values && column->relative && column->labels ? 0 : error_no_memory(error);
}

static int read_list(const struct param *param, const struct conf_node *node, const struct gpu_spec *base,
                     struct column *column, struct error *error) {
  if (column_make(column, node->count, node, error) != 0)
    return -1;
  for (size_t i = 0; i < node->count; i++) {
    if (sweep_read_value(param, node->items[i], base, &column->values[i], error) != 0)
      return -1;
    column->relative[i] = param_is_relative(node->items[i]);
    column->labels[i] = text_format("%s=%s", param->key, node->items[i]->text);
    if (!column->labels[i])
      return error_no_memory(error);
  }
  return 0;
}

/* The values of a range: from, from + step, ... or from, from * factor, ... */
struct range {
  double from, to;
  double step, factor; /* factor 0: steps */
  size_t count;
};

/* Returns the number of values in `steps` steps; the end counts if it is met up to rounding. */
static size_t values_in_steps(double steps) {
  const double whole = floor(steps + 1e-9);
  return whole >= SWEEP_MOST_VALUES ? SWEEP_MOST_VALUES + 1 : whole < 0 ? 0 : (size_t)whole + 1;
}

static int read_count(const struct conf_node *node, struct range *range, struct error *error) {
  int64_t n;
  if (conf_int(node, 2, SWEEP_MOST_VALUES, &n, error) != 0)
    return -1;
  range->count = (size_t)n;
  range->step = (range->to - range->from) / (double)(n - 1);
  return 0;
}

static int read_step(const struct param *param, const struct conf_node *node, struct range *range,
                     struct error *error) {
  if (conf_real(node, 0, param->maximum, &range->step, error) != 0)
    return -1;
  if (range->step == 0)
    return conf_error(node, error, "found 0, expected a step above it");
  range->count = values_in_steps((range->to - range->from) / range->step);
  return 0;
}

static int read_factor(const struct conf_node *node, struct range *range, struct error *error) {
  if (conf_real(node, 1, 1e9, &range->factor, error) != 0)
    return -1;
  if (range->factor <= 1)
    return conf_error(node, error, "found 1, expected a factor above it");
  if (range->from <= 0)
    return conf_error(node, error, "multiplies from %.15g, expected a beginning above 0", range->from);
  range->count = values_in_steps(log(range->to / range->from) / log(range->factor));
  return 0;
}

static int read_progression(const struct param *param, const struct conf_node *node, struct range *range,
                            struct error *error) {
  const struct conf_node *step = conf_get(node, "step"), *count = conf_get(node, "count"),
                         *factor = conf_get(node, "factor");
  const int given = (step != NULL) + (count != NULL) + (factor != NULL);
  if (given != 1)
    return conf_error(node, error,
                      "found %s, expected one of step:, factor: and count:", given == 0 ? "none" : "several");
  return step    ? read_step(param, step, range, error)
         : count ? read_count(count, range, error)
                 : read_factor(factor, range, error);
}

/* Returns value i of a range. Whole numbers are the nearest ones if a factor leads between them. */
static double range_value(const struct param *param, const struct range *range, size_t i) {
  const double value =
      range->factor > 0 ? range->from * pow(range->factor, (double)i) : range->from + (double)i * range->step;
  return range->factor > 0 && param->type == PARAM_INT ? round(value) : value;
}

static int set_range_value(const struct param *param, const struct conf_node *node, const struct gpu_spec *base,
                           double number, struct column *column, size_t i, struct error *error) {
  char text[64];
  struct gpu_spec scratch = *base;
  struct error reason = ERROR_INIT;
  snprintf(text, sizeof text, "%.14g", number); /* 0.1 + 2 x 0.1 is 0.3 */
  if (params_set_number(param, &scratch, strtod(text, NULL), &reason) != 0)
    return conf_error(node, error, "value %zu of the range: %s", i + 1, reason.text);
  column->values[i] = params_get_number(param, &scratch);
  column->labels[i] = text_format("%s=%s", param->key, params_format(param, &scratch, text, sizeof text));
  return column->labels[i] ? 0 : error_no_memory(error);
}

static int read_range(const struct param *param, const struct conf_node *node, const struct gpu_spec *base,
                      struct column *column, struct error *error) {
  static const char *const keys[] = {"from", "to", "step", "factor", "count", NULL};
  const struct conf_node *first, *last;
  struct range range = {0};
  if (param->type != PARAM_INT && param->type != PARAM_REAL)
    return conf_error(node, error, "found a range, but only numbers have one; list the values");
  if (conf_check_keys(node, keys, error) != 0 || !(first = conf_need(node, "from", error)) ||
      !(last = conf_need(node, "to", error)) || sweep_read_value(param, first, base, &range.from, error) != 0 ||
      sweep_read_value(param, last, base, &range.to, error) != 0)
    return -1;
  if (!(range.from < range.to))
    return conf_error(node, error, "runs from %.15g to %.15g, expected the smaller one first", range.from, range.to);
  if (read_progression(param, node, &range, error) != 0 || column_make(column, range.count, node, error) != 0)
    return -1;
  for (size_t i = 0; i < range.count; i++) {
    if (set_range_value(param, node, base, range_value(param, &range, i), column, i, error) != 0)
      return -1;
    column->relative[i] = param_is_relative(first) && param_is_relative(last);
  }
  return 0;
}

static int read_column(const struct param *param, const struct conf_node *node, const struct gpu_spec *base,
                       struct column *column, struct error *error) {
  if (node->kind == CONF_SCALAR)
    return conf_error(node, error,
                      "found one value, expected a list [...] or a range {from:, to:, step: or factor: or count:}");
  return node->kind == CONF_LIST ? read_list(param, node, base, column, error)
                                 : read_range(param, node, base, column, error);
}

static char *join(char *left, const char *right, const char *between) {
  char *joined = left ? text_format("%s%s%s", left, between, right) : strdup(right);
  free(left);
  return joined;
}

static bool swept_already(const struct sweep *sweep, const struct param *param) {
  for (size_t a = 0; a + 1 < sweep->axis_count; a++) /* the last one is being read */
    for (size_t p = 0; p < sweep->axes[a].parameter_count; p++)
      if (sweep->axes[a].params[p] == param)
        return true;
  return false;
}

/* Reads column p of the axis; the first column determines how many values the axis has. */
static int add_column(struct sweep_axis *axis, size_t p, const struct conf_node *node, const struct column *column,
                      struct error *error) {
  if (p == 0) {
    axis->value_count = column->count;
    axis->values = calloc(column->count * axis->parameter_count, sizeof *axis->values);
    axis->relative = calloc(column->count * axis->parameter_count, sizeof *axis->relative);
    axis->labels = calloc(column->count, sizeof *axis->labels);
    if (!axis->values || !axis->relative || !axis->labels)
      return error_no_memory(error);
  }
  if (column->count != axis->value_count)
    return conf_error(node, error, "found %zu values, but \"%s\", which moves together with it, has %zu", column->count,
                      axis->params[0]->key, axis->value_count);
  for (size_t v = 0; v < column->count; v++) {
    axis->values[v * axis->parameter_count + p] = column->values[v];
    axis->relative[v * axis->parameter_count + p] = column->relative[v];
    axis->labels[v] = join(axis->labels[v], column->labels[v], " ");
    if (!axis->labels[v])
      return error_no_memory(error);
  }
  axis->name = join(axis->name, axis->params[p]->key, "+");
  return axis->name ? 0 : error_no_memory(error);
}

static int read_axis(const struct conf_node *map, struct sweep *sweep, struct sweep_axis *axis, struct error *error) {
  if (conf_expect(map, CONF_MAP, error) != 0)
    return -1;
  if (map->count == 0)
    return conf_error(map, error, "names no GPU parameter");
  axis->parameter_count = map->count;
  axis->params = calloc(map->count, sizeof *axis->params);
  if (!axis->params)
    return error_no_memory(error);
  for (size_t p = 0; p < map->count; p++) {
    const struct conf_node *node = map->items[p];
    struct column column = {0};
    axis->params[p] = sweep_read_key(node, error);
    if (!axis->params[p])
      return -1;
    if (swept_already(sweep, axis->params[p]))
      return conf_error(node, error, "is on another axis already; parameters that move together stand in one");
    int status = read_column(axis->params[p], node, &sweep->gpu->spec, &column, error);
    if (status == 0)
      status = add_column(axis, p, node, &column, error);
    column_clear(&column);
    if (status != 0)
      return -1;
  }
  return 0;
}

int sweep_read_axes(const struct conf_node *list, struct sweep *sweep, struct error *error) {
  sweep->axes = sweep_allocate_list(list, sizeof *sweep->axes, SWEEP_MOST_AXES, "axes", error);
  if (!sweep->axes)
    return -1;
  for (size_t i = 0; i < list->count; i++) {
    sweep->axis_count++;
    if (read_axis(list->items[i], sweep, &sweep->axes[i], error) != 0)
      return -1;
  }
  return 0;
}

void sweep_axis_clear(struct sweep_axis *axis) {
  for (size_t v = 0; axis->labels && v < axis->value_count; v++)
    free(axis->labels[v]);
  free(axis->labels);
  free(axis->relative);
  free(axis->values);
  free(axis->params);
  free(axis->name);
  *axis = (struct sweep_axis){0};
}
