/* reassemble params: every parameter of a GPU description with value, unit, range, meaning and source. */
#include "cli/core/command.h"

#include "cli/core/table.h"
#include "model/params/gpu.h"

#include <stdlib.h>

static struct {
  const char *gpu;
  bool sources;
} chosen;

static const struct option_row rows[] = {
    {.name = "gpu",
     .letter = 'g',
     .argument = "GPU",
     .type = OPTION_TEXT,
     .target = &chosen.gpu,
     .help = "name or YAML file (default: the values of a description that states nothing)"},
    {.name = "sources",
     .letter = 's',
     .type = OPTION_FLAG,
     .target = &chosen.sources,
     .help = "where each value comes from"},
    {0},
};

/* The values that are listed: those of a GPU file, or the defaults of the table. */
struct values {
  struct gpu_spec spec;
  struct param_origin *origins;
  struct gpu *gpu; /* NULL for the defaults; else owns the origins */
};

static int load_values(struct values *values, struct error *error) {
  *values = (struct values){0};
  if (chosen.gpu != NULL) {
    if (gpu_load(chosen.gpu, &values->gpu, error) != 0)
      return -1;
    values->spec = values->gpu->spec;
    values->origins = values->gpu->origins;
    return 0;
  }
  values->origins = calloc(gpu_params.count, sizeof *values->origins);
  if (values->origins == NULL)
    return error_set(error, ERROR_WORK, "out of memory");
  params_defaults(&gpu_params, &values->spec, values->origins);
  return 0;
}

static void clear_values(struct values *values) {
  if (values->gpu != NULL) {
    gpu_destroy(values->gpu);
  } else {
    params_origins_clear(&gpu_params, values->origins);
    free(values->origins);
  }
}

static void format_range(const struct param_row *row, char *buffer, size_t size) {
  size_t used = 0;
  buffer[0] = '\0';
  if (row->type == PARAM_BOOL)
    snprintf(buffer, size, "true|false");
  else if (row->type != PARAM_CHOICE)
    snprintf(buffer, size, "%.15g to %.15g", row->minimum, row->maximum);
  else
    for (const char *const *choice = row->choices; *choice && used < size; choice++)
      used += (size_t)snprintf(buffer + used, size - used, "%s%s", used ? "|" : "", *choice);
}

static const char *flags_text(const struct param_row *row) {
  const bool tunable = row->flags & PARAM_TUNABLE, sweepable = row->flags & PARAM_SWEEPABLE;
  return tunable && sweepable ? "tune, sweep" : tunable ? "tune" : sweepable ? "sweep" : "";
}

static void add_row(struct table *table, const struct param_row *row, const struct values *values) {
  const struct param_origin *origin = &values->origins[row - gpu_params.rows];
  char value[64], range[256];
  format_range(row, range, sizeof range);
  table_add(table, "%s", row->key);
  table_add(table, "%s", params_format(row, &values->spec, value, sizeof value));
  table_add(table, "%s", row->unit);
  table_add(table, "%s", range);
  table_add(table, "%s", flags_text(row));
  table_add(table, "%s", row->meaning);
  if (!chosen.sources)
    return;
  table_add(table, "%s", origin->source ? origin->source : "");
  if (origin->file != NULL)
    table_add(table, "%s:%u", origin->file, origin->line);
  else
    table_add(table, "%s", "");
}

static int print_table(const struct values *values, struct error *error) {
  const struct table_column columns[] = {{"parameter", false}, {"value", true}, {"unit", false},
                                         {"allowed", false},   {"for", false},  {"meaning", false},
                                         {"source", false},    {"place", false}};
  struct table *table = table_create(columns, chosen.sources ? 8 : 6);
  for (size_t i = 0; i < gpu_params.count; i++)
    add_row(table, &gpu_params.rows[i], values);
  int status = table_print(table, stdout, error);
  table_destroy(table);
  return status;
}

static json_t *value_json(const struct param_row *row, const struct gpu_spec *spec) {
  const double number = params_get_number(row, spec);
  switch (row->type) {
  case PARAM_INT:
    return json_integer((json_int_t)number);
  case PARAM_REAL:
    return json_real(number);
  case PARAM_BOOL:
    return json_boolean(number != 0);
  case PARAM_CHOICE:
    return json_string(row->choices[(int)number]);
  }
  return NULL;
}

static json_t *bound_json(double bound, bool whole) {
  return whole ? json_integer((json_int_t)bound) : json_real(bound);
}

static void set_range(json_t *object, const struct param_row *row) {
  if (row->type == PARAM_INT || row->type == PARAM_REAL) {
    const bool whole = row->type == PARAM_INT;
    json_object_set_new(object, "minimum", bound_json(row->minimum, whole));
    json_object_set_new(object, "maximum", bound_json(row->maximum, whole));
  } else if (row->type == PARAM_CHOICE) {
    json_t *choices = json_array();
    for (const char *const *choice = row->choices; *choice; choice++)
      json_array_append_new(choices, json_string(*choice));
    json_object_set_new(object, "choices", choices);
    json_t *meanings = json_object();
    for (int i = 0; row->choice_meanings && row->choices[i]; i++)
      json_object_set_new(meanings, row->choices[i], json_string(row->choice_meanings[i]));
    json_object_set_new(object, "choice_meanings", meanings);
  }
}

/* `source`, `file` and `line` are there also without --sources: a script need not ask twice. */
static json_t *row_json(const struct param_row *row, const struct values *values) {
  const struct param_origin *origin = &values->origins[row - gpu_params.rows];
  json_t *object = json_pack("{s:s, s:o, s:s, s:b, s:b, s:s}", "key", row->key, "value", value_json(row, &values->spec),
                             "unit", row->unit, "tunable", (row->flags & PARAM_TUNABLE) != 0, "sweepable",
                             (row->flags & PARAM_SWEEPABLE) != 0, "meaning", row->meaning);
  set_range(object, row);
  json_object_set_new(object, "interval",
                      origin->has_interval ? json_pack("[f, f]", origin->low, origin->high) : json_null());
  json_object_set_new(object, "source", origin->source ? json_string(origin->source) : json_null());
  json_object_set_new(object, "file", origin->file ? json_string(origin->file) : json_null());
  json_object_set_new(object, "line", origin->file ? json_integer(origin->line) : json_null());
  return object;
}

static json_t *values_json(const struct values *values) {
  json_t *array = json_array();
  for (size_t i = 0; i < gpu_params.count; i++)
    json_array_append_new(array, row_json(&gpu_params.rows[i], values));
  return json_pack("{s:s, s:o, s:o}", "schema", "reassemble.params/1", "gpu",
                   values->gpu ? json_string(values->gpu->name) : json_null(), "parameters", array);
}

static int run_params(const struct options *options, struct error *error) {
  struct values values;
  if (load_values(&values, error) != 0)
    return -1;
  int status = options->json ? command_print_json(values_json(&values), error) : print_table(&values, error);
  clear_values(&values);
  return status;
}

const struct command command_params = {
    .word = "params",
    .arguments = "",
    .help = "Show every parameter of a GPU description: value, unit, range, source",
    .details = "\"tune\" marks latencies that may be fitted to measurements, \"sweep\" axes of a design sweep.\n\n"
               "Examples:\n"
               "  reassemble params\n"
               "  reassemble params --gpu mali-g71-mp8 --sources\n"
               "  reassemble params --gpu my-gpu.yaml --json\n",
    .rows = rows,
    .minimum_arguments = 0,
    .maximum_arguments = 0,
    .run = run_params,
};
