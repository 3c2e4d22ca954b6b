#include "dse/answer/results.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/file.h"

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

static bool varies(const struct sweep *sweep, const struct param_row *row) {
  for (size_t a = 0; a < sweep->axis_count; a++)
    for (size_t p = 0; p < sweep->axes[a].parameter_count; p++)
      if (sweep->axes[a].rows[p] == row)
        return true;
  for (size_t v = 0; v < sweep->variant_count; v++)
    for (size_t p = 0; p < sweep->variants[v].count; p++)
      if (sweep->variants[v].rows[p] == row)
        return true;
  return false;
}

const struct param_row **results_varied(const struct sweep *sweep, size_t *count) {
  const struct param_row **rows = calloc(gpu_params.count + 1, sizeof *rows);
  *count = 0;
  for (size_t i = 0; rows != NULL && i < gpu_params.count; i++)
    if (varies(sweep, &gpu_params.rows[i]))
      rows[(*count)++] = &gpu_params.rows[i];
  return rows;
}

/* What all rows of a point have in common. */
struct csv {
  FILE *out;
  const struct points *points;
  const struct evaluation *evaluation;
  const struct outcomes *outcomes;
  const struct scores *scores;
  const struct param_row **varied;
  size_t varied_count;
};

static void put_titles(const struct csv *csv) {
  fputs("point,name,workload", csv->out);
  for (size_t i = 0; i < csv->varied_count; i++)
    fprintf(csv->out, ",%s", csv->varied[i]->key);
  fputs(",area,speedup,exact", csv->out);
  for (size_t i = 0; i < outcome_value_count(); i++)
    fprintf(csv->out, ",%s", outcome_value_name(i));
  putc('\n', csv->out);
}

static void put_row(const struct csv *csv, size_t point, const char *name, const struct gpu_spec *spec, size_t w) {
  const size_t design = csv->points->designs[point], workloads = csv->outcomes->workload_count;
  const double *values = outcomes_at(csv->outcomes, design, w);
  const bool exact = outcomes_exact(csv->outcomes, design, w);
  char text[NUMBER_SIZE];
  fprintf(csv->out, "%zu,", point);
  text_put_csv(name, csv->out);
  putc(',', csv->out);
  text_put_csv(csv->evaluation->workloads[w].name, csv->out);
  for (size_t i = 0; i < csv->varied_count; i++)
    fprintf(csv->out, ",%s", params_format(csv->varied[i], spec, text, sizeof text));
  put_number(csv->scores->area[design], csv->out);
  put_number(csv->scores->speedups[design * workloads + w], csv->out);
  fprintf(csv->out, ",%s", exact ? "true" : "false");
  for (size_t i = 0; i < csv->outcomes->value_count; i++)
    put_number(values[i], csv->out);
  putc('\n', csv->out);
}

static int put_all(const struct csv *csv, struct error *error) {
  put_titles(csv);
  for (size_t point = 0; point < csv->points->count && !ferror(csv->out); point++) {
    if (csv->points->designs[point] == POINT_IMPOSSIBLE)
      continue;
    struct gpu_spec spec;
    char *name = points_name(csv->points, point);
    if (name == NULL)
      return error_set(error, ERROR_WORK, "out of memory");
    points_spec(csv->points, point, &spec, NULL);
    for (size_t w = 0; w < csv->outcomes->workload_count; w++)
      put_row(csv, point, name, &spec, w);
    free(name);
  }
  return 0;
}

int results_write_csv(const char *path, const struct points *points, const struct evaluation *evaluation,
                      const struct outcomes *outcomes, const struct scores *scores, struct error *error) {
  struct file_replace file;
  struct csv csv = {.points = points, .evaluation = evaluation, .outcomes = outcomes, .scores = scores};
  csv.varied = results_varied(points->sweep, &csv.varied_count);
  if (csv.varied == NULL)
    return error_set(error, ERROR_WORK, "out of memory");
  int status = file_replace_begin(&file, path, error);
  if (status == 0) {
    csv.out = file.stream;
    status = put_all(&csv, error);
    if (status == 0)
      status = file_replace_commit(&file, error);
    else
      file_replace_abort(&file);
  }
  free(csv.varied);
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
    if (name == NULL)
      return error_set(error, ERROR_WORK, "out of memory");
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
