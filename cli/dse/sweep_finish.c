/* The end of a sweep: scores, files of results, answers. */
#include "cli/dse/sweep_session.h"

#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/input/json_parse.h"
#include "cli/dse/sweep_answers.h"
#include "cli/dse/sweep_diff.h"
#include "cli/dse/sweep_sensitivities.h"
#include "dse/confirm.h"
#include "dse/answer/results.h"

/* The values that a point has of the varied parameters, by key. */
static struct view_value parameters(const struct param *const *varied, size_t count, const struct gpu_spec *spec) {
  json_t *object = json_object();
  for (size_t i = 0; i < count; i++) {
    const struct param *row = varied[i];
    char text[64];
    const double value = params_get_number(row, spec);
    json_t *item = row->type == PARAM_INT    ? json_integer((json_int_t)value)
                   : row->type == PARAM_REAL ? json_real(value)
                   : row->type == PARAM_BOOL ? json_boolean(value != 0)
                                             : json_string(params_format(row, spec, text, sizeof text));
    json_object_set_new(object, row->key, item);
  }
  return view_json(object);
}

static struct view_value workloads(const struct sweep_session *session, size_t design, struct view *view) {
  static const struct view_column columns[] = {
      {.key = "workload"}, {.key = "cycles"}, {.key = "time_ns"}, {.key = "speedup"}, {.key = "exact"}};
  const size_t cycles = outcome_value("cycles"), time = outcome_value("time_ns");
  const size_t count = session->evaluation.workload_count;
  struct view_list list;
  view_items_begin(view, columns, 5, &list);
  for (size_t w = 0; w < count; w++) {
    const double *m = outcomes_at(&session->outcomes, design, w);
    VIEW_ROW(&list, view_text(session->evaluation.workloads[w].name), view_real(m[cycles]), view_real(m[time]),
             view_real(session->scores.speedups[design * count + w]),
             view_truth(outcomes_exact(&session->outcomes, design, w)));
  }
  return view_items_end(&list);
}

/* Returns the object of a point; NULL: out of memory. */
static json_t *point_json(const struct sweep_session *session, const struct param *const *varied, size_t varied_count,
                          size_t point) {
  const size_t design = session->points.designs[point];
  struct error unused = ERROR_INIT;
  struct gpu_spec spec;
  struct view view;
  json_t *object;
  char *name = points_name(&session->points, point);
  points_spec(&session->points, point, &spec, NULL);
  view_begin(&view, true, NULL, NULL);
  view_member(&view, "point", view_whole(point));
  view_member(&view, "name", view_text(name));
  view_member(&view, "parameters", parameters(varied, varied_count, &spec));
  view_member(&view, "objective", view_real(session->scores.objective[design]));
  view_member(&view, "area", view_real(session->scores.area[design]));
  view_member(&view, "energy_ratio", view_real(session->scores.energy_ratio[design]));
  view_member(&view, "workloads", workloads(session, design, &view));
  const int status = view_take(&view, name ? 0 : -1, &object, &unused);
  free(name);
  return status == 0 ? object : NULL;
}

/* The answers under their head; of text the answers alone. */
static int show(const struct sweep_session *session, struct view *view, bool json, struct error *error) {
  const struct sweep_plan no_times = {0};
  view_begin(view, json, stdout, "reassemble.dse/1");
  view_member(view, "sweep", view_text(session->sweep->name));
  view_member(view, "gpu", view_text(session->sweep->gpu->name));
  view_member(view, "objective", view_text(sweep_objective_names[session->sweep->objective]));
  if (json)
    sweep_plan_members(session, &no_times, false, view);
  return sweep_answers_show(session, view, error);
}

/* Prints the value as jansson does where it stands so many levels deep in a document. False: out of memory. */
static bool put_json(const json_t *value, int levels, FILE *out) {
  char *text = json_text(value, JSON_INDENT(1));
  for (const char *at = text; at && *at != '\0';) {
    const size_t length = strcspn(at, "\n");
    fprintf(out, "%*s%.*s", levels, "", (int)length, at);
    at += length;
    if (*at == '\n')
      putc(*at++, out);
  }
  free(text);
  return text != NULL;
}

/* Each point is made, printed and freed, because all points of a large sweep do not fit in memory. */
static bool put_points(const struct sweep_session *session, FILE *out) {
  size_t varied_count;
  const struct param **varied = results_varied(session->sweep, &varied_count);
  bool done = varied != NULL;
  const char *before = "\n";
  for (size_t point = 0; done && point < session->points.count && !ferror(out); point++) {
    if (session->points.designs[point] == POINT_IMPOSSIBLE)
      continue;
    json_t *object = point_json(session, varied, varied_count, point);
    fputs(before, out);
    done = object && put_json(object, 2, out);
    json_decref(object);
    before = ",\n";
  }
  free(varied);
  return done;
}

/* The document with the member "points" behind its own. */
static bool put_document(const struct sweep_session *session, const json_t *document, FILE *out) {
  char *text = json_text(document, JSON_INDENT(1));
  bool done = text != NULL;
  if (done)
    fprintf(out, "%.*s,\n \"points\": [", (int)(strlen(text) - strlen("\n}")), text);
  done = done && put_points(session, out);
  fputs("\n ]\n}\n", out);
  free(text);
  return done;
}

static int write_document(const struct sweep_session *session, const char *path, const json_t *document,
                          struct error *error) {
  struct file_replace file;
  if (file_replace_begin(&file, path, error) != 0)
    return -1;
  if (put_document(session, document, file.stream))
    return file_replace_commit(&file, error); /* says what a full disk says */
  file_replace_abort(&file);
  return error_set(error, ERROR_WORK, "cannot build the JSON document: out of memory");
}

static int write_json(const struct sweep_session *session, struct error *error) {
  struct view view;
  json_t *document;
  char *path = sweep_session_path(session, "results.json");
  int status = show(session, &view, true, error);
  status = view_take(&view, status, &document, error);
  if (status == 0)
    status = path ? write_document(session, path, document, error) : error_no_memory(error);
  json_decref(document);
  free(path);
  return status;
}

typedef int write_results(const char *path, const struct points *points, const struct evaluation *evaluation,
                          const struct outcomes *outcomes, const struct scores *scores, struct error *error);

static int write_results_to(const struct sweep_session *session, const char *file, write_results *write,
                            struct error *error) {
  char *path = sweep_session_path(session, file);
  const int status =
      path ? write(path, &session->points, &session->evaluation, &session->outcomes, &session->scores, error)
           : error_no_memory(error);
  free(path);
  return status;
}

static int write_impossible(const struct sweep_session *session, struct error *error) {
  char *path = sweep_session_path(session, "impossible.csv");
  const int status = path ? results_write_impossible(path, &session->points, error) : error_no_memory(error);
  free(path);
  return status;
}

static int write_csv(const struct sweep_session *session, struct error *error) {
  if (write_results_to(session, "results.csv", results_write_csv, error) != 0 ||
      write_results_to(session, "designs.csv", results_write_designs, error) != 0)
    return -1;
  return session->points.impossible_count > 0 ? write_impossible(session, error) : 0;
}

int sweep_confirm(struct sweep_session *session, const struct run *run, struct error *error) {
  uint32_t asked[2];
  if (session->own->diff && sweep_diff_designs(session, asked, error) != 0)
    return -1;
  return confirm_reported(run, asked, session->own->diff ? 2 : 0, error) == 0
             ? sweep_sensitivities_run(session, run, error)
             : -1;
}

int sweep_finish(struct sweep_session *session, struct error *error) {
  struct view view;
  if (scores_compute(&session->points, &session->outcomes, &session->scores, error) != 0 ||
      write_csv(session, error) != 0 || write_json(session, error) != 0)
    return -1;
  const int status = show(session, &view, session->options->json, error);
  return view_end(&view, status, error);
}
