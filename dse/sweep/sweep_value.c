/* Reads values of parameters in sweeps: "12", "16Ki", "exact_sets", "true", "x0.8". */
#include "dse/sweep/sweep_read.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"

const struct param *sweep_read_key(const struct conf_node *node, struct error *error) {
  const struct param *param = params_find(&gpu_params, node->key);
  if (param && (param->flags & PARAM_SWEEPABLE))
    return param;
  const char **keys = calloc(gpu_params.count + 1, sizeof *keys);
  if (!keys) {
    error_no_memory(error);
    return NULL;
  }
  size_t count = 0;
  for (size_t i = 0; i < gpu_params.count; i++)
    if (gpu_params.list[i].flags & PARAM_SWEEPABLE)
      keys[count++] = gpu_params.list[i].key;
  const char *what = param ? "this GPU parameter cannot be swept" : "unknown GPU parameter";
  error_at(error, ERROR_INPUT, node->file, node->key_line, node->key_column, node->key, "%s%s", what,
           text_hint(node->key, keys, "; `reassemble params` lists all").text);
  free(keys);
  return NULL;
}

static int read_relative(const struct param *param, const struct conf_node *node, const struct gpu_spec *base,
                         double *value, struct error *error) {
  struct conf_node number = *node;
  double factor;
  number.text++;
  if (param->type != PARAM_INT && param->type != PARAM_REAL)
    return conf_error(node, error, "found a factor, but only numbers can be relative to the base");
  if (conf_real(&number, 0, 1e6, &factor, error) != 0)
    return -1;
  *value = param_round(params_get_number(param, base) * factor);
  return 0;
}

static int read_absolute(const struct param *param, const struct conf_node *node, double *value, struct error *error) {
  int64_t whole = 0;
  bool yes = false;
  int choice = 0, status = 0;
  if (param->type == PARAM_REAL)
    return conf_real(node, param->minimum, param->maximum, value, error);
  if (param->type == PARAM_INT)
    status = conf_int(node, (int64_t)param->minimum, (int64_t)param->maximum, &whole, error);
  else if (param->type == PARAM_BOOL)
    status = conf_bool(node, &yes, error);
  else
    status = conf_choice(node, param->choices, &choice, error);
  *value = param->type == PARAM_INT ? (double)whole : param->type == PARAM_BOOL ? yes : choice;
  return status;
}

int sweep_read_value(const struct param *param, const struct conf_node *node, const struct gpu_spec *base,
                     double *value, struct error *error) {
  const struct conf_node named = {.kind = node->kind,
                                  .file = node->file,
                                  .line = node->line,
                                  .column = node->column,
                                  .key = param->key,
                                  .text = node->text,
                                  .quoted = node->quoted,
                                  .count = node->count,
                                  .items = node->items};
  if (!param_is_relative(node))
    return read_absolute(param, &named, value, error);
  if (read_relative(param, &named, base, value, error) != 0)
    return -1;
  struct gpu_spec scratch = *base;
  struct error reason = ERROR_INIT;
  if (params_set_number(param, &scratch, *value, &reason) != 0)
    return conf_error(&named, error, "%s of the base's value: %s", node->text, reason.text);
  *value = params_get_number(param, &scratch);
  return 0;
}
