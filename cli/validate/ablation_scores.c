#include "cli/validate/ablation_scores.h"

#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "cli/core/reference.h"
#include "tuner/objective/score.h"

struct step_score {
  struct score score;
  const double *theirs; /* MAPE of the reference, NULL: it has none for this row */
};

struct scores {
  struct step_score *rows; /* [count of the ablation] */
  double *numbers;         /* predictions, times of launches */
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
  if (!name)
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
  if (status == 0 && !(scores.rows = calloc(ablation.count, sizeof *scores.rows)))
    status = error_no_memory(error);
  if (status == 0)
    status = load_reference(&scores, &ablation, reference, error);
  scores_clear(&scores);
  ablation_clear(&ablation);
  return status;
}

/* ---- scores ---- */

static void score_variant(struct scores *scores, const struct ablation *ablation, const struct measured_values *values,
                          size_t variant) {
  const size_t first = variant * ablation->kernels;
  double *predicted = scores->numbers, *times = predicted + values->count;
  for (size_t i = 0; i < values->launches->count; i++) {
    const size_t at = first + values->kernels[i];
    times[i] = values->unit_ns > 0 ? ablation->time_ns[at] / values->unit_ns : ablation->cycles[at];
  }
  for (size_t i = 0; i < values->count; i++)
    predicted[i] = board_launches_sum(values->launches, i, times);
  score_compute(values->measured, predicted, values->count, &scores->rows[variant].score);
}

static int scores_make(struct scores *scores, const struct ablation *ablation, const struct measured_values *values,
                       const char *reference, struct error *error) {
  *scores = (struct scores){.rows = calloc(ablation->count, sizeof *scores->rows),
                            .numbers = calloc(values->count + values->launches->count, sizeof *scores->numbers)};
  int status = scores->rows && scores->numbers ? 0 : error_no_memory(error);
  if (status == 0)
    status = load_reference(scores, ablation, reference, error);
  for (size_t v = 0; v < ablation->count && status == 0; v++)
    score_variant(scores, ablation, values, v);
  if (status != 0)
    scores_clear(scores);
  return status;
}

/* ---- rows ---- */

static const struct view_column columns[] = {
    ABLATION_COLUMNS,
    {.key = "mape_percent", .title = "MAPE %", .format = "%.1f"},
    {.key = "mape_percent_with_one_scale", .title = "with one scale %", .format = "%.1f"},
    {.key = "pearson", .title = "Pearson", .format = "%.3f"},
    {.key = "spearman", .title = "Spearman", .format = "%.3f"},
    {.key = "kendall", .title = "Kendall", .format = "%.3f"},
    {.key = "reference_mape_percent", .title = "reference MAPE %", .format = "%.1f"},
};
enum { COLUMNS = sizeof columns / sizeof columns[0] };

static void add_row(const struct ablation *ablation, size_t variant, struct view_list *list, const void *context) {
  const struct scores *scores = context;
  const struct step_score *row = &scores->rows[variant];
  char *label = ablation_label(&ablation->variants[variant]);
  struct view_value values[COLUMNS];
  list->view->failed = list->view->failed || !label;
  ablation_values(&ablation->variants[variant], label, values);
  struct view_value *rest = values + ABLATION_COLUMNS_COUNT;
  rest[0] = view_real(row->score.mape_percent);
  rest[1] = view_real(row->score.scaled_mape_percent);
  rest[2] = view_real(row->score.pearson);
  rest[3] = view_real(row->score.spearman);
  rest[4] = view_real(row->score.kendall);
  rest[5] = row->theirs ? view_real(*row->theirs) : view_null();
  view_row(list, values, COLUMNS);
  free(label);
}

int ablation_scores_show(const struct ablation *ablation, const struct measured_values *values, const char *reference,
                         struct view *view, struct error *error) {
  struct scores scores;
  if (scores_make(&scores, ablation, values, reference, error) != 0)
    return -1;
  ablation_show(ablation, view, columns, COLUMNS, add_row, &scores);
  if (scores.reference.count > 0)
    view_say(view, "\nReference: %s\n", scores.reference.source);
  scores_clear(&scores);
  return 0;
}
