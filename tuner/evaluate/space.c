#include "tuner/evaluate/space.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int refuse(const char *item, struct error *error, const char *problem) {
  return error_at(error, ERROR_INPUT, "", 0, 0, "--params",
                  "%.60s: %s; expected KEY, KEY=LOW..HIGH or KEY=LOW..HIGH@START, as in l1_miss=10..200@29", item,
                  problem);
}

static const struct param *find_param(const char *key, struct error *error) {
  char full[80];
  snprintf(full, sizeof full, "%s_cycles", key);
  const struct param *param = params_find(&gpu_params, full);
  if (param)
    return param;
  struct error of_key = ERROR_INIT;
  param = params_need(&gpu_params, key, &of_key);
  if (param)
    return param;
  if (!strstr(of_key.text, "did you mean")) { /* "arth" is near to "arith_cycles" only with its end */
    of_key = (struct error)ERROR_INIT;
    params_need(&gpu_params, full, &of_key);
    snprintf(of_key.key, sizeof of_key.key, "%s", key);
  }
  *error = of_key;
  return NULL;
}

/* Reads a number at the start of *text and moves *text behind it. Returns false if there is no number. */
static bool take_number(const char **text, double *out) {
  char *end;
  if (**text == '\0' || !strchr("+-.0123456789", **text))
    return false;
  /* strtod would take the first point of ".." */
  char copy[64];
  const char *dots = strstr(*text, "..");
  const size_t length = dots ? (size_t)(dots - *text) : strlen(*text);
  if (length == 0 || length >= sizeof copy)
    return false;
  memcpy(copy, *text, length);
  copy[length] = '\0';
  *out = strtod(copy, &end);
  *text += end - copy;
  return end != copy && isfinite(*out);
}

static int read_numbers(const char *item, const char *text, struct space_axis *axis, struct error *error) {
  if (*text == '=') {
    text++;
    if (!take_number(&text, &axis->low) || strncmp(text, "..", 2) != 0)
      return refuse(item, error, "found no range behind '='");
    text += 2;
    if (!take_number(&text, &axis->high))
      return refuse(item, error, "found no upper end of the range");
  }
  if (*text == '@') {
    text++;
    if (!take_number(&text, &axis->start))
      return refuse(item, error, "found no start value behind '@'");
  }
  return *text == '\0' ? 0 : refuse(item, error, "found something behind it");
}

static int check_range(const char *item, const struct space_axis *axis, struct error *error) {
  const struct param *param = axis->param;
  assert(param->minimum >= 0); /* search coordinates have no negative values */
  if (param->type != PARAM_REAL && param->type != PARAM_INT)
    return error_at(error, ERROR_INPUT, "", 0, 0, param->key, "only numbers can be tuned, this is a choice");
  if (axis->low < param->minimum || axis->high > param->maximum)
    return error_at(error, ERROR_INPUT, "", 0, 0, param->key, "found the range %.15g to %.15g, allowed %.15g to %.15g",
                    axis->low, axis->high, param->minimum, param->maximum);
  if (param->type == PARAM_INT &&
      (axis->low != rint(axis->low) || axis->high != rint(axis->high) || axis->start != rint(axis->start)))
    return refuse(item, error, "this parameter takes whole numbers");
  if (!(axis->low < axis->high))
    return refuse(item, error, "the range is empty");
  if (!(axis->start >= axis->low && axis->start <= axis->high))
    return error_at(error, ERROR_INPUT, "", 0, 0, param->key,
                    "the range %.15g to %.15g excludes the start value %.15g; widen it or give a start: %.60s@VALUE",
                    axis->low, axis->high, axis->start, item);
  return 0;
}

static int add_axis(struct space *space, const char *item, const struct gpu_spec *spec, struct error *error) {
  char key[64];
  const size_t length = strcspn(item, "=@");
  if (length == 0 || length >= sizeof key)
    return refuse(item, error, "found no parameter");
  memcpy(key, item, length);
  key[length] = '\0';
  const struct param *param = find_param(key, error);
  if (!param)
    return -1;
  for (size_t i = 0; i < space->count; i++)
    if (space->axes[i].param == param)
      return error_at(error, ERROR_INPUT, "", 0, 0, param->key, "found twice in --params");
  if (space->count == SPACE_MOST)
    return error_at(error, ERROR_INPUT, "", 0, 0, "--params", "more than %d parameters", SPACE_MOST);
  struct space_axis *axis = &space->axes[space->count++];
  *axis = (struct space_axis){
      .param = param, .low = param->minimum, .high = param->maximum, .start = params_get_number(param, spec)};
  return read_numbers(item, item + length, axis, error) == 0 ? check_range(item, axis, error) : -1;
}

int space_parse(const char *text, const struct gpu_spec *spec, struct space *out, struct error *error) {
  char *copy = strdup(text), *rest = copy;
  if (!copy)
    return error_no_memory(error);
  *out = (struct space){.count = 0};
  int status = 0;
  for (const char *item; status == 0 && (item = strsep(&rest, ","));)
    status = add_axis(out, item, spec, error);
  free(copy);
  return status;
}

void space_start(const struct space *space, double *point) {
  for (size_t i = 0; i < space->count; i++)
    point[i] = space->axes[i].start;
}

static double six_digits(double value) {
  char text[32];
  snprintf(text, sizeof text, "%.6g", value);
  return strtod(text, NULL);
}

static double scale_of(const struct space_axis *axis) {
  return axis->start > 0 ? axis->start / 10 : 0.1;
}

static const double as_good_as_low = 1e-3; /* share of the axis' scale: searches approach a bound without reaching it */

void space_normalise(const struct space *space, double *point) {
  for (size_t i = 0; i < space->count; i++) {
    const struct space_axis *axis = &space->axes[i];
    double value = axis->param->type == PARAM_INT ? rint(point[i]) : six_digits(point[i]);
    if (value == six_digits(axis->start)) /* a start value with more digits stays itself */
      value = axis->start;
    if (value < axis->low + as_good_as_low * scale_of(axis))
      value = axis->low;
    point[i] = fmin(fmax(value, axis->low), axis->high);
  }
}

struct gpu_spec space_apply(const struct space *space, const struct gpu_spec *spec, const double *point) {
  struct gpu_spec changed = *spec;
  for (size_t i = 0; i < space->count; i++) {
    const int status = params_set_number(space->axes[i].param, &changed, point[i], NULL);
    assert(status == 0); /* normalised points lie within the parameter's bounds */
    (void)status;
  }
  return changed;
}

double space_to_search(const struct space_axis *axis, double value) {
  return log1p(value / scale_of(axis));
}

double space_from_search(const struct space_axis *axis, double w) {
  return scale_of(axis) * expm1(w);
}
