/* The end of a sweep: scores, files of results, answers. */
#include "cli/dse/sweep_session.h"

#include <math.h>
#include <stdlib.h>

#include "base/file.h"
#include "cli/core/command.h"
#include "cli/dse/sweep_answers.h"
#include "cli/dse/sweep_diff.h"
#include "cli/dse/sweep_sensitivities.h"
#include "dse/confirm.h"
#include "dse/answer/results.h"

static json_t *number(double value) {
  return isfinite(value) ? json_real(value) : json_null();
}

static json_t *parameters_json(const struct param_row *const *varied, size_t count, const struct gpu_spec *spec) {
  json_t *object = json_object();
  for (size_t i = 0; i < count; i++) {
    const struct param_row *row = varied[i];
    char text[64];
    const double value = params_get_number(row, spec);
    json_t *item = row->type == PARAM_INT    ? json_integer((json_int_t)value)
                   : row->type == PARAM_REAL ? json_real(value)
                   : row->type == PARAM_BOOL ? json_boolean(value != 0)
                                             : json_string(params_format(row, spec, text, sizeof text));
    json_object_set_new(object, row->key, item);
  }
  return object;
}

static json_t *workload_rows(const struct sweep_session *session, size_t design) {
  const size_t cycles = outcome_measure("cycles"), time = outcome_measure("time_ns");
  const size_t count = session->evaluation.workload_count;
  json_t *rows = json_array();
  for (size_t w = 0; w < count; w++) {
    const double *m = outcomes_at(&session->outcomes, design, w);
    const bool exact = outcomes_exact(&session->outcomes, design, w);
    json_array_append_new(rows, json_pack("{s:o, s:o, s:o, s:o, s:b}", "workload",
                                          command_json_text(session->evaluation.workloads[w].name), "cycles",
                                          number(m[cycles]), "time_ns", number(m[time]), "speedup",
                                          number(session->scores.speedups[design * count + w]), "exact", exact));
  }
  return rows;
}

static json_t *point_json(const struct sweep_session *session, size_t point, const struct param_row *const *varied,
                          size_t varied_count) {
  const size_t design = session->points.designs[point];
  struct gpu_spec spec;
  char *name = points_name(&session->points, point);
  if (name == NULL)
    return NULL;
  points_spec(&session->points, point, &spec, NULL);
  json_t *object =
      json_pack("{s:I, s:o, s:o, s:o, s:o, s:o, s:o}", "point", (json_int_t)point, "name", command_json_text(name),
                "parameters", parameters_json(varied, varied_count, &spec), "objective",
                number(session->scores.objective[design]), "area", number(session->scores.area[design]), "energy_ratio",
                number(session->scores.energy_ratio[design]), "workloads", workload_rows(session, design));
  free(name);
  return object;
}

static int points_json(const struct sweep_session *session, json_t **out, struct error *error) {
  size_t varied_count;
  const struct param_row **varied = results_varied(session->sweep, &varied_count);
  int status = varied != NULL ? 0 : error_set(error, ERROR_WORK, "out of memory");
  *out = json_array();
  for (size_t point = 0; point < session->points.count && status == 0; point++)
    if (session->points.designs[point] != POINT_IMPOSSIBLE)
      status = command_json_append(*out, point_json(session, point, varied, varied_count), error);
  free(varied);
  return status;
}

static json_t *document_head(const struct sweep_session *session) {
  const struct sweep_plan no_times = {0};
  return json_pack("{s:s, s:o, s:o, s:s, s:o}", "schema", "reassemble.dse/1", "sweep",
                   command_json_text(session->sweep->name), "gpu", command_json_text(session->sweep->gpu->name),
                   "objective", sweep_objective_names[session->sweep->objective], "plan",
                   sweep_plan_json(session, &no_times, false));
}

static int write_document(const char *path, const json_t *document, struct error *error) {
  struct file_replace file;
  if (file_replace_begin(&file, path, error) != 0)
    return -1;
  const int dumped = json_dumpf(document, file.stream, JSON_INDENT(1));
  putc('\n', file.stream);
  if (dumped == 0 || ferror(file.stream)) /* commit says what a full disk says */
    return file_replace_commit(&file, error);
  file_replace_abort(&file);
  return error_set(error, ERROR_WORK, "cannot build the JSON document: out of memory");
}

static int write_json(const struct sweep_session *session, json_t *answers, struct error *error) {
  json_t *points = NULL, *document = document_head(session);
  char *path = sweep_session_path(session, "results.json");
  int status = points_json(session, &points, error);
  if (status == 0 && (path == NULL || json_object_update(document, answers) != 0))
    status = error_set(error, ERROR_WORK, "out of memory");
  json_object_set_new(document, "points", points);
  if (status == 0)
    status = write_document(path, document, error);
  free(path);
  json_decref(document);
  return status;
}

static int write_csv(const struct sweep_session *session, struct error *error) {
  char *results = sweep_session_path(session, "results.csv"),
       *impossible = sweep_session_path(session, "impossible.csv");
  int status = results && impossible ? 0 : error_set(error, ERROR_WORK, "out of memory");
  if (status == 0)
    status =
        results_write_csv(results, &session->points, &session->evaluation, &session->outcomes, &session->scores, error);
  if (status == 0 && session->points.impossible_count > 0)
    status = results_write_impossible(impossible, &session->points, error);
  free(results);
  free(impossible);
  return status;
}

int sweep_confirm(struct sweep_session *session, const struct run *run, struct error *error) {
  uint32_t asked[2];
  if (session->own->diff != NULL && sweep_diff_designs(session, asked, error) != 0)
    return -1;
  return confirm_reported(run, asked, session->own->diff != NULL ? 2 : 0, error) == 0
             ? sweep_sensitivities_run(session, run, error)
             : -1;
}

int sweep_finish(struct sweep_session *session, struct error *error) {
  json_t *answers = NULL;
  if (scores_compute(&session->points, &session->outcomes, &session->scores, error) != 0 ||
      write_csv(session, error) != 0)
    return -1;
  int status = sweep_answers_json(session, &answers, error);
  if (status == 0)
    status = write_json(session, answers, error);
  if (status == 0 && session->options->json) {
    json_t *document = document_head(session);
    json_object_update(document, answers);
    status = command_print_json(document, error);
  } else if (status == 0) {
    status = sweep_answers_print(session, stdout, error);
  }
  json_decref(answers);
  return status;
}
