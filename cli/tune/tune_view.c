#include "cli/tune/tune_view.h"

#include <math.h>
#include <stdio.h>

static void show_head(const struct tune_report *r, struct view *view) {
  const struct tune *t = r->tune;
  view_member(view, "tool_version", view_text(REASSEMBLE_VERSION));
  view_member(view, "gpu", view_text(r->gpu->name));
  view_member(view, "board", view_text(r->board->name));
  view_member(view, "unit", view_text(r->board->unit));
  view_member(view, "method", view_text(t->setup.method->name));
  view_member(view, "penalty_percent", view_real(t->setup.penalty_percent));
  view_member(view, "seed", view_whole(t->setup.seed));
  view_member(view, "evaluations", view_whole(tune_evaluations(t)));
  view_member(view, "exact_evaluations", view_whole(t->evaluator.asked));
  view_member(view, "searched_on", r->search_on > 0 ? view_whole(r->search_on) : view_null());
  view_member(view, "searched_on_evaluations", view_whole(t->part_asked));
  view_member(view, "searched_on_exact_evaluations", view_whole(t->part_exact));
  view_member(view, "measurements", view_whole(t->setup.predictor->count));
  view_member(view, "start_objective", view_real(t->start_cost));
  view_member(view, "objective_value", view_real(t->cost));
  view_member(view, "nothing_moves", view_truth(t->nothing_moves));
  view_member(view, "forced", view_truth(t->underdetermined));
  view_member(view, "objective", view_text(r->objective));
  view_member(view, "replicas", view_whole(t->replicas));
  view_say(view, "%s tuned to %s (%s, %s)\nmethod %s, objective %s", r->gpu->name, r->board->name, r->board->statistic,
           r->board->unit, t->setup.method->name, r->objective);
  if (t->setup.penalty_percent > 0)
    view_say(view, ", penalty %.3g %%", t->setup.penalty_percent);
  if (r->cv)
    view_say(view, ", held out by %s", t->held_out_linear ? "refits of the linear model" : r->cv);
  view_say(view, ", seed %llu: %zu evaluations, %zu of them exact, of %zu kernels", (unsigned long long)t->setup.seed,
           tune_evaluations(t), t->evaluator.asked, t->setup.predictor->count);
  if (r->search_on > 0)
    view_say(view, ", and %zu, %zu of them exact, of %zu that stand for all", t->part_asked, t->part_exact,
             r->search_on);
  view_say(view, "\n\n");
}

static void show_parameters(const struct tune *t, struct view *view) {
  static const struct view_column columns[] = {
      {.key = "key", .title = "parameter"},
      {.key = "unit"},
      {.key = "start", .title = "start", .format = "%.4g"},
      {.key = "tuned", .title = "tuned", .format = "%.4g"},
      {.key = "interval", .title = "interval"},
      {.key = "low"},
      {.key = "high"},
      {.title = "range"},
      {.key = "at_bound"},
      {.key = "moves_predictions"},
      {.title = "note"},
  };
  struct view_list list;
  view_list_begin(view, "parameters", columns, sizeof columns / sizeof columns[0], &list);
  for (size_t i = 0; i < t->setup.space->count; i++) {
    const struct space_axis *axis = &t->setup.space->axes[i];
    const struct interval *interval = &t->parameter_intervals[i];
    const bool at_bound = tune_at_bound(t, i);
    VIEW_ROW(&list, view_text(axis->param->key), view_text(axis->param->unit), view_real(axis->start),
             view_real(t->tuned[i]), t->replicas > 0 ? view_pair(interval->low, interval->high) : view_null(),
             view_real(axis->low), view_real(axis->high), view_pair(axis->low, axis->high), view_truth(at_bound),
             view_truth(!t->inert[i]),
             view_text(t->inert[i] ? "moves no prediction"
                       : at_bound  ? "at the end of its range"
                                   : ""));
  }
  view_list_end(&list);
}

/* ---- scores ---- */

static const struct view_column score_columns[] = {
    {.title = ""},
    {.key = "mape_percent", .title = "MAPE %", .format = "%.1f"},
    {.key = "mape_percent_without_largest", .title = "without largest", .format = "%.1f"},
    {.key = "scaled_mape_percent", .title = "one scale", .format = "%.1f"},
    {.key = "pearson", .title = "Pearson", .format = "%.3f"},
    {.key = "spearman", .title = "Spearman", .format = "%.3f"},
    {.key = "kendall", .title = "Kendall", .format = "%.3f"},
    {.key = "first_choice_loss_percent", .title = "first choice %", .format = "%.1f"},
    {.key = "best_of_ten_loss_percent", .title = "best of ten %", .format = "%.1f"},
};
enum { SCORE_COLUMNS = sizeof score_columns / sizeof score_columns[0] };

void tune_scores_begin(struct view *view, const char *key, struct view_list *map) {
  view_map_begin(view, key, score_columns, SCORE_COLUMNS, map);
}

void tune_score_row(struct view_list *map, const char *name, const char *label, const struct score *score) {
  const struct score none = {0}, *s = score ? score : &none;
  const struct view_value values[] = {view_text(label),
                                      view_real(s->mape_percent),
                                      view_real(s->mape_percent_without_largest),
                                      view_real(s->scaled_mape_percent),
                                      view_real(s->pearson),
                                      view_real(s->spearman),
                                      view_real(s->kendall),
                                      view_real(s->first_choice_loss_percent),
                                      view_real(s->best_of_ten_loss_percent)};
  view_map_row(map, name, score ? values : NULL, SCORE_COLUMNS);
}

/* Shows what no score can say: how few numbers the measurements determine, and how exact they are. */
static void show_limits(const struct tune_report *r, struct view *view) {
  const struct tune *t = r->tune;
  const double noise = measured_board_noise_percent(r->board);
  view_member(view, "determined_numbers", view_real(t->determined));
  view_member(view, "noise_percent", view_real(noise));
  view_member(view, "prediction_error_ratio", t->held_out ? view_real(t->interval.ratio) : view_null());
  view_member(view, "prediction_level", t->held_out ? view_real(t->interval.level) : view_null());
  view_member(view, "order_error_ratio", t->held_out ? view_real(t->order.ratio) : view_null());
  if (!view_is_json(view) && r->identification->axis_count == 0)
    return;
  if (t->held_out)
    view_say(view, "\n%.0f %% of other kernels are expected between the prediction over and times %.3g.",
             100 * t->interval.level, 1 + t->interval.ratio);
  if (t->held_out && isfinite(t->order.ratio))
    view_say(view,
             "\nOf the %zu pairs whose held-out predictions differ by more than %.3g %%, %zu are in the wrong order.",
             t->order.told_apart, 100 * t->order.ratio, t->order.wrong);
  view_say(view, "\nWith errors of %.1f %%, the %zu measurements determine %.1f of the %zu numbers",
           100 * r->identification->error_ratio, t->setup.predictor->count, t->determined, t->setup.space->count);
  if (t->setup.penalty_percent > 0)
    view_say(view, "; the penalty holds the rest near the start values");
  if (isfinite(noise))
    view_say(view, ". The measurements' own noise is %.1f %%", noise);
  view_say(view, ".\n");
}

/* Returns whether a tuning found the value from which the parameter starts: only tunings state intervals. */
static bool start_was_tuned(const struct gpu *gpu, const struct space_axis *axis) {
  return gpu->origins[axis->param - gpu_params.list].has_interval &&
         axis->start == params_get_number(axis->param, &gpu->spec);
}

/* A start value that knows the board leaks into held-out scores, because the penalty pulls towards it. */
static void warn_of_tuned_starts(const struct tune_report *r, struct view *view) {
  const struct space *space = r->tune->setup.space;
  size_t tuned = 0;
  for (size_t i = 0; i < space->count && r->cv; i++)
    if (start_was_tuned(r->gpu, &space->axes[i]))
      view_say(view, "%s%s", tuned++ ? ", " : "\nStart values that were tuned before: ", space->axes[i].param->key);
  if (tuned > 0)
    view_say(view, ". If that was to this board, its held-out scores are too good: `--params KEY@START` gives other "
                   "start values.\n");
}

static void show_scores(const struct tune_report *r, struct view *view) {
  const struct tune *t = r->tune;
  const bool held_out = t->held_out != NULL;
  const double constant = t->score.constant_baseline_mape_percent;
  const struct score of_constant = {.mape_percent = constant,
                                    .mape_percent_without_largest = NAN,
                                    .scaled_mape_percent = constant,
                                    .pearson = NAN,
                                    .spearman = NAN,
                                    .kendall = NAN,
                                    .first_choice_loss_percent = NAN,
                                    .best_of_ten_loss_percent = NAN};
  struct view_list map;
  view_say(view, "\n");
  tune_scores_begin(view, "scores", &map);
  tune_score_row(&map, "in_sample", "tuned, in sample", &t->score);
  tune_score_row(&map, "held_out", "tuned, held out", held_out ? &t->held_out_score : NULL);
  tune_score_row(&map, "start", "start values", &t->start_score);
  view_member(view, "scores.constant_baseline_mape_percent", view_real(constant));
  tune_score_row(&map, NULL, "constant guess", &of_constant);
  tune_score_row(&map, "work_item_instructions", "work-item instructions", &r->work_items);
  tune_score_row(&map, "work_item_instructions_held_out", "the same, held out",
                 held_out ? &r->work_items_held_out : NULL);
  tune_score_row(&map, "issue_slots", "issue slots", &r->issue_slots);
  tune_score_row(&map, "issue_slots_held_out", "the same, held out", held_out ? &r->issue_slots_held_out : NULL);
  tune_score_row(&map, "roofline", "roofline", &r->roofline);
  view_list_end(&map);
  show_limits(r, view);
  warn_of_tuned_starts(r, view);
}

/* ---- kernels ---- */

static double error_percent(double predicted, double measured) {
  return 100 * (predicted - measured) / measured;
}

static void show_kernels(const struct tune_report *r, struct view *view) {
  static const struct view_column columns[] = {
      {.key = "name", .title = "kernel"},
      {.key = "workload"},
      {.key = "measured", .title = "measured", .format = "%.0f"},
      {.key = "start"},
      {.title = "start %", .format = "%+.1f"},
      {.key = "predicted", .title = "tuned", .format = "%.0f"},
      {.key = "error_percent", .title = "error %", .format = "%+.1f"},
      {.key = "held_out", .title = "held out", .format = "%.0f"},
      {.title = "error %", .format = "%+.1f"},
      {.key = "interval", .title = "interval", .format = "%.0f"},
  };
  const struct tune *t = r->tune;
  struct view_list list;
  view_say(view, "\n");
  view_list_begin(view, "kernels", columns, sizeof columns / sizeof columns[0], &list);
  for (size_t i = 0; i < r->board->count; i++) {
    const double m = t->setup.measured[i];
    VIEW_ROW(&list, view_text(r->board->measurements[i].name), view_text(r->board->measurements[i].workload),
             view_real(m), view_real(t->start_predictions[i]), view_real(error_percent(t->start_predictions[i], m)),
             view_real(t->predictions[i]), view_real(error_percent(t->predictions[i], m)),
             t->held_out ? view_real(t->held_out[i]) : view_null(),
             t->held_out ? view_real(error_percent(t->held_out[i], m)) : view_null(),
             t->replicas > 0 ? view_pair(t->prediction_intervals[i].low, t->prediction_intervals[i].high)
                             : view_null());
  }
  view_list_end(&list);
  view_member(view, "cv", view_text(r->cv));
}

static void show_notes(const struct tune *t, struct view *view) {
  if (t->replicas > 0)
    view_say(view,
             "\nIntervals: 95 %% of %zu replicas with errors as large as those of the fit; they assume a model that is "
             "right but for its parameters.\n",
             t->replicas);
  if (t->nothing_moves)
    view_say(view, "\nNo parameter moves the objective, at neither end of its range: nothing was searched.\n");
  if (t->underdetermined)
    view_say(view, "\n%zu measurements cannot determine %zu parameters: %s.\n", t->setup.predictor->count,
             t->setup.space->count,
             t->setup.penalty_percent > 0 ? "the penalty decides between values that fit as well"
                                          : "other values fit as well");
}

int tune_show(const struct tune_report *r, bool json, struct error *error) {
  struct view view;
  view_begin(&view, json, stdout, "reassemble.tune/1");
  show_head(r, &view);
  show_parameters(r->tune, &view);
  show_scores(r, &view);
  show_kernels(r, &view);
  tune_identity_show(r, &view);
  tune_nested_show(r, &view);
  tune_subset_show(r, &view);
  show_notes(r->tune, &view);
  return view_end(&view, 0, error);
}
