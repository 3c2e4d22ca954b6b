/* reassemble dse merge DIR...: the shares of a sweep, put together. */
#include "cli/dse/sweep_session.h"

#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/input/json.h"
#include "base/text.h"
#include "dse/run/run.h"

static int read_head(const char *folder, json_t **out, struct error *error) {
  char *path = text_format("%s/journal", folder);
  if (!path)
    return error_no_memory(error);
  const int status = sweep_journal_read_head(path, out, error);
  free(path);
  return status;
}

/* Where every result is exact, traces are not needed: the names of the workloads and the digests of their traces are
 * enough. */
static int take_workload(const json_t *item, struct evaluation *evaluation, const char *file, struct error *error) {
  struct evaluation_workload *w = &evaluation->workloads[evaluation->workload_count++];
  const char *name, *digest;
  if (json_need_string(item, "name", &name, file, error) != 0 ||
      json_need_string(item, "digest", &digest, file, error) != 0)
    return -1;
  w->digest = strtoull(digest, NULL, 16);
  w->name = strdup(name);
  return w->name ? 0 : error_no_memory(error);
}

static int take_workloads(const json_t *head, struct evaluation *evaluation, const char *file, struct error *error) {
  json_t *list;
  if (json_need_array(head, "workloads", &list, file, error) != 0)
    return -1;
  evaluation->workloads = calloc(json_array_size(list) + 1, sizeof *evaluation->workloads);
  if (!evaluation->workloads)
    return error_no_memory(error);
  for (size_t i = 0; i < json_array_size(list); i++)
    if (take_workload(json_array_get(list, i), evaluation, file, error) != 0)
      return -1;
  if (evaluation->workload_count == 0)
    return error_at(error, ERROR_INPUT, file, 1, 0, "workloads", "is empty");
  return 0;
}

static int open_by_head(struct sweep_session *session, const json_t *head, const char *folder, struct error *error) {
  const char *path;
  if (json_need_string(head, "sweep_path", &path, folder, error) != 0)
    return -1;
  struct error cause = ERROR_INIT;
  if (sweep_session_open(session, path, &cause) != 0)
    return error_at(error, cause.kind, cause.file[0] ? cause.file : folder, cause.line, cause.column, cause.key, "%s%s",
                    cause.text,
                    cause.file[0] ? "" : " (the sweep's file of that run; call it where the run was called)");
  if (sweep_session_group(session, json_is_true(json_object_get(head, "exact")), error) != 0)
    return -1;
  if (session->families.count > 0 || session->intervals.parameter_count > 0) /* confirming, and intervals */
    return sweep_session_load(session, error);
  return take_workloads(head, &session->evaluation, folder, error);
}

static int read_all(struct sweep_session *session, const json_t *head, struct error *error) {
  const struct options *options = session->options;
  for (size_t i = 1; i < options->argument_count; i++) {
    char *path = text_format("%s/journal", options->arguments[i]);
    if (!path)
      return error_no_memory(error);
    const int status = sweep_journal_read(path, head, &session->outcomes, error);
    free(path);
    if (status != 0)
      return -1;
  }
  const size_t missing = outcomes_missing(&session->outcomes);
  if (missing > 0)
    return error_set(error, ERROR_WORK,
                     "%zu of %zu results are missing: is a share not here, or not finished (--resume)?", missing,
                     session->outcomes.design_count * session->outcomes.workload_count);
  return 0;
}

static int confirm_merged(struct sweep_session *session, struct error *error) {
  const struct run run = {.points = &session->points,
                          .evaluation = &session->evaluation,
                          .families = &session->families,
                          .outcomes = &session->outcomes,
                          .shares = 1,
                          .jobs = session->options->jobs,
                          .quiet = session->options->quiet,
                          .alone = true};
  return sweep_confirm(session, &run, error);
}

int sweep_merge(struct sweep_session *session, struct error *error) {
  const struct options *options = session->options;
  json_t *found = NULL;
  if (options->argument_count < 2)
    return error_set(error, ERROR_INPUT, "missing argument; usage: reassemble dse merge DIR... -o DIR");
  if (!session->own->output)
    return error_set(error, ERROR_INPUT, "--output is missing: the folder for the merged results");
  if (read_head(options->arguments[1], &found, error) != 0)
    return -1;
  int status = open_by_head(session, found, options->arguments[1], error);
  if (status == 0)
    status = outcomes_init(&session->outcomes, session->points.design_count, session->evaluation.workload_count, error);
  if (status == 0) {
    session->head = sweep_journal_head(&session->points, &session->evaluation,
                                       json_is_true(json_object_get(found, "exact")), REASSEMBLE_VERSION);
    status = session->head ? read_all(session, session->head, error) : error_no_memory(error);
  }
  json_decref(found);
  if (status == 0)
    status = confirm_merged(session, error);
  return status == 0 ? file_make_directories(session->output, error) : -1;
}
