/* What `validate` shows of one board, and of several. */
#include "cli/validate/validation.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cli/validate/ablation_scores.h"

static void show_kernels(const struct validation *v, struct view *view) {
  static const struct view_column columns[] = {
      {.key = "name", .title = "kernel"},
      {.key = "workload"},
      {.key = "description", .title = "description", .last = true},
      {.key = "measured", .title = "measured", .format = "%.0f"},
      {.key = "predicted", .title = "predicted", .format = "%.0f"},
      {.key = "error_percent", .title = "error %", .format = "%+.1f"},
      {.key = "measured_rank", .title = "rank", .format = "%g"},
      {.key = "predicted_rank", .title = "predicted rank", .format = "%g"},
  };
  struct view_list list;
  view_list_begin(view, "kernels", columns, sizeof columns / sizeof columns[0], &list);
  for (size_t i = 0; i < v->board->count; i++) {
    const struct board_measurement *m = &v->board->measurements[i];
    VIEW_ROW(&list, view_text(m->name), view_text(m->workload), view_text(m->description), view_real(v->measured[i]),
             view_real(v->predicted[i]), view_real(100 * (v->predicted[i] - v->measured[i]) / v->measured[i]),
             view_real(v->measured_rank[i]), view_real(v->predicted_rank[i]));
  }
  view_list_end(&list);
}

static const char *name_of_largest(const struct validation *v) {
  size_t largest = 0;
  for (size_t i = 1; i < v->board->count; i++)
    if (v->measured[i] > v->measured[largest])
      largest = i;
  return v->board->measurements[largest].name;
}

/* A coefficient of fewer than two kernels, or of equal ones, is not defined: null. */
static void show_scores(const struct validation *v, struct view *view) {
  enum { WIDTH = 19, INNER_WIDTH = 21 };
  const struct score *s = &v->score;
  char without[128];
  snprintf(without, sizeof without, "  without %s", name_of_largest(v));
  const struct {
    struct view_field field;
    double value;
  } rows[] = {
      {{"mape_percent", "MAPE", "%6.1f", "%", WIDTH}, s->mape_percent},
      {{"mape_percent_without_largest", without, "%6.1f", "%", INNER_WIDTH}, s->mape_percent_without_largest},
      {{"constant_baseline_mape_percent", "  constant guess", "%6.1f", "%", INNER_WIDTH},
       s->constant_baseline_mape_percent},
      {{"issue_slots_baseline_mape_percent", "  issue slots", "%6.1f", "%", INNER_WIDTH}, v->work.mape_percent},
      {{"pearson", "Pearson", "%6.3f", NULL, WIDTH}, s->pearson},
      {{"spearman", "Spearman", "%6.3f", NULL, WIDTH}, s->spearman},
      {{"kendall", "Kendall", "%6.3f", NULL, WIDTH}, s->kendall},
  };
  view_say(view, "\n");
  view_object_begin(view, "summary");
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
    view_field(view, &rows[i].field, view_real(rows[i].value));
  view_object_end(view);
  view_say(view, "\n");
}

/* Returns whether a parameter is a latency that matters on the GPU: those of mechanisms that are off and that its file
 * does not state are left out. */
static bool is_shown(const struct gpu *gpu, size_t row) {
  const unsigned flags = gpu_params.rows[row].flags;
  return (flags & PARAM_TUNABLE) && (!(flags & PARAM_OPTION) || strcmp(gpu->origins[row].source, "default") != 0);
}

static void show_latencies(const struct validation *v, struct view *view) {
  const struct gpu *gpu = v->replay.gpu;
  view_say(view, "Latencies of this GPU (`reassemble params --gpu %s --sources` shows all):\n", gpu->name);
  for (size_t i = 0; i < gpu_params.count; i++) {
    char value[64];
    if (is_shown(gpu, i))
      view_say(view, "  %-23s %6s  %s\n", gpu_params.rows[i].key,
               params_format(&gpu_params.rows[i], &gpu->spec, value, sizeof value), gpu->origins[i].source);
  }
}

int validation_show(const struct validation *v, struct view *view, struct error *error) {
  const struct board *board = v->board;
  view_member(view, "gpu", view_text(v->replay.gpu->name));
  view_member(view, "board", view_text(board->name));
  view_member(view, "unit", view_text(board->unit));
  view_object_begin(view, "summary"); /* which stands before the kernels in JSON, and behind them in text */
  view_object_end(view);
  view_say(view, "%s on %s (%s, %s)\n%s\n\n", v->replay.gpu->name, board->name, board->statistic, board->unit,
           board->source);
  show_kernels(v, view);
  show_scores(v, view);
  show_latencies(v, view);
  if (!v->setup->ablate)
    return 0;
  const struct measured_values values = {board->count, v->measured, v->kernel, strcmp(board->unit, "ns") == 0};
  return ablation_scores_show(&v->ablation, &values, v->setup->reference, view, error);
}

void validation_show_summary(const struct validation *list, size_t count, struct view *view) {
  static const struct view_column columns[] = {
      {.title = "board"},
      {.title = "gpu"},
      {.title = "kernels", .format = "%d"},
      {.title = "MAPE %", .format = "%.1f"},
      {.title = "constant guess", .format = "%.1f"},
      {.title = "issue slots", .format = "%.1f"},
      {.title = "Pearson", .format = "%.3f"},
      {.title = "Spearman", .format = "%.3f"},
      {.title = "Kendall", .format = "%.3f"},
  };
  struct view_list table;
  view_list_begin(view, NULL, columns, sizeof columns / sizeof columns[0], &table);
  for (size_t i = 0; i < count; i++) {
    const struct score *s = &list[i].score;
    VIEW_ROW(&table, view_text(list[i].board->name), view_text(list[i].replay.gpu->name),
             view_whole(list[i].board->count), view_real(s->mape_percent), view_real(s->constant_baseline_mape_percent),
             view_real(list[i].work.mape_percent), view_real(s->pearson), view_real(s->spearman),
             view_real(s->kendall));
  }
  view_list_end(&table);
}
