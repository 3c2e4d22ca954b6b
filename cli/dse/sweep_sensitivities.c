#include "cli/dse/sweep_sensitivities.h"

#include <math.h>
#include <stdlib.h>

#include "dse/answer/answers.h"
#include "dse/run/run.h"

static int with_journal(struct sweep_session *session, const struct run *run, struct error *error) {
  struct intervals *intervals = &session->intervals;
  const bool exact = json_is_true(json_object_get(session->head, "exact"));
  json_t *head = sweep_journal_head(&intervals->points, run->evaluation, exact, REASSEMBLE_VERSION);
  char *path = sweep_session_path(session, "intervals.journal");
  struct journal *journal = NULL;
  int status = head && path ? 0 : error_no_memory(error);
  if (status == 0) /* a folder without a journal of the sweep may have this one still */
    status = sweep_journal_open(path, head, true, &intervals->outcomes, &journal, error);
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
  return run->journal ? with_journal(session, run, error) : intervals_run(&session->intervals, run, NULL, error);
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
  return gpu_params.list[session->intervals.parameters[k]].key;
}

static void say_title(const struct sweep_session *session, struct view *view) {
  const char *gpu = session->sweep->gpu->name;
  const double error = session->sweep->gpu->spec.prediction_error_ratio;
  view_say(view, "\nOne at a time: speed-up with the other parameters at the base's values\n");
  if (session->intervals.parameter_count > 0)
    view_say(view,
             "low, high: while %zu parameters of %s move in their 95 %% intervals, most by the one that is named\n",
             session->intervals.parameter_count, gpu);
  else if (error > 0)
    view_say(view, "low, high: the prediction error of %.3g %% of %s\n", 100 * error, gpu);
}

/* The speed-up at both ends of each parameter's interval, by key. */
static struct view_value ends(const struct sweep_session *session, const struct sensitivity *s) {
  if (!s->by_parameters || !s->at_ends)
    return view_absent();
  json_t *object = json_object();
  for (size_t k = 0; k < session->intervals.parameter_count; k++) {
    json_t *pair = json_array();
    for (int e = 0; e < 2; e++)
      json_array_append_new(pair, isfinite(s->at_ends[k][e]) ? json_real(s->at_ends[k][e]) : json_null());
    json_object_set_new(object, parameter_key(session, k), pair);
  }
  return view_json(object);
}

static void add_row(const struct sweep_session *session, const struct sweep_axis *axis, size_t value,
                    const struct sensitivity *s, struct view_list *list) {
  const bool named = s->interval.most < session->intervals.parameter_count;
  const char *from = s->by_parameters ? "parameters" : "prediction_error";
  VIEW_ROW(list, view_text(axis->name), view_text(axis->labels[value]), view_real(s->speedup),
           view_real(s->interval.low), view_real(s->interval.high), view_text(isfinite(s->interval.low) ? from : NULL),
           ends(session, s), named ? view_text(parameter_key(session, s->interval.most)) : view_absent(),
           view_real(s->area));
}

int sweep_sensitivities_show(const struct sweep_session *session, const struct sweep_score *score, struct view *view,
                             struct error *error) {
  static const struct view_column columns[] = {
      {.key = "axis"},
      {.key = "value", .title = "value"},
      {.key = "speedup", .title = "speed-up", .format = "%.3f"},
      {.key = "low", .title = "low", .format = "%.2f"},
      {.key = "high", .title = "high", .format = "%.2f"},
      {.key = "interval_from"},
      {.key = "at_ends"},
      {.title = "most by"},
      {.title = "area", .format = "%.1f"},
  };
  const struct sweep *sweep = session->sweep;
  struct view_list list;
  bool unknown = false;
  double(*at_ends)[2] = calloc(session->intervals.parameter_count + 1, sizeof *at_ends);
  if (!at_ends)
    return error_no_memory(error);
  if (sweep->axis_count > 0)
    say_title(session, view);
  if (sweep->axis_count > 0 || view_is_json(view)) {
    view_list_begin(view, "sensitivities", columns, sizeof columns / sizeof columns[0], &list);
    for (size_t a = 0; a < sweep->axis_count; a++)
      for (size_t v = 0; v < sweep->axes[a].value_count; v++) {
        struct sensitivity s = {.at_ends = view_is_json(view) ? at_ends : NULL};
        find(session, score, a, v, &s);
        unknown |= isnan(s.speedup);
        add_row(session, &sweep->axes[a], v, &s, &list);
      }
    view_list_end(&list);
  }
  if (unknown)
    view_say(view, "n/a: no design of the sweep has this value beside the base's values of all other axes, or none has "
                   "a result\n");
  free(at_ends);
  return 0;
}
