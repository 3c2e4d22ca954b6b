/* Answers of a sweep as JSON. */
#include "cli/dse/sweep_answers.h"

#include <math.h>
#include <stdlib.h>

#include "cli/core/command.h"
#include "cli/dse/sweep_diff.h"
#include "cli/dse/sweep_reference.h"
#include "cli/dse/sweep_sensitivities.h"
#include "dse/answer/answers.h"
#include "dse/confirm.h"
#include "dse/answer/pareto.h"

static json_t *number(double value) {
  return isfinite(value) ? json_real(value) : json_null();
}

static json_t *main_effects_json(const struct sweep *sweep, const struct effects *effects) {
  json_t *list = json_array();
  for (size_t a = 0; a < sweep->axis_count; a++) {
    json_t *values = json_array();
    for (size_t v = 0; v < sweep->axes[a].value_count; v++)
      json_array_append_new(values, json_pack("{s:o, s:o}", "value", command_json_text(sweep->axes[a].labels[v]),
                                              "factor", number(exp(effects->means[a][v]))));
    json_array_append_new(list, json_pack("{s:o, s:o, s:o}", "axis", command_json_text(sweep->axes[a].name),
                                          "variance_share", number(effects->shares[a]), "values", values));
  }
  return list;
}

static json_t *interactions_json(const struct sweep *sweep, const struct effects *effects) {
  json_t *list = json_array();
  for (size_t a = 0; a < sweep->axis_count; a++)
    for (size_t b = a + 1; b < sweep->axis_count; b++)
      json_array_append_new(list, json_pack("{s:o, s:o, s:o}", "axis", command_json_text(sweep->axes[a].name), "with",
                                            command_json_text(sweep->axes[b].name), "variance_share",
                                            number(effects->pair_shares[a * sweep->axis_count + b])));
  return list;
}

static json_t *designs_json(const struct sweep_session *session, const double *score, const size_t *designs,
                            size_t count) {
  json_t *list = json_array();
  for (size_t i = 0; i < count; i++) {
    const size_t d = designs[i], point = session->points.first_points[d];
    char *name = points_name(&session->points, point);
    json_array_append_new(list, json_pack("{s:I, s:o, s:o, s:o, s:o}", "point", (json_int_t)point, "name",
                                          command_json_text(name != NULL ? name : "?"), "area",
                                          number(session->scores.area[d]), "speedup", number(score[d]), "energy_ratio",
                                          number(session->scores.energy_ratio[d])));
    free(name);
  }
  return list;
}

static int add_fronts(const struct sweep_session *session, const double *score, json_t *object, struct error *error) {
  const size_t designs = session->points.design_count;
  size_t count, *list = calloc(designs, sizeof *list);
  if (list == NULL || pareto_front(session->scores.area, score, designs, list, &count) != 0) {
    free(list);
    return error_set(error, ERROR_WORK, "out of memory");
  }
  json_object_set_new(object, "pareto", designs_json(session, score, list, count));
  json_t *targets = json_array();
  int status = 0;
  for (size_t t = 0; t < session->sweep->target_count && status == 0; t++) {
    const double target = session->sweep->targets[t];
    status = pareto_reach(session->scores.area, score, designs, target, list, &count);
    if (status == 0)
      json_array_append_new(
          targets, json_pack("{s:f, s:I, s:o}", "target", target, "reached_by", (json_int_t)count, "designs",
                             designs_json(session, score, list, count < TARGETS_LISTED ? count : TARGETS_LISTED)));
  }
  json_object_set_new(object, "targets", targets);
  free(list);
  return status == 0 ? 0 : error_set(error, ERROR_WORK, "out of memory");
}

static int add_effects(const struct sweep_session *session, const double *score, json_t *object, struct error *error) {
  struct effects effects = {0};
  bool any;
  if (answer_effects(&session->points, score, &effects, &any, error) != 0)
    return -1;
  if (any) {
    json_object_set_new(object, "main_effects", main_effects_json(session->sweep, &effects));
    json_object_set_new(object, "interactions", interactions_json(session->sweep, &effects));
  }
  effects_clear(&effects);
  return 0;
}

/* All answers to one score per design. */
static int append_score(const struct sweep_session *session, const struct sweep_score *score, json_t *list,
                        struct error *error) {
  const char *title = score->title != NULL ? score->title : sweep_objective_names[session->sweep->objective];
  json_t *object = json_pack("{s:o, s:o}", "score", command_json_text(title), "sensitivities",
                             sweep_sensitivities_json(session, score));
  if (add_effects(session, score->of, object, error) != 0 || add_fronts(session, score->of, object, error) != 0) {
    json_decref(object);
    return -1;
  }
  return command_json_append(list, object, error);
}

int sweep_answers_json(const struct sweep_session *session, json_t **out, struct error *error) {
  json_t *list = json_array();
  struct sweep_score score;
  int status = 0;
  *out = json_pack("{s:o}", "answers", list);
  for (size_t i = 0; i < sweep_score_count(session) && status == 0; i++) {
    status = sweep_score_make(session, i, &score, error);
    if (status == 0)
      status = append_score(session, &score, list, error);
    sweep_score_clear(&score);
  }
  if (status == 0)
    status = sweep_reference_json(session, *out, error);
  if (status == 0 && session->own->diff != NULL) {
    json_t *diff = sweep_diff_json(session, error);
    status = diff != NULL ? json_object_set_new(*out, "diff", diff) : -1;
  }
  return status;
}
