/* Reads values of parameters in sweeps: "12", "16Ki", "exact_sets", "true", "x0.8". */
#include "dse/sweep/sweep_read.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"

const struct param_row *sweep_read_key(const struct conf_node *node, struct error *error) {
  const struct param_row *row = params_find(&gpu_params, node->key);
  if (row != NULL && (row->flags & PARAM_SWEEPABLE))
    return row;
  const char **keys = calloc(gpu_params.count + 1, sizeof *keys);
  if (keys == NULL) {
    error_set(error, ERROR_WORK, "out of memory");
    return NULL;
  }
  size_t count = 0;
  for (size_t i = 0; i < gpu_params.count; i++)
    if (gpu_params.rows[i].flags & PARAM_SWEEPABLE)
      keys[count++] = gpu_params.rows[i].key;
  const char *what = row != NULL ? "this GPU parameter cannot be swept" : "unknown GPU parameter";
  error_at(error, ERROR_INPUT, node->file, node->key_line, node->key_column, node->key, "%s%s", what,
           text_hint(node->key, keys, "; `reassemble params` lists all").text);
  free(keys);
  return NULL;
}

static int read_relative(const struct param_row *row, const struct conf_node *node, const struct gpu_spec *base,
                         double *value, struct error *error) {
  struct conf_node number = *node;
  double factor;
  number.text++;
  if (row->type != PARAM_INT && row->type != PARAM_REAL)
    return conf_error(node, error, "found a factor, but only numbers can be relative to the base");
  if (conf_real(&number, 0, 1e6, &factor, error) != 0)
    return -1;
  *value = param_round(params_get_number(row, base) * factor);
  return 0;
}

static int read_absolute(const struct param_row *row, const struct conf_node *node, double *value,
                         struct error *error) {
  int64_t whole = 0;
  bool yes = false;
  int choice = 0, status = 0;
  if (row->type == PARAM_REAL)
    return conf_real(node, row->minimum, row->maximum, value, error);
  if (row->type == PARAM_INT)
    status = conf_int(node, (int64_t)row->minimum, (int64_t)row->maximum, &whole, error);
  else if (row->type == PARAM_BOOL)
    status = conf_bool(node, &yes, error);
  else
    status = conf_choice(node, row->choices, &choice, error);
  *value = row->type == PARAM_INT ? (double)whole : row->type == PARAM_BOOL ? yes : choice;
  return status;
}

int sweep_read_value(const struct param_row *row, const struct conf_node *node, const struct gpu_spec *base,
                     double *value, struct error *error) {
  const struct conf_node named = {.kind = node->kind,
                                  .file = node->file,
                                  .line = node->line,
                                  .column = node->column,
                                  .key = row->key,
                                  .text = node->text,
                                  .quoted = node->quoted,
                                  .count = node->count,
                                  .items = node->items};
  if (!param_is_relative(node))
    return read_absolute(row, &named, value, error);
  if (read_relative(row, &named, base, value, error) != 0)
    return -1;
  struct gpu_spec scratch = *base;
  struct error reason = ERROR_INIT;
  if (params_set_number(row, &scratch, *value, &reason) != 0)
    return conf_error(&named, error, "%s of the base's value: %s", node->text, reason.text);
  *value = params_get_number(row, &scratch);
  return 0;
}
