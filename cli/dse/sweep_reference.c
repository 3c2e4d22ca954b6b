#include "cli/dse/sweep_reference.h"

#include <math.h>
#include <stdlib.h>

#include "cli/core/command.h"
#include "cli/core/reference.h"
#include "cli/core/table.h"
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
  if (path == NULL)
    return error_set(error, ERROR_WORK, "out of memory");
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
  if (session->sweep->reference == NULL)
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
  double *theirs = malloc((2 * count + 1) * sizeof *theirs), *ours = theirs != NULL ? theirs + count : NULL;
  struct score score;
  if (theirs == NULL)
    return error_set(error, ERROR_WORK, "out of memory");
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
  int status = *out != NULL ? 0 : error_set(error, ERROR_WORK, "out of memory");
  for (size_t first = 0, end; first < reference->count && status == 0; first = end) {
    end = group_end(reference, first);
    status = compare(session, &reference->rows[first], end - first, reference->rows[first].group, &(*out)[(*count)++],
                     error);
  }
  if (status == 0)
    status = compare(session, reference->rows, reference->count, "all", &(*out)[(*count)++], error);
  return status;
}

static int finish(struct table *table, FILE *out, struct error *error) {
  const int status = table_print(table, out, error);
  table_destroy(table);
  return status;
}

static int print_rows(const struct sweep_session *session, const struct reference *reference, FILE *out,
                      struct error *error) {
  struct table *table = table_create(
      (struct table_column[]){
          {"group", false}, {"point", false}, {"reference", true}, {"predicted", true}, {"difference %", true}},
      5);
  for (size_t i = 0; i < reference->count; i++) {
    const struct reference_row *row = &reference->rows[i];
    const double ours = session->scores.objective[row->design];
    table_add(table, "%s", row->group);
    table_add(table, "%s", row->point);
    table_add(table, "%.2f", row->theirs);
    table_add(table, "%.2f", ours);
    table_add(table, "%+.1f", 100 * (ours / row->theirs - 1));
  }
  return finish(table, out, error);
}

static int print_agreement(const struct agreement *list, size_t count, FILE *out, struct error *error) {
  struct table *table = table_create((struct table_column[]){{"group", false},
                                                             {"points", true},
                                                             {"Spearman", true},
                                                             {"mean difference %", true},
                                                             {"mean absolute difference %", true}},
                                     5);
  for (size_t i = 0; i < count; i++) {
    table_add(table, "%s", list[i].group);
    table_add(table, "%zu", list[i].count);
    if (isnan(list[i].spearman))
      table_add(table, "n/a");
    else
      table_add(table, "%.3f", list[i].spearman);
    table_add(table, "%+.1f", list[i].mean_percent);
    table_add(table, "%.1f", list[i].mean_absolute_percent);
  }
  return finish(table, out, error);
}

int sweep_reference_print(const struct sweep_session *session, FILE *out, struct error *error) {
  struct reference reference;
  struct agreement *list = NULL;
  size_t count;
  if (session->sweep->reference == NULL)
    return 0;
  if (load(session, &reference, error) != 0)
    return -1;
  int status = compare_all(session, &reference, &list, &count, error);
  if (status == 0) {
    fputs("\nReference: ", out);
    table_print_text(reference.source, out);
    putc('\n', out);
    status = print_rows(session, &reference, out, error);
    putc('\n', out);
  }
  if (status == 0)
    status = print_agreement(list, count, out, error);
  free(list);
  reference_clear(&reference);
  return status;
}

static json_t *number(double value) {
  return isfinite(value) ? json_real(value) : json_null();
}

static json_t *rows_json(const struct sweep_session *session, const struct reference *reference) {
  json_t *list = json_array();
  for (size_t i = 0; i < reference->count; i++) {
    const struct reference_row *row = &reference->rows[i];
    json_array_append_new(list, json_pack("{s:o, s:o, s:f, s:o}", "group", command_json_text(row->group), "point",
                                          command_json_text(row->point), "reference", row->theirs, "predicted",
                                          number(session->scores.objective[row->design])));
  }
  return list;
}

static json_t *agreement_json(const struct agreement *a) {
  return json_pack("{s:o, s:I, s:o, s:o, s:o}", "group", command_json_text(a->group), "points", (json_int_t)a->count,
                   "spearman", number(a->spearman), "mean_difference_percent", number(a->mean_percent),
                   "mean_absolute_difference_percent", number(a->mean_absolute_percent));
}

int sweep_reference_json(const struct sweep_session *session, json_t *object, struct error *error) {
  struct reference reference;
  struct agreement *list = NULL;
  size_t count;
  if (session->sweep->reference == NULL)
    return 0;
  if (load(session, &reference, error) != 0)
    return -1;
  int status = compare_all(session, &reference, &list, &count, error);
  json_t *groups = json_array();
  for (size_t i = 0; i < count && status == 0; i++)
    status = command_json_append(groups, agreement_json(&list[i]), error);
  json_object_set_new(object, "reference",
                      json_pack("{s:o, s:o, s:o}", "source", command_json_text(reference.source), "groups", groups,
                                "rows", rows_json(session, &reference)));
  free(list);
  reference_clear(&reference);
  return status;
}
