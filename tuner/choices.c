#include "tuner/choices.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int refuse(const char *item, const char *problem, struct error *error) {
  return error_at(error, ERROR_INPUT, "", 0, 0, "--choose",
                  "%.60s: %s; expected KEY=VALUE/VALUE, as in penalty=1/3,memory=blocking/dependency", item, problem);
}

/* ---- values ---- */

/* Reads a value of a parameter. Returns false if the text is not one. */
static bool read_parameter(const struct param *param, const char *text, double *value) {
  char *end;
  *value = strtod(text, &end);
  if (param->type == PARAM_BOOL && (strcmp(text, "true") == 0 || strcmp(text, "false") == 0)) {
    *value = text[0] == 't';
    return true;
  }
  for (size_t i = 0; param->type == PARAM_CHOICE && param->choices[i]; i++) {
    *value = (double)i;
    if (strcmp(param->choices[i], text) == 0)
      return true;
  }
  return param->type != PARAM_CHOICE && param->type != PARAM_BOOL && end != text && *end == '\0';
}

/* Reads a percentage, or a multiple of the present one. Returns false if the text is neither. */
static bool read_penalty(const char *text, double *penalty_percent) {
  char *end;
  const double value = strtod(text, &end);
  const bool is_multiple = end != text && strcmp(end, "x") == 0;
  *penalty_percent = is_multiple ? value * *penalty_percent : value;
  return end != text && (is_multiple || *end == '\0') && value >= 0 && isfinite(value);
}

static int check_parameter(const struct choice *c, const char *value, struct error *error) {
  double number;
  struct gpu_spec spec;
  params_defaults(&gpu_params, &spec, NULL);
  if (!read_parameter(c->param, value, &number))
    return refuse(value, "this parameter does not have this value", error);
  return params_set_number(c->param, &spec, number, error);
}

static int check_value(const struct choice *c, const char *value, struct error *error) {
  struct objective objective;
  double penalty = 1;
  switch (c->kind) {
  case CHOICE_METHOD:
    return tune_method_find(value, error) ? 0 : -1;
  case CHOICE_OBJECTIVE:
    return objective_parse(value, &objective, error);
  case CHOICE_PENALTY:
    return read_penalty(value, &penalty) ? 0 : refuse(value, "found no penalty", error);
  default:
    return check_parameter(c, value, error);
  }
}

/* ---- reading ---- */

static int read_key(struct choice *c, struct error *error) {
  c->kind = strcmp(c->key, "method") == 0      ? CHOICE_METHOD
            : strcmp(c->key, "objective") == 0 ? CHOICE_OBJECTIVE
            : strcmp(c->key, "penalty") == 0   ? CHOICE_PENALTY
                                               : CHOICE_PARAMETER;
  if (c->kind != CHOICE_PARAMETER)
    return 0;
  c->param = params_need(&gpu_params, c->key, error);
  return c->param ? 0 : -1;
}

static int read_values(struct choice *c, char *text, struct error *error) {
  for (char *value; (value = strsep(&text, "/"));) {
    if (c->count == CHOICE_VALUES)
      return refuse(c->key, "found more than 8 values", error);
    if (check_value(c, value, error) != 0)
      return -1;
    c->values[c->count++] = value;
  }
  return 0;
}

static int add_key(struct choices *choices, char *item, struct error *error) {
  char *equals = strchr(item, '=');
  if (!equals || equals == item)
    return refuse(item, "found no '=' behind a key", error);
  if (choices->count == CHOICE_KEYS)
    return refuse(item, "found more than 12 keys", error);
  *equals = '\0';
  for (size_t i = 0; i < choices->count; i++)
    if (strcmp(choices->keys[i].key, item) == 0)
      return refuse(item, "found twice", error);
  struct choice *c = &choices->keys[choices->count++];
  *c = (struct choice){.key = item};
  return read_key(c, error) == 0 ? read_values(c, equals + 1, error) : -1;
}

int choices_parse(const char *text, struct choices *out, struct error *error) {
  *out = (struct choices){.text = strdup(text)};
  char *rest = out->text;
  int status = rest ? 0 : error_no_memory(error);
  for (char *item; status == 0 && (item = strsep(&rest, ","));)
    status = add_key(out, item, error);
  if (status == 0 && choices_searches(out) * choices_fits(out) > CHOICE_COMBINATIONS)
    status = refuse(text, "found more than 256 combinations", error);
  if (status != 0)
    choices_clear(out);
  return status;
}

void choices_clear(struct choices *choices) {
  free(choices->text);
  *choices = (struct choices){0};
}

/* ---- combinations ---- */

static bool is_of_search(const struct choice *c) {
  return c->kind == CHOICE_METHOD || c->kind == CHOICE_PARAMETER;
}

static size_t combinations(const struct choices *choices, bool of_search) {
  size_t product = 1;
  for (size_t i = 0; i < choices->count; i++)
    product *= is_of_search(&choices->keys[i]) == of_search ? choices->keys[i].count : 1;
  return product;
}

size_t choices_searches(const struct choices *choices) {
  return combinations(choices, true);
}

size_t choices_fits(const struct choices *choices) {
  return combinations(choices, false);
}

/* Returns the value that key `i` has in a combination of its kind. */
static const char *value_of(const struct choices *choices, size_t i, size_t combination) {
  for (size_t j = choices->count; j-- > i + 1;)
    if (is_of_search(&choices->keys[j]) == is_of_search(&choices->keys[i]))
      combination /= choices->keys[j].count;
  return choices->keys[i].values[combination % choices->keys[i].count];
}

void choices_apply_search(const struct choices *choices, size_t search, struct gpu_spec *spec,
                          const struct tune_method **method) {
  for (size_t i = 0; i < choices->count; i++) {
    const struct choice *c = &choices->keys[i];
    double number;
    if (c->kind == CHOICE_METHOD)
      *method = tune_method_find(value_of(choices, i, search), NULL);
    else if (c->kind == CHOICE_PARAMETER && read_parameter(c->param, value_of(choices, i, search), &number))
      params_set_number(c->param, spec, number, NULL);
  }
}

void choices_apply_fit(const struct choices *choices, size_t fit, struct objective *objective,
                       double *penalty_percent) {
  for (size_t i = 0; i < choices->count; i++) {
    if (choices->keys[i].kind == CHOICE_OBJECTIVE)
      objective_parse(value_of(choices, i, fit), objective, NULL);
    else if (choices->keys[i].kind == CHOICE_PENALTY)
      read_penalty(value_of(choices, i, fit), penalty_percent);
  }
}

const char *choices_format(const struct choices *choices, size_t search, size_t fit, char *buffer, size_t size) {
  size_t used = 0;
  buffer[0] = '\0';
  for (size_t i = 0; i < choices->count && used < size; i++)
    used += (size_t)snprintf(buffer + used, size - used, "%s%s=%s", i > 0 ? "," : "", choices->keys[i].key,
                             value_of(choices, i, is_of_search(&choices->keys[i]) ? search : fit));
  return buffer;
}
