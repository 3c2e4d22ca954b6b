#include "cli/dse/sweep_diff.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "cli/core/command.h"
#include "cli/core/table.h"
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
  if (comma == NULL || strchr(comma + 1, ',') != NULL)
    return error_set(error, ERROR_INPUT, "--diff: found \"%.200s\", expected two points with a comma between", text);
  diff->names[0] = strndup(text, (size_t)(comma - text));
  diff->names[1] = strdup(comma + 1);
  for (size_t i = 0; i < 2; i++) {
    if (diff->names[i] == NULL)
      return error_set(error, ERROR_WORK, "out of memory");
    diff->points[i] = answer_find_point(&session->points, diff->names[i], error);
    if (diff->points[i] == POINT_IMPOSSIBLE)
      return -1;
    free(diff->names[i]);
    diff->names[i] = points_name(&session->points, diff->points[i]);
  }
  diff->a = session->points.designs[diff->points[0]];
  diff->b = session->points.designs[diff->points[1]];
  return diff->names[0] && diff->names[1] ? 0 : error_set(error, ERROR_WORK, "out of memory");
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
  for (size_t w = 0; list != NULL && w < count; w++) {
    list[w].workload = w;
    answer_difference(&session->outcomes, diff->a, diff->b, w, 1, list[w].components, &list[w].total);
  }
  if (list != NULL)
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

static int print_changes(const struct sweep_session *session, const struct change *list, FILE *out,
                         struct error *error) {
  struct table *table = table_create(
      (struct table_column[]){{"most changed", false}, {"time %", true}, {"most of it", false}, {"%", true}}, 4);
  for (size_t i = 0; i < session->evaluation.workload_count && i < WORKLOADS_SHOWN; i++) {
    const size_t c = largest(list[i].components);
    table_add(table, "%s", session->evaluation.workloads[list[i].workload].name);
    table_add(table, "%+.1f", 100 * list[i].total);
    table_add(table, "%s", sim_stack_names[c]);
    table_add(table, "%+.1f", 100 * list[i].components[c]);
  }
  const int status = table_print(table, out, error);
  table_destroy(table);
  return status;
}

static int print_found(const struct sweep_session *session, const struct diff *diff, FILE *out, struct error *error) {
  struct change whole;
  struct change *list = changes(session, diff);
  if (list == NULL)
    return error_set(error, ERROR_WORK, "out of memory");
  answer_difference(&session->outcomes, diff->a, diff->b, 0, session->evaluation.workload_count, whole.components,
                    &whole.total);
  fprintf(out, "\n%s against %s: time %+.1f %% of the latter's, mean of the workloads\n", diff->names[1],
          diff->names[0], 100 * whole.total);
  struct table *table = table_create((struct table_column[]){{"component", false}, {"time %", true}}, 2);
  for (size_t c = 0; c < SIM_STACK_COUNT; c++) {
    table_add(table, "%s", sim_stack_names[c]);
    table_add(table, "%+.2f", 100 * whole.components[c]);
  }
  int status = table_print(table, out, error);
  table_destroy(table);
  putc('\n', out);
  if (status == 0)
    status = print_changes(session, list, out, error);
  free(list);
  return status;
}

int sweep_diff_print(const struct sweep_session *session, FILE *out, struct error *error) {
  struct diff diff = {0};
  int status = find(session, &diff, error);
  if (status == 0)
    status = print_found(session, &diff, out, error);
  clear(&diff);
  return status;
}

static json_t *components_json(const struct change *change) {
  json_t *object = json_object();
  for (size_t c = 0; c < SIM_STACK_COUNT; c++)
    json_object_set_new(object, sim_stack_names[c], json_real(change->components[c]));
  return object;
}

json_t *sweep_diff_json(const struct sweep_session *session, struct error *error) {
  struct diff diff = {0};
  struct change whole;
  if (find(session, &diff, error) != 0) {
    clear(&diff);
    return NULL;
  }
  json_t *workloads = json_array();
  struct change *list = changes(session, &diff);
  for (size_t i = 0; list != NULL && i < session->evaluation.workload_count; i++)
    json_array_append_new(workloads, json_pack("{s:o, s:f, s:o}", "workload",
                                               command_json_text(session->evaluation.workloads[list[i].workload].name),
                                               "time_ratio", list[i].total, "components", components_json(&list[i])));
  answer_difference(&session->outcomes, diff.a, diff.b, 0, session->evaluation.workload_count, whole.components,
                    &whole.total);
  json_t *object = json_pack("{s:o, s:o, s:f, s:o, s:o}", "from", command_json_text(diff.names[0]), "to",
                             command_json_text(diff.names[1]), "time_ratio", whole.total, "components",
                             components_json(&whole), "workloads", workloads);
  free(list);
  clear(&diff);
  if (object == NULL)
    error_set(error, ERROR_WORK, "out of memory");
  return object;
}
