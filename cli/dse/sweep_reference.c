#include "cli/dse/sweep_reference.h"

#include <stdlib.h>

#include "cli/core/reference.h"
#include "dse/answer/answers.h"
#include "tuner/objective/score.h"

/* The points of the file are points of the sweep, by name. */
static int find_points(const struct sweep_session *session, const char *path, struct reference *reference,
                       struct error *error) {
  for (size_t i = 0; i < reference->count; i++) {
    struct reference_row *row = &reference->rows[i];
    const uint32_t point = answer_find_point(&session->points, row->point, NULL);
    if (point == POINT_IMPOSSIBLE)
      return error_at(error, ERROR_INPUT, path, 0, 0, "point",
                      "\"%.200s\" is no point of the sweep %s, or is impossible", row->point, session->sweep->name);
    row->design = session->points.designs[point];
  }
  return 0;
}

static int load(const struct sweep_session *session, struct reference *out, struct error *error) {
  char *path = sweep_resolve(session->sweep, session->sweep->reference);
  if (!path)
    return error_no_memory(error);
  int status = reference_load(path, out, error);
  if (status == 0 && find_points(session, path, out, error) != 0) {
    reference_clear(out);
    status = -1;
  }
  free(path);
  return status;
}

int sweep_reference_check(const struct sweep_session *session, struct error *error) {
  struct reference reference;
  if (!session->sweep->reference)
    return 0;
  if (load(session, &reference, error) != 0)
    return -1;
  reference_clear(&reference);
  return 0;
}

/* Rows first .. first + count - 1 together. */
struct agreement {
  const char *group;
  size_t count;
  double spearman, mean_percent, mean_absolute_percent;
};

static int compare(const struct sweep_session *session, const struct reference_row *rows, size_t count,
                   const char *group, struct agreement *out, struct error *error) {
  double *theirs = malloc((2 * count + 1) * sizeof *theirs), *ours = theirs ? theirs + count : NULL;
  struct score score;
  if (!theirs)
    return error_no_memory(error);
  *out = (struct agreement){.group = group, .count = count};
  for (size_t i = 0; i < count; i++) {
    theirs[i] = rows[i].theirs;
    ours[i] = session->scores.objective[rows[i].design];
    out->mean_percent += 100 * (ours[i] / theirs[i] - 1) / (double)count;
  }
  score_compute(theirs, ours, count, &score);
  out->spearman = score.spearman;
  out->mean_absolute_percent = score.mape_percent;
  free(theirs);
  return 0;
}

static size_t group_end(const struct reference *reference, size_t first) {
  size_t end = first + 1;
  while (end < reference->count && reference->rows[end].group == reference->rows[first].group)
    end++;
  return end;
}

/* One per group, then one for all. The caller frees *out. */
static int compare_all(const struct sweep_session *session, const struct reference *reference, struct agreement **out,
                       size_t *count, struct error *error) {
  *count = 0;
  *out = calloc(reference->count + 1, sizeof **out);
  int status = *out ? 0 : error_no_memory(error);
  for (size_t first = 0, end; first < reference->count && status == 0; first = end) {
    end = group_end(reference, first);
    status = compare(session, &reference->rows[first], end - first, reference->rows[first].group, &(*out)[(*count)++],
                     error);
  }
  if (status == 0)
    status = compare(session, reference->rows, reference->count, "all", &(*out)[(*count)++], error);
  return status;
}

static void show_rows(const struct sweep_session *session, const struct reference *reference, struct view *view) {
  static const struct view_column columns[] = {
      {.key = "group", .title = "group"},
      {.key = "point", .title = "point"},
      {.key = "reference", .title = "reference", .format = "%.2f"},
      {.key = "predicted", .title = "predicted", .format = "%.2f"},
      {.title = "difference %", .format = "%+.1f"},
  };
  struct view_list list;
  view_list_begin(view, "rows", columns, sizeof columns / sizeof columns[0], &list);
  for (size_t i = 0; i < reference->count; i++) {
    const struct reference_row *row = &reference->rows[i];
    const double ours = session->scores.objective[row->design];
    VIEW_ROW(&list, view_text(row->group), view_text(row->point), view_real(row->theirs), view_real(ours),
             view_real(100 * (ours / row->theirs - 1)));
  }
  view_list_end(&list);
}

static void show_agreement(const struct agreement *list, size_t count, struct view *view) {
  static const struct view_column columns[] = {
      {.key = "group", .title = "group"},
      {.key = "points", .title = "points", .format = "%d"},
      {.key = "spearman", .title = "Spearman", .format = "%.3f"},
      {.key = "mean_difference_percent", .title = "mean difference %", .format = "%+.1f"},
      {.key = "mean_absolute_difference_percent", .title = "mean absolute difference %", .format = "%.1f"},
  };
  struct view_list rows;
  view_list_begin(view, "groups", columns, sizeof columns / sizeof columns[0], &rows);
  for (size_t i = 0; i < count; i++)
    VIEW_ROW(&rows, view_text(list[i].group), view_whole(list[i].count), view_real(list[i].spearman),
             view_real(list[i].mean_percent), view_real(list[i].mean_absolute_percent));
  view_list_end(&rows);
}

int sweep_reference_show(const struct sweep_session *session, struct view *view, struct error *error) {
  struct reference reference;
  struct agreement *list = NULL;
  size_t count;
  if (!session->sweep->reference)
    return 0;
  if (load(session, &reference, error) != 0)
    return -1;
  const int status = compare_all(session, &reference, &list, &count, error);
  if (status == 0) {
    view_object_begin(view, "reference");
    view_member(view, "source", view_text(reference.source));
    view_array(view, "groups"); /* which stands before the rows in JSON, and behind them in text */
    view_say(view, "\nReference: %s\n", reference.source);
    show_rows(session, &reference, view);
    view_say(view, "\n");
    show_agreement(list, count, view);
    view_object_end(view);
  }
  free(list);
  reference_clear(&reference);
  return status;
}
