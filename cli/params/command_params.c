/* reassemble params: every parameter of a GPU description with value, unit, range, meaning and source. */
#include "cli/core/command.h"

#include "cli/core/option_rows.h"
#include "cli/core/view.h"
#include "cli/params/physics_check.h"
#include "model/params/gpu.h"

#include <fnmatch.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

static struct {
  struct option_list gpus;
  bool sources, check;
} chosen;

static const struct option_row rows[] = {
    {.name = "gpu",
     .letter = 'g',
     .argument = "GPU",
     .type = OPTION_LIST,
     .target = &chosen.gpus,
     .help = "name or YAML file (default: the values of a description that states nothing); with --check several"},
    {.name = "sources",
     .letter = 's',
     .type = OPTION_FLAG,
     .target = &chosen.sources,
     .help = "where each value comes from"},
    {.name = "check",
     .type = OPTION_FLAG,
     .target = &chosen.check,
     .help = "run micro-kernels on the GPUs (default: all that ship) and compare with their public figures"},
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
  if (chosen.gpus.count > 1)
    return error_set(error, ERROR_INPUT, "found %zu GPUs, expected one; several need --check", chosen.gpus.count);
  if (chosen.gpus.count == 1) {
    if (gpu_load(chosen.gpus.items[0], &values->gpu, error) != 0)
      return -1;
    values->spec = values->gpu->spec;
    values->origins = values->gpu->origins;
    return 0;
  }
  values->origins = calloc(gpu_params.count, sizeof *values->origins);
  if (!values->origins)
    return error_no_memory(error);
  return params_defaults(&gpu_params, &values->spec, values->origins) ? 0 : error_no_memory(error);
}

static void clear_values(struct values *values) {
  if (values->gpu) {
    gpu_destroy(values->gpu);
  } else {
    params_origins_clear(&gpu_params, values->origins);
    free(values->origins);
  }
}

static void format_range(const struct param *row, char *buffer, size_t size) {
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

static const char *flags_text(const struct param *row) {
  const bool tunable = row->flags & PARAM_TUNABLE, sweepable = row->flags & PARAM_SWEEPABLE;
  return tunable && sweepable ? "tune, sweep" : tunable ? "tune" : sweepable ? "sweep" : "";
}

static struct view_value value_of(const struct param *row, const struct gpu_spec *spec) {
  const double number = params_get_number(row, spec);
  switch (row->type) {
  case PARAM_INT:
    return view_whole((uint64_t)(int64_t)number);
  case PARAM_REAL:
    return view_real(number);
  case PARAM_BOOL:
    return view_truth(number != 0);
  case PARAM_CHOICE:
    return view_text(row->choices[(int)number]);
  }
  return view_null();
}

/* A bound of a number; of other parameters none. */
static struct view_value bound(const struct param *row, double value) {
  return row->type == PARAM_INT    ? view_whole((uint64_t)(int64_t)value)
         : row->type == PARAM_REAL ? view_real(value)
                                   : view_absent();
}

static struct view_value choices_of(const struct param *row) {
  if (row->type != PARAM_CHOICE)
    return view_absent();
  json_t *choices = json_array();
  for (const char *const *choice = row->choices; *choice; choice++)
    json_array_append_new(choices, json_string(*choice));
  return view_json(choices);
}

static struct view_value choice_meanings_of(const struct param *row) {
  if (row->type != PARAM_CHOICE)
    return view_absent();
  json_t *meanings = json_object();
  for (int i = 0; row->choice_meanings && row->choices[i]; i++)
    json_object_set_new(meanings, row->choices[i], json_string(row->choice_meanings[i]));
  return view_json(meanings);
}

/* `source`, `file` and `line` are in JSON also without --sources: a script need not ask twice. */
static const struct view_column columns[] = {
    {.key = "key", .title = "parameter"},
    {.key = "value"},
    {.title = "value", .format = "%s"},
    {.key = "unit", .title = "unit"},
    {.key = "tunable"},
    {.key = "sweepable"},
    {.title = "allowed"},
    {.title = "for"},
    {.key = "meaning", .title = "meaning"},
    {.key = "minimum"},
    {.key = "maximum"},
    {.key = "choices"},
    {.key = "choice_meanings"},
    {.key = "interval"},
    {.key = "source"},
    {.key = "file"},
    {.key = "line"},
    {.title = "source"},
    {.title = "place"},
};

static void add_row(struct view_list *list, const struct param *row, const struct values *values) {
  const struct param_origin *origin = &values->origins[row - gpu_params.list];
  char value[64], range[256], place[PATH_MAX + 16] = "";
  format_range(row, range, sizeof range);
  if (chosen.sources && origin->file)
    snprintf(place, sizeof place, "%s:%u", origin->file, origin->line);
  VIEW_ROW(list, view_text(row->key), value_of(row, &values->spec),
           view_text(params_format(row, &values->spec, value, sizeof value)), view_text(row->unit),
           view_truth((row->flags & PARAM_TUNABLE) != 0), view_truth((row->flags & PARAM_SWEEPABLE) != 0),
           view_text(range), view_text(flags_text(row)), view_text(row->meaning), bound(row, row->minimum),
           bound(row, row->maximum), choices_of(row), choice_meanings_of(row),
           origin->has_interval ? view_pair(origin->low, origin->high) : view_null(), view_text(origin->source),
           view_text(origin->file), origin->file ? view_whole(origin->line) : view_null(),
           chosen.sources && origin->source ? view_text(origin->source) : view_absent(), view_text(place));
}

/* `pattern` is part of the key or, with * or ?, all of it. NULL: every parameter. */
static bool is_wanted(const struct param *row, const char *pattern) {
  return !pattern || strstr(row->key, pattern) || fnmatch(pattern, row->key, 0) == 0;
}

static int check_pattern(const char *pattern, struct error *error) {
  for (size_t i = 0; i < gpu_params.count; i++)
    if (is_wanted(&gpu_params.list[i], pattern))
      return 0;
  return error_set(error, ERROR_INPUT,
                   "found \"%.100s\", which is part of no parameter's name (`reassemble params` lists all)", pattern);
}

static int show(const struct values *values, const char *pattern, bool json, struct error *error) {
  struct view view;
  struct view_list list;
  view_begin(&view, json, stdout, "reassemble.params/1");
  view_member(&view, "gpu", view_text(values->gpu ? values->gpu->name : NULL));
  view_list_begin(&view, "parameters", columns, sizeof columns / sizeof columns[0], &list);
  for (size_t i = 0; i < gpu_params.count; i++)
    if (is_wanted(&gpu_params.list[i], pattern))
      add_row(&list, &gpu_params.list[i], values);
  view_list_end(&list);
  return view_end(&view, 0, error);
}

static int run_params(const struct options *options, struct error *error) {
  struct values values;
  const char *pattern = options->argument_count > 0 ? options->arguments[0] : NULL;
  if (chosen.check)
    return physics_check(&chosen.gpus, pattern, options, error);
  if (check_pattern(pattern, error) != 0 || load_values(&values, error) != 0)
    return -1;
  const int status = show(&values, pattern, options->json, error);
  clear_values(&values);
  return status;
}

const struct command command_params = {
    .word = "params",
    .arguments = "[PATTERN]",
    .help = "Show every parameter of a GPU description: value, unit, range, source",
    .details =
        "\"tune\" marks latencies that may be fitted to measurements, \"sweep\" axes of a design sweep.\n"
        "PATTERN, part of a name or with * and ? all of it, leaves the other parameters out.\n\n"
        "With --check, micro-kernels show what the parameters amount to: the rates of arithmetic, caches, memory\n"
        "and atomics, and latencies, beside public figures with their sources (datasets/figures). A figure that\n"
        "is off by more than 25 % without a listed reason is a failure (exit code 1). PATTERN is part of the\n"
        "names of micro-kernels then.\n\n"
        "Examples:\n"
        "  reassemble params\n"
        "  reassemble params l1_\n"
        "  reassemble params --gpu mali-g71-mp8 --sources '*_cycles'\n"
        "  reassemble params --gpu my-gpu.yaml --json\n"
        "  reassemble params --check --gpu mali-g71-mp8\n",
    .rows = rows,
    .minimum_arguments = 0,
    .maximum_arguments = 1,
    .run = run_params,
};
