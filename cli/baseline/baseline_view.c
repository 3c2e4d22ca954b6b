#include "cli/baseline/baseline_view.h"

#include <math.h>
#include <stdio.h>

#include "cli/core/view.h"
#include "tuner/measured_board.h"

static const struct view_column columns[] = {
    {.key = "predictor", .title = "predictor"},
    {.key = "inputs", .title = "inputs"},
    {.key = "selection", .title = "selection"},
    {.key = "held_out"}, /* null where nothing was held out */
    {.key = "held_out.mape_percent", .title = "held out: MAPE %", .format = "%.1f"},
    {.key = "held_out.pearson"},
    {.key = "held_out.spearman", .title = "Spearman", .format = "%.3f"},
    {.key = "held_out.kendall", .title = "Kendall", .format = "%.3f"},
    {.key = "held_out.scaled_mape_percent", .title = "one scale %", .format = "%.1f"},
    {.key = "held_out.first_choice_loss_percent", .title = "first choice %", .format = "%.1f"},
    {.key = "held_out.best_of_ten_loss_percent", .title = "best of ten %", .format = "%.1f"},
    {.key = "in_sample"},
    {.key = "in_sample.mape_percent", .title = "in sample: MAPE %", .format = "%.1f"},
    {.key = "in_sample.pearson"},
    {.key = "in_sample.spearman", .title = "Spearman", .format = "%.3f"},
    {.key = "in_sample.kendall"},
    {.key = "in_sample.scaled_mape_percent", .title = "one scale %", .format = "%.1f"},
    {.key = "in_sample.first_choice_loss_percent"},
    {.key = "in_sample.best_of_ten_loss_percent"},
};
enum { COLUMNS = sizeof columns / sizeof columns[0], SCORE_COLUMNS = 8 };

/* Eight values: the score, or null. */
static void score_values(bool known, const struct score *s, struct view_value *values) {
  const double numbers[] = {s->mape_percent,
                            s->pearson,
                            s->spearman,
                            s->kendall,
                            s->scaled_mape_percent,
                            s->first_choice_loss_percent,
                            s->best_of_ten_loss_percent};
  values[0] = known ? view_absent() : view_null();
  for (int i = 1; i < SCORE_COLUMNS; i++)
    values[i] = known ? view_real(numbers[i - 1]) : view_absent();
}

static void say_noise(const struct board *board, struct view *view) {
  const double noise = measured_board_noise_percent(board);
  if (isfinite(noise))
    view_say(view, "measurement noise %.1f %%\n", noise);
  view_say(view, "\n");
}

int baseline_show(const struct baseline_report *r, bool json, struct error *error) {
  struct view view;
  struct view_list list;
  view_begin(&view, json, stdout, "reassemble.baseline/1");
  view_member(&view, "board", view_text(r->board->name));
  view_member(&view, "gpu", view_text(r->gpu->name));
  view_member(&view, "measurements", view_whole(r->board->count));
  view_member(&view, "cv", view_text(r->cv));
  view_member(&view, "seed", view_whole(r->seed));
  view_member(&view, "noise_percent", view_real(measured_board_noise_percent(r->board)));
  view_say(&view, "%s (%s, %s)\n%zu measurements, held out by %s, seed %llu\n", r->board->name, r->board->statistic,
           r->board->unit, r->board->count, r->cv, (unsigned long long)r->seed);
  say_noise(r->board, &view);
  view_list_begin(&view, "predictors", columns, COLUMNS, &list);
  for (size_t i = 0; i < r->count; i++) {
    const struct baseline_row *row = &r->rows[i];
    struct view_value values[COLUMNS] = {view_text(row->predictor), view_text(row->inputs), view_text(row->selection)};
    score_values(row->has_held_out, &row->held_out, values + 3);
    score_values(row->has_in_sample, &row->in_sample, values + 3 + SCORE_COLUMNS);
    view_row(&list, values, COLUMNS);
  }
  view_list_end(&list);
  return view_end(&view, 0, error);
}
