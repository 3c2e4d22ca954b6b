/* What `validate` prints of one board, and of several. */
#include "cli/validate/validation.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cli/core/table.h"

static double error_percent(const struct validation *v, size_t i) {
  return 100 * (v->predicted[i] - v->measured[i]) / v->measured[i];
}

/* A coefficient of fewer than two kernels, or of equal ones, is not defined. */
static const char *score_text(double value, int decimals, char text[32]) {
  if (isfinite(value))
    snprintf(text, 32, "%6.*f", decimals, value);
  else
    strcpy(text, "   n/a");
  return text;
}

/* JSON has no NaN: a coefficient that is not defined becomes null. */
static json_t *number_or_null(double value) {
  return isfinite(value) ? json_real(value) : json_null();
}

static json_t *kernels_json(const struct validation *v) {
  json_t *array = json_array();
  for (size_t i = 0; i < v->board->count; i++) {
    json_t *kernel =
        json_pack("{s:s, s:s, s:s, s:f, s:f, s:f, s:f, s:f}", "name", v->board->measurements[i].name, "workload",
                  v->board->measurements[i].workload, "description", v->board->measurements[i].description, "measured",
                  v->measured[i], "predicted", v->predicted[i], "error_percent", error_percent(v, i), "measured_rank",
                  v->measured_rank[i], "predicted_rank", v->predicted_rank[i]);
    if (json_array_append_new(array, kernel) != 0) {
      json_decref(array);
      return NULL;
    }
  }
  return array;
}

static struct measured_values measured_values(const struct validation *v) {
  return (struct measured_values){v->board->count, v->measured, v->kernel, strcmp(v->board->unit, "ns") == 0};
}

json_t *validation_json(const struct validation *v, struct error *error) {
  const struct score *s = &v->score;
  const struct measured_values values = measured_values(v);
  json_t *ablation = v->setup->ablate ? ablation_scores_json(&v->ablation, &values, v->setup->reference, error) : NULL;
  if (v->setup->ablate && ablation == NULL)
    return NULL;
  json_t *root = json_pack("{s:s, s:s, s:s, s:s, s:{s:o, s:o, s:o, s:o, s:o, s:o, s:o}, s:o, s:o*}", "schema",
                           "reassemble.validate/1", "gpu", v->replay.gpu->name, "board", v->board->name, "unit",
                           v->board->unit, "summary", "mape_percent", number_or_null(s->mape_percent),
                           "mape_percent_without_largest", number_or_null(s->mape_percent_without_largest),
                           "constant_baseline_mape_percent", number_or_null(s->constant_baseline_mape_percent),
                           "issue_slots_baseline_mape_percent", number_or_null(v->work.mape_percent), "pearson",
                           number_or_null(s->pearson), "spearman", number_or_null(s->spearman), "kendall",
                           number_or_null(s->kendall), "kernels", kernels_json(v), "ablation", ablation);
  if (root == NULL)
    error_set(error, ERROR_WORK, "out of memory");
  return root;
}

static int print_kernels(const struct validation *v, struct error *error) {
  struct table *table = table_create((struct table_column[]){{"kernel", false},
                                                             {"measured", true},
                                                             {"predicted", true},
                                                             {"error %", true},
                                                             {"rank", true},
                                                             {"predicted rank", true},
                                                             {"description", false}},
                                     7);
  for (size_t i = 0; i < v->board->count; i++) {
    table_add(table, "%s", v->board->measurements[i].name);
    table_add(table, "%.0f", v->measured[i]);
    table_add(table, "%.0f", v->predicted[i]);
    table_add(table, "%+.1f", error_percent(v, i));
    table_add(table, "%g", v->measured_rank[i]);
    table_add(table, "%g", v->predicted_rank[i]);
    table_add(table, "%s", v->board->measurements[i].description);
  }
  const int status = table_print(table, stdout, error);
  table_destroy(table);
  return status;
}

static const char *name_of_largest(const struct validation *v) {
  size_t largest = 0;
  for (size_t i = 1; i < v->board->count; i++)
    if (v->measured[i] > v->measured[largest])
      largest = i;
  return v->board->measurements[largest].name;
}

static void print_head(const struct validation *v) {
  const char *const parts[] = {
      v->replay.gpu->name, " on ", v->board->name, " (", v->board->statistic, ", ", v->board->unit, ")", NULL};
  for (const char *const *part = parts; *part != NULL; part++)
    table_print_text(*part, stdout);
  putchar('\n');
  table_print_text(v->board->source, stdout);
  fputs("\n\n", stdout);
}

static void print_scores(const struct validation *v) {
  const struct score *s = &v->score;
  char text[32], largest[128];
  printf("\nMAPE               %s %%\n  without ", score_text(s->mape_percent, 1, text));
  snprintf(largest, sizeof largest, "%-10s", name_of_largest(v));
  table_print_text(largest, stdout);
  printf(" %s %%\n", score_text(s->mape_percent_without_largest, 1, text));
  printf("  constant guess     %s %%\n", score_text(s->constant_baseline_mape_percent, 1, text));
  printf("  issue slots        %s %%\n", score_text(v->work.mape_percent, 1, text));
  printf("Pearson            %s\n", score_text(s->pearson, 3, text));
  printf("Spearman           %s\n", score_text(s->spearman, 3, text));
  printf("Kendall            %s\n\n", score_text(s->kendall, 3, text));
}

int validation_print(const struct validation *v, struct error *error) {
  print_head(v);
  if (print_kernels(v, error) != 0)
    return -1;
  print_scores(v);
  printf("Latencies of this GPU (`reassemble params --gpu %s --sources` shows all):\n", v->replay.gpu->name);
  for (size_t i = 0; i < gpu_params.count; i++) {
    char value[64];
    if (gpu_params.rows[i].flags & PARAM_TUNABLE)
      printf("  %-17s %6s  %s\n", gpu_params.rows[i].key,
             params_format(&gpu_params.rows[i], &v->replay.gpu->spec, value, sizeof value),
             v->replay.gpu->origins[i].source);
  }
  if (!v->setup->ablate)
    return 0;
  const struct measured_values values = measured_values(v);
  putchar('\n');
  return ablation_print_scores(&v->ablation, &values, v->setup->reference, error);
}

int validation_print_summary(const struct validation *list, size_t count, struct error *error) {
  struct table *table = table_create((struct table_column[]){{"board", false},
                                                             {"gpu", false},
                                                             {"kernels", true},
                                                             {"MAPE %", true},
                                                             {"constant guess", true},
                                                             {"issue slots", true},
                                                             {"Pearson", true},
                                                             {"Spearman", true},
                                                             {"Kendall", true}},
                                     9);
  for (size_t i = 0; i < count; i++) {
    const struct score *s = &list[i].score;
    char text[32];
    table_add(table, "%s", list[i].board->name);
    table_add(table, "%s", list[i].replay.gpu->name);
    table_add(table, "%zu", list[i].board->count);
    table_add(table, "%s", score_text(s->mape_percent, 1, text));
    table_add(table, "%s", score_text(s->constant_baseline_mape_percent, 1, text));
    table_add(table, "%s", score_text(list[i].work.mape_percent, 1, text));
    table_add(table, "%s", score_text(s->pearson, 3, text));
    table_add(table, "%s", score_text(s->spearman, 3, text));
    table_add(table, "%s", score_text(s->kendall, 3, text));
  }
  const int status = table_print(table, stdout, error);
  table_destroy(table);
  return status;
}
