#include "cli/baseline/baseline_report.h"

#include <math.h>
#include <stdio.h>

#include "cli/core/command.h"
#include "cli/core/table.h"

static void add_number(struct table *table, bool known, const char *format, double value) {
  char text[64] = "-";
  if (known && isfinite(value))
    snprintf(text, sizeof text, fabs(value) < 1e5 ? format : "%.1e", value);
  table_add(table, "%s", text);
}

static const char *or_dash(const char *text) {
  return text != NULL ? text : "-";
}

int baseline_print_text(const struct baseline_report *r, struct error *error) {
  const char *const parts[] = {r->board->name, " (", r->board->statistic, ", ", r->board->unit, ")", NULL};
  for (const char *const *part = parts; *part != NULL; part++)
    table_print_text(*part, stdout);
  printf("\n%zu measurements, held out by %s, seed %llu\n\n", r->board->count, r->cv, (unsigned long long)r->seed);
  struct table *table = table_create((struct table_column[]){{"predictor", false},
                                                             {"inputs", false},
                                                             {"selection", false},
                                                             {"held out: MAPE %", true},
                                                             {"Spearman", true},
                                                             {"in sample: MAPE %", true},
                                                             {"Spearman", true}},
                                     7);
  for (size_t i = 0; i < r->count; i++) {
    const struct baseline_row *row = &r->rows[i];
    table_add(table, "%s", row->predictor);
    table_add(table, "%s", or_dash(row->inputs));
    table_add(table, "%s", or_dash(row->selection));
    add_number(table, row->has_held_out, "%.1f", row->held_out.mape_percent);
    add_number(table, row->has_held_out, "%.3f", row->held_out.spearman);
    add_number(table, row->has_in_sample, "%.1f", row->in_sample.mape_percent);
    add_number(table, row->has_in_sample, "%.3f", row->in_sample.spearman);
  }
  const int status = table_print(table, stdout, error);
  table_destroy(table);
  return status;
}

static json_t *number_or_null(double value) {
  return isfinite(value) ? json_real(value) : json_null();
}

static json_t *score_json(bool known, const struct score *s) {
  if (!known)
    return json_null();
  return json_pack("{s:o, s:o, s:o, s:o}", "mape_percent", number_or_null(s->mape_percent), "pearson",
                   number_or_null(s->pearson), "spearman", number_or_null(s->spearman), "kendall",
                   number_or_null(s->kendall));
}

int baseline_print_json(const struct baseline_report *r, struct error *error) {
  json_t *rows = json_array();
  for (size_t i = 0; i < r->count; i++) {
    const struct baseline_row *row = &r->rows[i];
    json_array_append_new(rows, json_pack("{s:s, s:s?, s:s?, s:o, s:o}", "predictor", row->predictor, "inputs",
                                          row->inputs, "selection", row->selection, "held_out",
                                          score_json(row->has_held_out, &row->held_out), "in_sample",
                                          score_json(row->has_in_sample, &row->in_sample)));
  }
  return command_print_json(json_pack("{s:s, s:s, s:s, s:I, s:s, s:I, s:o}", "schema", "reassemble.baseline/1", "board",
                                      r->board->name, "gpu", r->gpu->name, "measurements", (json_int_t)r->board->count,
                                      "cv", r->cv, "seed", (json_int_t)r->seed, "predictors", rows),
                            error);
}
