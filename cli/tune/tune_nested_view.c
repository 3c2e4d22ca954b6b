/* Shows the scores of a tuning that chooses for itself, and what each fold chose. */
#include "cli/tune/tune_view.h"

#include <stdio.h>
#include <string.h>

static bool is_same(const struct nested_choice *a, const struct nested_choice *b) {
  return a->search == b->search && a->fit == b->fit;
}

static size_t folds_with(const struct nested *n, const struct nested_choice *choice) {
  size_t count = 0;
  for (size_t f = 0; f < n->fold_count; f++)
    count += is_same(&n->folds[f], choice);
  return count;
}

static bool was_before(const struct nested *n, size_t fold) {
  for (size_t f = 0; f < fold; f++)
    if (is_same(&n->folds[f], &n->folds[fold]))
      return true;
  return false;
}

/* A row for each combination that a fold chose, in the order of the folds; JSON has a row for each fold. */
static void show_choices(const struct tune_report *r, struct view *view) {
  static const struct view_column columns[] = {
      {.key = "choice", .title = "chosen"},
      {.title = "by folds", .format = "%d"},
      {.key = "inner_mape_percent", .title = "inner MAPE %", .format = "%.1f"}};
  const struct nested *n = r->nested;
  struct view_list list;
  char text[512];
  view_list_begin(view, "folds", columns, 3, &list);
  for (size_t f = 0; f < n->fold_count; f++)
    if (view_is_json(view) || !was_before(n, f))
      VIEW_ROW(&list, view_text(choices_format(r->choices, n->folds[f].search, n->folds[f].fit, text, sizeof text)),
               view_whole(folds_with(n, &n->folds[f])), view_real(n->folds[f].inner_mape_percent));
  view_list_end(&list);
}

static void show_summary(const struct tune_report *r, struct view *view) {
  const struct nested *n = r->nested;
  char text[512];
  choices_format(r->choices, n->all.search, n->all.fit, text, sizeof text);
  view_member(view, "choice", view_text(text));
  view_member(view, "choice_inner_mape_percent", view_real(n->all.inner_mape_percent));
  view_member(view, "combinations", view_whole(choices_searches(r->choices) * choices_fits(r->choices)));
  view_member(view, "refused_searches", view_whole(n->refused));
  view_member(view, "evaluations", view_whole(n->evaluations));
  view_member(view, "prediction_error_ratio", view_real(n->interval.ratio));
  view_member(view, "prediction_level", view_real(n->interval.level));
  view_member(view, "in_interval", view_whole(n->held));
  view_member(view, "order_error_ratio", view_real(n->order.ratio));
  view_say(view, "All measurements choose %s (inner MAPE %.1f %%).\n", text, n->all.inner_mape_percent);
  view_say(view, "%zu of the %zu measurements lie in the interval that the errors of the others give.\n", n->held,
           r->board->count);
  if (n->refused > 0)
    view_say(view, "The model refuses %zu of the %zu searches.\n", n->refused, choices_searches(r->choices));
}

void tune_nested_show(const struct tune_report *r, struct view *view) {
  const struct nested *n = r->nested;
  struct view_list map;
  if (!n) {
    view_member(view, "nested", view_null());
    return;
  }
  view_say(view, "\nNested: %zu combinations, chosen inside each of %zu folds, %zu evaluations\n\n",
           choices_searches(r->choices) * choices_fits(r->choices), n->fold_count, n->evaluations);
  view_object_begin(view, "nested");
  show_choices(r, view);
  view_say(view, "\n");
  show_summary(r, view);
  view_object_end(view);
  view_say(view, "\n");
  tune_scores_begin(view, "nested", &map); /* beside the other members of the object */
  tune_score_row(&map, "score", "nested, held out", &n->score);
  view_list_end(&map);
}
