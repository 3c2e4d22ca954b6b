#include "cli/dse/sweep_answers.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/core/text_plot.h"
#include "cli/dse/sweep_diff.h"
#include "cli/dse/sweep_reference.h"
#include "cli/dse/sweep_sensitivities.h"
#include "dse/answer/answers.h"
#include "dse/answer/pareto.h"
#include "dse/answer/results.h"
#include "dse/confirm.h"

enum { FRONT_SHOWN = 40, TARGETS_SHOWN = 10 /* at most TARGETS_LISTED */, PAIRS_SHOWN = 5, POINTS_SHOWN = 40 };

/* ---- effects ---- */

/* The values of an axis and their factors, for JSON. */
static struct view_value factors(const struct sweep_axis *axis, const double *means, struct view *view) {
  static const struct view_column columns[] = {{.key = "value"}, {.key = "factor"}};
  struct view_list list;
  view_items_begin(view, columns, 2, &list);
  for (size_t v = 0; v < axis->value_count; v++)
    VIEW_ROW(&list, view_text(axis->labels[v]), view_real(exp(means[v])));
  return view_items_end(&list);
}

/* JSON has a row per axis, the table a row per value. */
static void show_main_effects(const struct points *points, const struct effects *effects, struct view *view) {
  static const struct view_column columns[] = {
      {.key = "axis"},
      {.title = "value"},
      {.title = "factor", .format = "%.3f"},
      {.key = "variance_share", .title = "share of the variance %", .format = "%.1f", .scale = 100},
      {.key = "values"},
  };
  const struct sweep *sweep = points->sweep;
  struct view_list list;
  view_say(view, "\nMain effects: mean speed-up of the samples with a value, over that of all samples\n");
  if (points->impossible_count > 0)
    view_say(view, "%zu points are impossible: values also get the effects of those that they go along with\n",
             points->impossible_count);
  view_list_begin(view, "main_effects", columns, sizeof columns / sizeof columns[0], &list);
  for (size_t a = 0; a < sweep->axis_count; a++) {
    const struct sweep_axis *axis = &sweep->axes[a];
    const size_t rows = view_is_json(view) ? 1 : axis->value_count;
    for (size_t v = 0; v < rows; v++)
      VIEW_ROW(&list, view_text(axis->name), view_text(axis->labels[v]), view_real(exp(effects->means[a][v])),
               v == 0 ? view_real(effects->shares[a]) : view_absent(), factors(axis, effects->means[a], view));
  }
  view_list_end(&list);
}

struct pair {
  size_t a, b;
  double share;
};

static int largest_first(const void *x, const void *y) {
  const struct pair *p = x, *q = y;
  if (p->share != q->share)
    return p->share > q->share ? -1 : 1;
  return p->a != q->a ? (p->a > q->a) - (p->a < q->a) : (p->b > q->b) - (p->b < q->b);
}

/* JSON has every pair of axes in order, the table the pairs that explain most. */
static void show_interactions(const struct sweep *sweep, const struct effects *effects, struct view *view) {
  static const struct view_column columns[] = {
      {.key = "axis", .title = "axis"},
      {.key = "with", .title = "with"},
      {.key = "variance_share", .title = "share of the variance %", .format = "%.2f", .scale = 100}};
  const size_t axes = sweep->axis_count;
  struct pair pairs[SWEEP_MOST_AXES * SWEEP_MOST_AXES / 2];
  struct view_list list;
  size_t count = 0;
  for (size_t a = 0; a < axes; a++)
    for (size_t b = a + 1; b < axes; b++)
      if (view_is_json(view) || !isnan(effects->pair_shares[a * axes + b]))
        pairs[count++] = (struct pair){a, b, effects->pair_shares[a * axes + b]};
  if (count == 0 && !view_is_json(view))
    return;
  if (!view_is_json(view)) {
    qsort(pairs, count, sizeof *pairs, largest_first);
    count = count < PAIRS_SHOWN ? count : PAIRS_SHOWN;
  }
  view_say(view, "\nInteractions: what two axes together explain beyond both\n");
  view_list_begin(view, "interactions", columns, 3, &list);
  for (size_t i = 0; i < count; i++)
    VIEW_ROW(&list, view_text(sweep->axes[pairs[i].a].name), view_text(sweep->axes[pairs[i].b].name),
             view_real(pairs[i].share));
  view_list_end(&list);
}

static int show_effects(const struct sweep_session *session, const double *score, struct view *view,
                        struct error *error) {
  struct effects effects = {0};
  bool any;
  if (answer_effects(&session->points, score, &effects, &any, error) != 0)
    return -1;
  if (any) {
    show_main_effects(&session->points, &effects, view);
    show_interactions(session->sweep, &effects, view);
  }
  effects_clear(&effects);
  return 0;
}

/* ---- designs ---- */

static const struct view_column design_columns[] = {
    {.key = "point"},
    {.key = "name", .title = "point", .last = true},
    {.key = "area", .title = "area", .format = "%.1f"},
    {.title = "of the base's", .format = "%.2f"},
    {.key = "speedup", .title = "speed-up", .format = "%.3f"},
    {.key = "energy_ratio", .title = "energy", .format = "%.2f"},
};
enum { DESIGN_COLUMNS = sizeof design_columns / sizeof design_columns[0] };

static void add_designs(const struct sweep_session *session, const double *score, const size_t *designs, size_t count,
                        struct view_list *list) {
  for (size_t i = 0; i < count; i++) {
    const size_t d = designs[i], point = session->points.first_points[d];
    char *name = points_name(&session->points, point);
    list->view->failed = list->view->failed || !name;
    VIEW_ROW(list, view_whole(point), view_text(name), view_real(session->scores.area[d]),
             view_real(session->scores.area[d] / session->scores.area[0]), view_real(score[d]),
             view_real(session->scores.energy_ratio[d]));
    free(name);
  }
}

static void show_designs(const struct sweep_session *session, const double *score, const size_t *designs, size_t count,
                         const char *key, size_t shown, struct view *view) {
  struct view_list list;
  view_list_begin(view, key, design_columns, DESIGN_COLUMNS, &list);
  list.shown = shown;
  add_designs(session, score, designs, count, &list);
  list.things = "designs";
  view_list_end(&list);
}

static void plot_front(const struct sweep_session *session, const double *score, const size_t *front, size_t count,
                       struct view *view) {
  const size_t designs = session->points.design_count;
  struct text_point *points = calloc(designs, sizeof *points);
  view->failed = view->failed || !points;
  for (size_t d = 0; points && d < designs; d++)
    points[d] = (struct text_point){.x = session->scores.area[d], .y = score[d]};
  for (size_t i = 0; points && i < count; i++)
    points[front[i]].is_front = true;
  if (points) {
    view_say(view, "\n");
    text_plot_points(view, points, designs, "area", "Speed-up");
  }
  free(points);
}

static int show_front(const struct sweep_session *session, const double *score, struct view *view,
                      struct error *error) {
  size_t count, *front = calloc(session->points.design_count, sizeof *front);
  if (!front || pareto_front(session->scores.area, score, session->points.design_count, front, &count) != 0) {
    free(front);
    return error_no_memory(error);
  }
  view_say(view, "\nPareto front: speed-up against area (proxy), %zu of %zu designs\n", count,
           session->points.design_count);
  show_designs(session, score, front, count, "pareto", FRONT_SHOWN, view);
  if (session->own->plot)
    plot_front(session, score, front, count, view);
  free(front);
  return 0;
}

static void show_target(const struct sweep_session *session, const double *score, double target, const size_t *reach,
                        size_t count, struct view *view) {
  view_element_begin(view, "targets");
  view_member(view, "target", view_real(target));
  view_member(view, "reached_by", view_whole(count));
  if (count > 0)
    view_say(view, "\nTarget %.4g: reached by %zu designs, the cheapest first\n", target, count);
  else
    view_say(view, "\nTarget %.4g: no design reaches it\n", target);
  if (count > 0 || view_is_json(view))
    show_designs(session, score, reach, view_is_json(view) && count > TARGETS_LISTED ? TARGETS_LISTED : count,
                 "designs", TARGETS_SHOWN, view);
  view_object_end(view);
}

static int show_targets(const struct sweep_session *session, const double *score, struct view *view,
                        struct error *error) {
  const size_t designs = session->points.design_count;
  size_t count, *reach = calloc(designs, sizeof *reach);
  int status = reach ? 0 : -1;
  view_array(view, "targets");
  for (size_t t = 0; t < session->sweep->target_count && status == 0; t++) {
    status = pareto_reach(session->scores.area, score, designs, session->sweep->targets[t], reach, &count);
    if (status == 0)
      show_target(session, score, session->sweep->targets[t], reach, count, view);
  }
  free(reach);
  return status == 0 ? 0 : error_no_memory(error);
}

/* The table of variants. JSON has no such list, because it has every point. */
static void show_variants(const struct sweep_session *session, const double *score, struct view *view) {
  static const struct view_column columns[] = {{.title = "point"},
                                               {.title = "speed-up", .format = "%.3f"},
                                               {.title = "area", .format = "%.1f"},
                                               {.title = "energy", .format = "%.2f"}};
  struct view_list list;
  if (session->sweep->variant_count == 0 || session->sweep->reference)
    return;
  view_say(view, "\nVariants\n");
  view_list_begin(view, NULL, columns, 4, &list);
  for (size_t v = 0; v < session->sweep->variant_count && v < POINTS_SHOWN; v++) {
    const uint32_t d = session->points.designs[1 + v];
    const bool possible = d != POINT_IMPOSSIBLE;
    VIEW_ROW(&list, view_text(session->sweep->variants[v].name), view_real(possible ? score[d] : NAN),
             view_real(possible ? session->scores.area[d] : NAN),
             view_real(possible ? session->scores.energy_ratio[d] : NAN));
  }
  view_list_end(&list);
}

/* ---- all ---- */

static const char *meaning_of(const struct sweep_session *session) {
  static const char *const meanings[] = {
#define X(id, name, meaning) meaning,
      SWEEP_OBJECTIVES(X)
#undef X
  };
  return meanings[session->sweep->objective];
}

/* All answers to one score per design. */
static int show_score(const struct sweep_session *session, const struct sweep_score *score, struct view *view,
                      struct error *error) {
  const char *name = score->title ? score->title : sweep_objective_names[session->sweep->objective];
  int status = 0;
  view_element_begin(view, "answers");
  view_member(view, "score", view_text(name));
  view_say(view, "Score: %s\n", score->title ? score->title : meaning_of(session));
  show_variants(session, score->of, view);
  if (sweep_sensitivities_show(session, score, view, error) != 0 ||
      show_effects(session, score->of, view, error) != 0 || show_front(session, score->of, view, error) != 0 ||
      show_targets(session, score->of, view, error) != 0)
    status = -1;
  view_object_end(view);
  return status;
}

int sweep_answers_show(const struct sweep_session *session, struct view *view, struct error *error) {
  struct sweep_score score;
  int status = 0;
  view_array(view, "answers");
  for (size_t i = 0; i < sweep_score_count(session) && status == 0; i++) {
    if (i > 0)
      view_say(view, "\n");
    status = sweep_score_make(session, i, &score, error);
    if (status == 0)
      status = show_score(session, &score, view, error);
    sweep_score_clear(&score);
  }
  if (status == 0)
    status = sweep_reference_show(session, view, error);
  if (status == 0 && session->own->diff)
    status = sweep_diff_show(session, view, error);
  view_say(view, "\nAll points: %s/designs.csv, results.csv, results.json\n", session->output);
  if (session->points.impossible_count > 0)
    view_say(view, "Impossible: %zu points, with reasons in %s/impossible.csv\n", session->points.impossible_count,
             session->output);
  return status;
}
