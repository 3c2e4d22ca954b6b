/* Shows the result of `validate` for one board and for several. */
#include "cli/validate/validation.h"
#include "cli/replay/view_result.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/validate/ablation_scores.h"
#include "tuner/measured_board.h"
#include "tuner/objective/pair_order.h"

/* Text shows so many kernels of a board at most: those with the largest errors. */
enum { MOST_SHOWN = 60 };

static double error_percent(const struct validation *v, size_t i) {
  return 100 * (v->predicted[i] - v->measured[i]) / v->measured[i];
}

struct erring {
  double size;
  size_t at;
};

static int larger_first(const void *a, const void *b) {
  const struct erring *x = a, *y = b;
  if (x->size != y->size)
    return x->size > y->size ? -1 : 1;
  return x->at < y->at ? -1 : 1;
}

/* Writes in which order kernels are shown; returns how many, 0 where memory ran out. */
static size_t order_kernels(const struct validation *v, bool all, size_t *order) {
  struct erring *list = calloc(v->count, sizeof *list);
  if (!list)
    return 0;
  for (size_t i = 0; i < v->count; i++)
    list[i] = (struct erring){fabs(error_percent(v, i)), i};
  if (!all)
    qsort(list, v->count, sizeof *list, larger_first);
  for (size_t i = 0; i < v->count; i++)
    order[i] = list[i].at;
  free(list);
  return all ? v->count : MOST_SHOWN / 3;
}

static void show_kernel(const struct validation *v, size_t i, struct view_list *list) {
  const struct board_measurement *m = &v->board->measurements[v->point[i]];
  VIEW_ROW(list, view_text(m->name), view_text(m->workload), view_text(m->description), view_real(v->measured[i]),
           view_real(v->predicted[i]), view_real(error_percent(v, i)), view_real(v->measured_rank[i]),
           view_real(v->predicted_rank[i]));
}

static void show_kernels(const struct validation *v, struct view *view) {
  const char *number = board_unit_ns(v->board) > 1 ? "%.4g" : "%.0f";
  const bool all = view_is_json(view) || v->count <= MOST_SHOWN;
  const struct view_column columns[] = {
      {.key = "name", .title = "kernel"},
      {.key = "workload"},
      {.key = "description", .title = "description", .last = true},
      {.key = "measured", .title = "measured", .format = number},
      {.key = "predicted", .title = "predicted", .format = number},
      {.key = "error_percent", .title = "error %", .format = "%+.1f"},
      {.key = "measured_rank", .title = "rank", .format = "%g"},
      {.key = "predicted_rank", .title = "predicted rank", .format = "%g"},
  };
  struct view_list list;
  size_t *order = calloc(v->count, sizeof *order);
  const size_t shown = order ? order_kernels(v, all, order) : 0;
  if (!all)
    view_say(view, "The %zu largest errors of %zu (--json and --scatter have all)\n\n", shown, v->count);
  view_list_begin(view, "kernels", columns, sizeof columns / sizeof columns[0], &list);
  for (size_t i = 0; i < shown; i++)
    show_kernel(v, order[i], &list);
  view_list_end(&list);
  view->failed |= shown == 0;
  free(order);
}

/* Points that the GPU cannot run are not part of the scores. */
static void show_refusals(const struct validation *v, struct view *view) {
  static const struct view_column columns[] = {
      {.key = "name", .title = "cannot run"}, {.key = "workload"}, {.key = "reason", .title = "why", .last = true}};
  struct view_list list;
  if (v->refusal_count == 0)
    return;
  view_say(view, "\n");
  view_list_begin(view, "refusals", columns, sizeof columns / sizeof columns[0], &list);
  for (size_t i = 0; i < v->refusal_count; i++) {
    const struct board_measurement *m = &v->board->measurements[v->refusals[i].point];
    VIEW_ROW(&list, view_text(m->name), view_text(m->workload), view_text(v->refusals[i].reason));
  }
  view_list_end(&list);
}

static const char *name_of_largest(const struct validation *v) {
  size_t largest = 0;
  for (size_t i = 1; i < v->count; i++)
    if (v->measured[i] > v->measured[largest])
      largest = i;
  return v->board->measurements[v->point[largest]].name;
}

/* The free scale of a board, and how well predictions fit without it. */
static void show_scale(const struct validation *v, struct view *view, int width, int inner_width) {
  const struct view_field scale = {"scale", "scale (free)", "%6.3f", NULL, width};
  const struct view_field raw = {"raw_mape_percent", "  MAPE without it", "%6.1f", "%", inner_width};
  if (!v->board->free_scale)
    return;
  view_field(view, &scale, view_real(v->scale));
  view_field(view, &raw, view_real(v->raw.mape_percent));
}

/* Returns how many percent of the measurements lie in the interval that the GPU's file states; NaN where it states none
 * or there are too few of them to tell. */
static double interval_coverage(const struct validation *v) {
  enum { FEWEST = 10 };
  const double factor = 1 + v->replay.gpu->spec.prediction_error_ratio;
  size_t held = 0;
  for (size_t i = 0; i < v->count; i++)
    held += v->measured[i] <= v->predicted[i] * factor && v->predicted[i] <= v->measured[i] * factor;
  return factor > 1 && v->count >= FEWEST ? 100 * (double)held / (double)v->count : NAN;
}

/* Returns the pairs of measurements that the GPU's file tells apart; none where it does not say how. */
static struct pair_order stated_order(const struct validation *v) {
  const double ratio = v->replay.gpu->spec.order_error_ratio;
  return ratio > 0 ? pair_order_count(v->measured, v->predicted, v->count, ratio) : (struct pair_order){0};
}

static double told_apart_percent(const struct validation *v) {
  const struct pair_order order = stated_order(v);
  const double pairs = (double)v->count * (double)(v->count - 1) / 2;
  return order.ratio > 0 && pairs > 0 ? 100 * (double)order.told_apart / pairs : NAN;
}

static double wrong_order_percent(const struct validation *v) {
  const struct pair_order order = stated_order(v);
  return order.told_apart > 0 ? 100 * (double)order.wrong / (double)order.told_apart : NAN;
}

static const char *source_of(const struct gpu *gpu, size_t row) {
  const char *source = gpu->origins[row].source;
  return source ? source : "unknown: out of memory";
}

/* Returns the source of the prediction error that the GPU's file states: the measurements that it was tuned to, and how
 * many numbers these determine, which a score does not tell. NULL: the file states no error. */
static const char *stated_error(const struct gpu *gpu) {
  const struct param *row = params_find(&gpu_params, "prediction_error_ratio");
  return gpu->spec.prediction_error_ratio > 0 ? source_of(gpu, (size_t)(row - gpu_params.list)) : NULL;
}

/* A coefficient of fewer than two kernels, or of equal ones, is not defined: null. */
static void show_scores(const struct validation *v, struct view *view) {
  enum { WIDTH = 19, INNER_WIDTH = 21 };
  static const size_t always_shown = 8; /* the rest only where it is defined */
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
      {{"scaled_mape_percent", "  after one scale", "%6.1f", "%", INNER_WIDTH}, s->scaled_mape_percent},
      {{"pearson", "Pearson", "%6.3f", NULL, WIDTH}, s->pearson},
      {{"spearman", "Spearman", "%6.3f", NULL, WIDTH}, s->spearman},
      {{"kendall", "Kendall", "%6.3f", NULL, WIDTH}, s->kendall},
      {{"first_choice_loss_percent", "first choice loses", "%6.1f", "%", WIDTH}, s->first_choice_loss_percent},
      {{"best_of_ten_loss_percent", "best of ten loses", "%6.1f", "%", WIDTH}, s->best_of_ten_loss_percent},
      {{"interval_coverage_percent", "in their interval", "%6.1f", "%", WIDTH}, interval_coverage(v)},
      {{"noise_percent", "measurement noise", "%6.1f", "%", WIDTH}, measured_board_noise_percent(v->board)},
      {{"told_apart_percent", "pairs told apart", "%6.1f", "%", WIDTH}, told_apart_percent(v)},
      {{"wrong_order_percent", "  in wrong order", "%6.1f", "%", INNER_WIDTH}, wrong_order_percent(v)},
  };
  view_say(view, "\n");
  view_object_begin(view, "summary");
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
    if (view_is_json(view) || isfinite(rows[i].value) || i < always_shown)
      view_field(view, &rows[i].field, view_real(rows[i].value));
  view_member(view, "order_error_ratio", view_real(pair_order_find(v->measured, v->predicted, v->count).ratio));
  show_scale(v, view, WIDTH, INNER_WIDTH);
  view_object_end(view);
  view_say(view, "\n");
  view_member(view, "prediction_error_source", view_text(stated_error(v->replay.gpu)));
}

/* Returns whether a parameter is a latency that matters on the GPU: those of mechanisms that are off and that its file
 * does not state are left out. */
static bool is_shown(const struct gpu *gpu, size_t row) {
  const unsigned flags = gpu_params.list[row].flags;
  return (flags & PARAM_TUNABLE) && (!(flags & PARAM_OPTION) || strcmp(source_of(gpu, row), "default") != 0);
}

static void show_latencies(const struct validation *v, struct view *view) {
  const struct gpu *gpu = v->replay.gpu;
  view_say(view, "Latencies of this GPU (`reassemble params --gpu %s --sources` shows all):\n", gpu->name);
  for (size_t i = 0; i < gpu_params.count; i++) {
    char value[64];
    if (is_shown(gpu, i))
      view_say(view, "  %-23s %6s  %s\n", gpu_params.list[i].key,
               params_format(&gpu_params.list[i], &gpu->spec, value, sizeof value), source_of(gpu, i));
  }
  if (stated_error(gpu))
    view_say(view, "Error of a prediction, as its file states it: %.1f %%, %s\n",
             100 * gpu->spec.prediction_error_ratio, stated_error(gpu));
}

int validation_show(const struct validation *v, struct view *view, struct error *error) {
  const struct board *board = v->board;
  view_member(view, "gpu", view_text(v->replay.gpu->name));
  view_provenance(view, &v->replay);
  view_member(view, "board", view_text(board->name));
  if (board->choice)
    view_member(view, "points", view_text(board->choice));
  view_member(view, "unit", view_text(board->unit));
  view_object_begin(view, "summary"); /* which stands before the kernels in JSON, and behind them in text */
  view_object_end(view);
  view_say(view, "%s on %s%s%s (%s%s%s)\n", v->replay.gpu->name, board->name, board->choice ? ":" : "",
           board->choice ? board->choice : "", board->statistic ? board->statistic : "", board->statistic ? ", " : "",
           board->unit);
  view_say(view, "%s\n\n", board->source ? board->source : "(the board does not say where its times are from)");
  show_kernels(v, view);
  show_refusals(v, view);
  show_scores(v, view);
  show_latencies(v, view);
  if (!v->setup->ablate)
    return 0;
  const struct measured_values values = {v->count, v->measured, &v->launches, v->kernels, board_unit_ns(board)};
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
    VIEW_ROW(&table, view_text(list[i].board->name), view_text(list[i].replay.gpu->name), view_whole(list[i].count),
             view_real(s->mape_percent), view_real(s->constant_baseline_mape_percent),
             view_real(list[i].work.mape_percent), view_real(s->pearson), view_real(s->spearman),
             view_real(s->kendall));
  }
  view_list_end(&table);
}
