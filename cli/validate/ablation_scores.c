/* How well a GPU predicts a board with each mechanism off in turn, and while they are added. */
#include "cli/simulate/ablation_report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "cli/core/command.h"
#include "cli/core/reference.h"
#include "cli/core/table.h"
#include "tuner/objective/baseline.h"
#include "tuner/objective/score.h"

struct step_score {
  struct score score;
  double scaled_mape_percent; /* predictions times the one factor that makes MAPE least */
  const double *theirs;       /* MAPE of the reference, NULL: it has none for this row */
};

struct scores {
  struct step_score *rows; /* [count of the ablation] */
  double *numbers;         /* predictions, scaled predictions */
  struct reference reference;
};

static void scores_clear(struct scores *scores) {
  free(scores->rows);
  free(scores->numbers);
  reference_clear(&scores->reference);
}

/* ---- the reference's rows are names of steps ---- */

static size_t find_step(const struct ablation *ablation, const char *name) {
  size_t v = 0;
  while (v < ablation->count &&
         (ablation->variants[v].kind != ABLATION_STEP || strcmp(ablation_name(&ablation->variants[v]), name) != 0))
    v++;
  return v;
}

static int place_reference(struct scores *scores, const struct ablation *ablation, const char *path,
                           struct error *error) {
  for (size_t i = 0; i < scores->reference.count; i++) {
    const struct reference_row *row = &scores->reference.rows[i];
    const size_t v = find_step(ablation, row->point);
    if (v == ablation->count)
      return error_at(error, ERROR_INPUT, path, 0, 0, "point",
                      "\"%.200s\" is no step of this ablation: expected \"basic\" or a mechanism that the GPU uses",
                      row->point);
    scores->rows[v].theirs = &row->theirs;
  }
  return 0;
}

static int load_reference(struct scores *scores, const struct ablation *ablation, const char *name,
                          struct error *error) {
  char *path;
  if (name == NULL)
    return 0;
  if (data_find(DATA_REFERENCE, name, &path, error) != 0)
    return -1;
  int status = reference_load(path, &scores->reference, error);
  if (status == 0)
    status = place_reference(scores, ablation, path, error);
  free(path);
  return status;
}

int ablation_check_reference(const struct gpu_spec *spec, const char *reference, struct error *error) {
  struct ablation ablation = {0};
  struct scores scores = {0};
  int status = ablation_list(spec, &ablation.variants, &ablation.count, error);
  if (status == 0 && (scores.rows = calloc(ablation.count, sizeof *scores.rows)) == NULL)
    status = error_set(error, ERROR_WORK, "out of memory");
  if (status == 0)
    status = load_reference(&scores, &ablation, reference, error);
  scores_clear(&scores);
  ablation_clear(&ablation);
  return status;
}

/* ---- scores ---- */

static void score_variant(struct scores *scores, const struct ablation *ablation, const struct measured_values *values,
                          size_t variant) {
  const double *all = (values->nanoseconds ? ablation->time_ns : ablation->cycles) + variant * ablation->kernels;
  double *predicted = scores->numbers, *scaled = scores->numbers + values->count;
  struct score best;
  for (size_t i = 0; i < values->count; i++)
    predicted[i] = all[values->kernel[i]];
  score_compute(values->measured, predicted, values->count, &scores->rows[variant].score);
  baseline_of_work(values->measured, predicted, values->count, false, scaled);
  score_compute(values->measured, scaled, values->count, &best);
  scores->rows[variant].scaled_mape_percent = best.mape_percent;
}

static int scores_make(struct scores *scores, const struct ablation *ablation, const struct measured_values *values,
                       const char *reference, struct error *error) {
  *scores = (struct scores){.rows = calloc(ablation->count, sizeof *scores->rows),
                            .numbers = calloc(2 * values->count, sizeof *scores->numbers)};
  int status = scores->rows != NULL && scores->numbers != NULL ? 0 : error_set(error, ERROR_WORK, "out of memory");
  if (status == 0)
    status = load_reference(scores, ablation, reference, error);
  for (size_t v = 0; v < ablation->count && status == 0; v++)
    score_variant(scores, ablation, values, v);
  if (status != 0)
    scores_clear(scores);
  return status;
}

/* ---- text ---- */

static void add_number(struct table *table, const char *format, double value) {
  char text[32];
  snprintf(text, sizeof text, *format == '3' ? "%.3f" : "%.1f", value);
  table_add(table, "%s", isfinite(value) ? text : "n/a");
}

static void add_row(struct table *table, const struct ablation_variant *variant, const struct step_score *row,
                    bool reference) {
  char *label = ablation_label(variant);
  table_add(table, "%s", label != NULL ? label : "?");
  free(label);
  add_number(table, "1", row->score.mape_percent);
  add_number(table, "1", row->scaled_mape_percent);
  add_number(table, "3", row->score.pearson);
  add_number(table, "3", row->score.spearman);
  add_number(table, "3", row->score.kendall);
  if (reference && row->theirs != NULL)
    add_number(table, "1", *row->theirs);
  else if (reference)
    table_add(table, "%s", "");
}

static int print_kind(const struct ablation *ablation, const struct scores *scores, bool steps, struct error *error) {
  const bool reference = steps && scores->reference.count > 0;
  struct table *table = table_create((struct table_column[]){{steps ? "added one by one" : "one off in turn", false},
                                                             {"MAPE %", true},
                                                             {"with one scale %", true},
                                                             {"Pearson", true},
                                                             {"Spearman", true},
                                                             {"Kendall", true},
                                                             {"reference MAPE %", true}},
                                     reference ? 7 : 6);
  for (size_t v = 0; v < ablation->count; v++)
    if ((ablation->variants[v].kind == ABLATION_STEP) == steps)
      add_row(table, &ablation->variants[v], &scores->rows[v], reference);
  const int status = table_print(table, stdout, error);
  table_destroy(table);
  return status;
}

int ablation_print_scores(const struct ablation *ablation, const struct measured_values *values, const char *reference,
                          struct error *error) {
  struct scores scores;
  if (scores_make(&scores, ablation, values, reference, error) != 0)
    return -1;
  int status = print_kind(ablation, &scores, false, error);
  putchar('\n');
  if (status == 0)
    status = print_kind(ablation, &scores, true, error);
  if (status == 0 && scores.reference.count > 0) {
    fputs("\nReference: ", stdout);
    table_print_text(scores.reference.source, stdout);
    putchar('\n');
  }
  scores_clear(&scores);
  return status;
}

/* ---- JSON ---- */

static json_t *number_or_null(double value) {
  return isfinite(value) ? json_real(value) : json_null();
}

json_t *ablation_scores_json(const struct ablation *ablation, const struct measured_values *values,
                             const char *reference, struct error *error) {
  struct scores scores;
  if (scores_make(&scores, ablation, values, reference, error) != 0)
    return NULL;
  json_t *list = json_array();
  for (size_t v = 0; v < ablation->count; v++) {
    const struct step_score *row = &scores.rows[v];
    json_t *variant = ablation_variant_json(&ablation->variants[v]);
    json_object_set_new(variant, "mape_percent", number_or_null(row->score.mape_percent));
    json_object_set_new(variant, "mape_percent_with_one_scale", number_or_null(row->scaled_mape_percent));
    json_object_set_new(variant, "pearson", number_or_null(row->score.pearson));
    json_object_set_new(variant, "spearman", number_or_null(row->score.spearman));
    json_object_set_new(variant, "kendall", number_or_null(row->score.kendall));
    json_object_set_new(variant, "reference_mape_percent", row->theirs != NULL ? json_real(*row->theirs) : json_null());
    json_array_append_new(list, variant);
  }
  scores_clear(&scores);
  return list;
}
