#include "cli/dse/sweep_sensitivities.h"

#include <math.h>
#include <stdlib.h>

#include "cli/core/command.h"
#include "cli/core/table.h"
#include "dse/answer/answers.h"
#include "dse/run/run.h"

static int with_journal(struct sweep_session *session, const struct run *run, struct error *error) {
  struct intervals *intervals = &session->intervals;
  const bool exact = json_is_true(json_object_get(session->head, "exact"));
  json_t *head = journal_head(&intervals->points, run->evaluation, exact, REASSEMBLE_VERSION);
  char *path = sweep_session_path(session, "intervals.journal");
  struct journal *journal = NULL;
  int status = head != NULL && path != NULL ? 0 : error_set(error, ERROR_WORK, "out of memory");
  if (status == 0) /* a folder without a journal of the sweep may have this one still */
    status = journal_open(path, head, true, &intervals->outcomes, &journal, error);
  if (status == 0)
    status = intervals_run(intervals, run, journal, error);
  journal_close(journal);
  free(path);
  json_decref(head);
  return status;
}

int sweep_sensitivities_run(struct sweep_session *session, const struct run *run, struct error *error) {
  if (session->intervals.parameter_count == 0)
    return 0;
  return run->journal != NULL ? with_journal(session, run, error)
                              : intervals_run(&session->intervals, run, NULL, error);
}

/* A sensitivity with everything that is said of it. */
struct sensitivity {
  double speedup, area;
  struct interval_of interval;
  bool by_parameters;
  double (*at_ends)[2]; /* [parameter_count] */
};

/* Without intervals of parameters: as far as predictions were off from measurements. The base beside itself is not. */
static void by_prediction_error(const struct sweep_session *session, uint32_t design, struct sensitivity *s) {
  const double error = design > 0 ? session->sweep->gpu->spec.prediction_error_ratio : 0;
  if (session->sweep->gpu->spec.prediction_error_ratio <= 0)
    return;
  s->interval.low = s->speedup / (1 + error);
  s->interval.high = s->speedup * (1 + error);
}

static void find(const struct sweep_session *session, const struct sweep_score *score, size_t axis, size_t value,
                 struct sensitivity *s) {
  const uint32_t design = answer_one_at_a_time(&session->points, axis, value);
  s->speedup = design != POINT_IMPOSSIBLE ? score->of[design] : NAN;
  s->area = design != POINT_IMPOSSIBLE ? session->scores.area[design] : NAN;
  s->by_parameters =
      intervals_of(&session->intervals, axis, value, score->first, score->count, s->speedup, s->at_ends, &s->interval);
  if (session->intervals.parameter_count == 0)
    by_prediction_error(session, design, s);
}

static const char *parameter_key(const struct sweep_session *session, size_t k) {
  return gpu_params.rows[session->intervals.parameters[k]].key;
}

static void add_number(struct table *table, const char *format, double value) {
  char text[64];
  snprintf(text, sizeof text, format, value);
  table_add(table, "%s", isnan(value) ? "n/a" : text);
}

static void add_row(const struct sweep_session *session, const char *label, const struct sensitivity *s,
                    struct table *table) {
  const size_t parameters = session->intervals.parameter_count;
  table_add(table, "%s", label);
  add_number(table, "%.3f", s->speedup);
  add_number(table, "%.2f", s->interval.low);
  add_number(table, "%.2f", s->interval.high);
  if (parameters > 0)
    table_add(table, "%s", s->interval.most < parameters ? parameter_key(session, s->interval.most) : "");
  add_number(table, "%.1f", s->area);
}

static void print_title(const struct sweep_session *session, FILE *out) {
  const double error = session->sweep->gpu->spec.prediction_error_ratio;
  fputs("\nOne at a time: speed-up with the other parameters at the base's values\n", out);
  if (session->intervals.parameter_count > 0)
    fprintf(out, "low, high: while %zu parameters of ", session->intervals.parameter_count);
  else if (error > 0)
    fprintf(out, "low, high: the prediction error of %.3g %% of ", 100 * error);
  else
    return;
  table_print_text(session->sweep->gpu->name, out);
  fputs(session->intervals.parameter_count > 0 ? " move in their 95 % intervals, most by the one that is named\n"
                                               : "\n",
        out);
}

int sweep_sensitivities_print(const struct sweep_session *session, const struct sweep_score *score, FILE *out,
                              struct error *error) {
  const struct sweep *sweep = session->sweep;
  const bool by_parameters = session->intervals.parameter_count > 0;
  if (sweep->axis_count == 0)
    return 0;
  print_title(session, out);
  struct table *table = table_create(by_parameters ? (struct table_column[]){{"value", false},
                                                                             {"speed-up", true},
                                                                             {"low", true},
                                                                             {"high", true},
                                                                             {"most by", false},
                                                                             {"area", true}}
                                                   : (struct table_column[]){{"value", false},
                                                                             {"speed-up", true},
                                                                             {"low", true},
                                                                             {"high", true},
                                                                             {"area", true}},
                                     by_parameters ? 6 : 5);
  for (size_t a = 0; a < sweep->axis_count; a++)
    for (size_t v = 0; v < sweep->axes[a].value_count; v++) {
      struct sensitivity s = {0};
      find(session, score, a, v, &s);
      add_row(session, sweep->axes[a].labels[v], &s, table);
    }
  const int status = table_print(table, out, error);
  table_destroy(table);
  return status;
}

static json_t *number(double value) {
  return isfinite(value) ? json_real(value) : json_null();
}

static json_t *ends_json(const struct sweep_session *session, const struct sensitivity *s) {
  json_t *object = json_object();
  for (size_t k = 0; k < session->intervals.parameter_count; k++)
    json_object_set_new(object, parameter_key(session, k),
                        json_pack("[o, o]", number(s->at_ends[k][0]), number(s->at_ends[k][1])));
  return object;
}

static json_t *sensitivity_json(const struct sweep_session *session, const struct sweep_axis *axis, size_t value,
                                const struct sensitivity *s) {
  const char *from = s->by_parameters ? "parameters" : "prediction_error";
  json_t *object = json_pack("{s:o, s:o, s:o, s:o, s:o, s:o}", "axis", command_json_text(axis->name), "value",
                             command_json_text(axis->labels[value]), "speedup", number(s->speedup), "low",
                             number(s->interval.low), "high", number(s->interval.high), "interval_from",
                             isfinite(s->interval.low) ? json_string(from) : json_null());
  if (s->by_parameters)
    json_object_set_new(object, "at_ends", ends_json(session, s));
  return object;
}

json_t *sweep_sensitivities_json(const struct sweep_session *session, const struct sweep_score *score) {
  const struct sweep *sweep = session->sweep;
  double(*at_ends)[2] = calloc(session->intervals.parameter_count + 1, sizeof *at_ends);
  json_t *list = at_ends != NULL ? json_array() : NULL;
  for (size_t a = 0; list != NULL && a < sweep->axis_count; a++)
    for (size_t v = 0; v < sweep->axes[a].value_count; v++) {
      struct sensitivity s = {.at_ends = at_ends};
      find(session, score, a, v, &s);
      json_array_append_new(list, sensitivity_json(session, &sweep->axes[a], v, &s));
    }
  free(at_ends);
  return list;
}
