#include "cli/dse/sweep_diff.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "dse/answer/answers.h"

enum { WORKLOADS_SHOWN = 8 };

struct diff {
  uint32_t points[2];
  char *names[2];
  size_t a, b; /* designs */
};

static void clear(struct diff *diff) {
  free(diff->names[0]);
  free(diff->names[1]);
}

static int find(const struct sweep_session *session, struct diff *diff, struct error *error) {
  const char *text = session->own->diff, *comma = strchr(text, ',');
  if (!comma || strchr(comma + 1, ','))
    return error_set(error, ERROR_INPUT, "--diff: found \"%.200s\", expected two points with a comma between", text);
  diff->names[0] = strndup(text, (size_t)(comma - text));
  diff->names[1] = strdup(comma + 1);
  for (size_t i = 0; i < 2; i++) {
    if (!diff->names[i])
      return error_no_memory(error);
    diff->points[i] = answer_find_point(&session->points, diff->names[i], error);
    if (diff->points[i] == POINT_IMPOSSIBLE)
      return -1;
    free(diff->names[i]);
    diff->names[i] = points_name(&session->points, diff->points[i]);
  }
  diff->a = session->points.designs[diff->points[0]];
  diff->b = session->points.designs[diff->points[1]];
  return diff->names[0] && diff->names[1] ? 0 : error_no_memory(error);
}

int sweep_diff_check(const struct sweep_session *session, struct error *error) {
  struct diff diff = {0};
  const int status = find(session, &diff, error);
  clear(&diff);
  return status;
}

int sweep_diff_designs(const struct sweep_session *session, uint32_t designs[2], struct error *error) {
  struct diff diff = {0};
  const int status = find(session, &diff, error);
  designs[0] = (uint32_t)diff.a;
  designs[1] = (uint32_t)diff.b;
  clear(&diff);
  return status;
}

/* A workload and how much of A's time B takes more or less on it. */
struct change {
  size_t workload;
  double total, components[SIM_STACK_COUNT];
};

static int most_changed_first(const void *x, const void *y) {
  const struct change *p = x, *q = y;
  const double a = fabs(p->total), b = fabs(q->total);
  return a != b ? (a < b) - (a > b) : (p->workload > q->workload) - (p->workload < q->workload);
}

static struct change *changes(const struct sweep_session *session, const struct diff *diff) {
  const size_t count = session->evaluation.workload_count;
  struct change *list = calloc(count, sizeof *list);
  for (size_t w = 0; list && w < count; w++) {
    list[w].workload = w;
    answer_difference(&session->outcomes, diff->a, diff->b, w, 1, list[w].components, &list[w].total);
  }
  if (list)
    qsort(list, count, sizeof *list, most_changed_first);
  return list;
}

static size_t largest(const double components[SIM_STACK_COUNT]) {
  size_t best = 0;
  for (size_t c = 1; c < SIM_STACK_COUNT; c++)
    if (fabs(components[c]) > fabs(components[best]))
      best = c;
  return best;
}

static json_t *components_json(const struct change *change) {
  json_t *object = json_object();
  for (size_t c = 0; c < SIM_STACK_COUNT; c++)
    json_object_set_new(object, sim_stack_names[c], json_real(change->components[c]));
  return object;
}

static void show_components(const struct change *whole, struct view *view) {
  static const struct view_column columns[] = {{.title = "component"},
                                               {.title = "time %", .format = "%+.2f", .scale = 100}};
  struct view_list list;
  view_member(view, "components", view_json(components_json(whole)));
  view_list_begin(view, NULL, columns, 2, &list);
  for (size_t c = 0; c < SIM_STACK_COUNT; c++)
    VIEW_ROW(&list, view_text(sim_stack_names[c]), view_real(whole->components[c]));
  view_list_end(&list);
}

static void show_workloads(const struct sweep_session *session, const struct change *list, struct view *view) {
  static const struct view_column columns[] = {
      {.key = "workload", .title = "most changed"},
      {.key = "time_ratio", .title = "time %", .format = "%+.1f", .scale = 100},
      {.title = "most of it"},
      {.title = "%", .format = "%+.1f", .scale = 100},
      {.key = "components"},
  };
  struct view_list rows;
  view_say(view, "\n");
  view_list_begin(view, "workloads", columns, sizeof columns / sizeof columns[0], &rows);
  rows.shown = WORKLOADS_SHOWN;
  for (size_t i = 0; i < session->evaluation.workload_count; i++) {
    const size_t c = largest(list[i].components);
    VIEW_ROW(&rows, view_text(session->evaluation.workloads[list[i].workload].name), view_real(list[i].total),
             view_text(sim_stack_names[c]), view_real(list[i].components[c]), view_json(components_json(&list[i])));
  }
  view_list_end(&rows);
}

static int show_found(const struct sweep_session *session, const struct diff *diff, struct view *view,
                      struct error *error) {
  struct change whole;
  struct change *list = changes(session, diff);
  if (!list)
    return error_no_memory(error);
  answer_difference(&session->outcomes, diff->a, diff->b, 0, session->evaluation.workload_count, whole.components,
                    &whole.total);
  view_object_begin(view, "diff");
  view_member(view, "from", view_text(diff->names[0]));
  view_member(view, "to", view_text(diff->names[1]));
  view_member(view, "time_ratio", view_real(whole.total));
  view_say(view, "\n%s against %s: time %+.1f %% of the latter's, mean of the workloads\n", diff->names[1],
           diff->names[0], 100 * whole.total);
  show_components(&whole, view);
  show_workloads(session, list, view);
  view_object_end(view);
  free(list);
  return 0;
}

int sweep_diff_show(const struct sweep_session *session, struct view *view, struct error *error) {
  struct diff diff = {0};
  int status = find(session, &diff, error);
  if (status == 0)
    status = show_found(session, &diff, view, error);
  clear(&diff);
  return status;
}
