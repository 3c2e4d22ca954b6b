#include "dse/answer/results.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/file.h"
#include "dse/answer/pareto.h"

enum { NUMBER_SIZE = 40 };

const char *results_number(double value, char *buffer, size_t size) {
  if (isnan(value)) {
    buffer[0] = '\0';
    return buffer;
  }
  for (int digits = 15; digits <= 17; digits++) {
    snprintf(buffer, size, "%.*g", digits, value);
    if (strtod(buffer, NULL) == value)
      break;
  }
  return buffer;
}

static void put_number(double value, FILE *out) {
  char text[NUMBER_SIZE];
  fprintf(out, ",%s", results_number(value, text, sizeof text));
}

static bool varies(const struct sweep *sweep, const struct param *param) {
  for (size_t a = 0; a < sweep->axis_count; a++)
    for (size_t p = 0; p < sweep->axes[a].parameter_count; p++)
      if (sweep->axes[a].params[p] == param)
        return true;
  for (size_t v = 0; v < sweep->variant_count; v++)
    for (size_t p = 0; p < sweep->variants[v].count; p++)
      if (sweep->variants[v].params[p] == param)
        return true;
  return false;
}

const struct param **results_varied(const struct sweep *sweep, size_t *count) {
  const struct param **params = calloc(gpu_params.count + 1, sizeof *params);
  *count = 0;
  for (size_t i = 0; params && i < gpu_params.count; i++)
    if (varies(sweep, &gpu_params.list[i]))
      params[(*count)++] = &gpu_params.list[i];
  return params;
}

/* The data for all lines of a file. */
struct csv {
  FILE *out;
  const struct points *points;
  const struct evaluation *evaluation;
  const struct outcomes *outcomes;
  const struct scores *scores;
  const struct param **varied;
  size_t varied_count;
  bool *on_front; /* by design; for designs.csv only */
};

/* The form of a file: a line of titles and the lines of each possible point. */
struct csv_form {
  void (*put_titles)(const struct csv *csv);
  void (*put_records)(const struct csv *csv, size_t point, const char *name, const struct gpu_spec *spec);
};

static void put_parameter_titles(const struct csv *csv) {
  for (size_t i = 0; i < csv->varied_count; i++)
    fprintf(csv->out, ",%s", csv->varied[i]->key);
}

static void put_parameters(const struct csv *csv, const struct gpu_spec *spec) {
  char text[NUMBER_SIZE];
  for (size_t i = 0; i < csv->varied_count; i++)
    fprintf(csv->out, ",%s", params_format(csv->varied[i], spec, text, sizeof text));
}

static const char *truth(bool value) {
  return value ? "true" : "false";
}

/* ---- a line for each point and workload ---- */

static void put_outcome_titles(const struct csv *csv) {
  fputs("point,name,workload", csv->out);
  put_parameter_titles(csv);
  fputs(",area,speedup,exact", csv->out);
  for (size_t i = 0; i < outcome_value_count(); i++)
    fprintf(csv->out, ",%s", outcome_value_name(i));
}

static void put_outcome(const struct csv *csv, size_t point, const char *name, const struct gpu_spec *spec, size_t w) {
  const size_t design = csv->points->designs[point], workloads = csv->outcomes->workload_count;
  const double *values = outcomes_at(csv->outcomes, design, w);
  fprintf(csv->out, "%zu,", point);
  text_put_csv(name, csv->out);
  putc(',', csv->out);
  text_put_csv(csv->evaluation->workloads[w].name, csv->out);
  put_parameters(csv, spec);
  put_number(csv->scores->area[design], csv->out);
  put_number(csv->scores->speedups[design * workloads + w], csv->out);
  fprintf(csv->out, ",%s", truth(outcomes_exact(csv->outcomes, design, w)));
  for (size_t i = 0; i < csv->outcomes->value_count; i++)
    put_number(values[i], csv->out);
  putc('\n', csv->out);
}

static void put_outcomes(const struct csv *csv, size_t point, const char *name, const struct gpu_spec *spec) {
  for (size_t w = 0; w < csv->outcomes->workload_count; w++)
    put_outcome(csv, point, name, spec, w);
}

/* ---- a line for each point ---- */

static void put_design_titles(const struct csv *csv) {
  fputs("point,name", csv->out);
  put_parameter_titles(csv);
  fprintf(csv->out, ",area,energy_ratio,%s,exact,pareto", sweep_objective_names[csv->points->sweep->objective]);
  for (size_t w = 0; w < csv->outcomes->workload_count; w++) {
    putc(',', csv->out);
    text_put_csv(csv->evaluation->workloads[w].name, csv->out);
  }
}

static bool all_exact(const struct csv *csv, size_t design) {
  bool exact = true;
  for (size_t w = 0; w < csv->outcomes->workload_count; w++)
    exact = exact && outcomes_exact(csv->outcomes, design, w);
  return exact;
}

static void put_design(const struct csv *csv, size_t point, const char *name, const struct gpu_spec *spec) {
  const size_t design = csv->points->designs[point], workloads = csv->outcomes->workload_count;
  fprintf(csv->out, "%zu,", point);
  text_put_csv(name, csv->out);
  put_parameters(csv, spec);
  put_number(csv->scores->area[design], csv->out);
  put_number(csv->scores->energy_ratio[design], csv->out);
  put_number(csv->scores->objective[design], csv->out);
  fprintf(csv->out, ",%s,%s", truth(all_exact(csv, design)), truth(csv->on_front[design]));
  for (size_t w = 0; w < workloads; w++)
    put_number(csv->scores->speedups[design * workloads + w], csv->out);
  putc('\n', csv->out);
}

/* ---- both files ---- */

static int put_all(const struct csv *csv, const struct csv_form *form, struct error *error) {
  form->put_titles(csv);
  putc('\n', csv->out);
  for (size_t point = 0; point < csv->points->count && !ferror(csv->out); point++) {
    if (csv->points->designs[point] == POINT_IMPOSSIBLE)
      continue;
    struct gpu_spec spec;
    char *name = points_name(csv->points, point);
    if (!name)
      return error_no_memory(error);
    points_spec(csv->points, point, &spec, NULL);
    form->put_records(csv, point, name, &spec);
    free(name);
  }
  return 0;
}

static int mark_front(struct csv *csv) {
  const size_t designs = csv->scores->design_count;
  size_t *front = calloc(designs + 1, sizeof *front), count = 0;
  csv->on_front = calloc(designs + 1, sizeof *csv->on_front);
  int status =
      front && csv->on_front ? pareto_front(csv->scores->area, csv->scores->objective, designs, front, &count) : -1;
  for (size_t i = 0; i < count; i++)
    csv->on_front[front[i]] = true;
  free(front);
  return status;
}

static int write_file(const char *path, struct csv *csv, const struct csv_form *form, struct error *error) {
  struct file_replace file;
  if (file_replace_begin(&file, path, error) != 0)
    return -1;
  csv->out = file.stream;
  if (put_all(csv, form, error) == 0)
    return file_replace_commit(&file, error);
  file_replace_abort(&file);
  return -1;
}

static int write_csv(const char *path, struct csv csv, const struct csv_form *form, struct error *error) {
  csv.varied = results_varied(csv.points->sweep, &csv.varied_count);
  const int status = csv.varied ? write_file(path, &csv, form, error) : error_no_memory(error);
  free(csv.varied);
  return status;
}

int results_write_csv(const char *path, const struct points *points, const struct evaluation *evaluation,
                      const struct outcomes *outcomes, const struct scores *scores, struct error *error) {
  static const struct csv_form form = {put_outcome_titles, put_outcomes};
  const struct csv csv = {.points = points, .evaluation = evaluation, .outcomes = outcomes, .scores = scores};
  return write_csv(path, csv, &form, error);
}

int results_write_designs(const char *path, const struct points *points, const struct evaluation *evaluation,
                          const struct outcomes *outcomes, const struct scores *scores, struct error *error) {
  static const struct csv_form form = {put_design_titles, put_design};
  struct csv csv = {.points = points, .evaluation = evaluation, .outcomes = outcomes, .scores = scores};
  const int status = mark_front(&csv) == 0 ? write_csv(path, csv, &form, error) : error_no_memory(error);
  free(csv.on_front);
  return status;
}

static int put_impossible(const struct points *points, FILE *out, struct error *error) {
  fputs("point,name,reason\n", out);
  for (size_t point = 0; point < points->count && !ferror(out); point++) {
    if (points->designs[point] != POINT_IMPOSSIBLE)
      continue;
    struct gpu_spec spec;
    struct error reason = ERROR_INIT;
    char *name = points_name(points, point);
    if (!name)
      return error_no_memory(error);
    points_spec(points, point, &spec, &reason);
    fprintf(out, "%zu,", point);
    text_put_csv(name, out);
    putc(',', out);
    char text[sizeof reason.text + sizeof reason.key + 2];
    snprintf(text, sizeof text, "%s%s%s", reason.key, reason.key[0] ? ": " : "", reason.text);
    text_put_csv(text, out);
    putc('\n', out);
    free(name);
  }
  return 0;
}

int results_write_impossible(const char *path, const struct points *points, struct error *error) {
  struct file_replace file;
  if (file_replace_begin(&file, path, error) != 0)
    return -1;
  if (put_impossible(points, file.stream, error) != 0) {
    file_replace_abort(&file);
    return -1;
  }
  return file_replace_commit(&file, error);
}
