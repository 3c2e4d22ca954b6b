/* The result of `tune` as JSON, schema reassemble.tune/1. */
#include "cli/tune/tune_report.h"

#include <math.h>

#include "cli/core/command.h"

/* JSON has no NaN: what is not defined or was not computed becomes null. */
static json_t *number(double value) {
  return isfinite(value) ? json_real(value) : json_null();
}

static json_t *interval_json(const struct interval *interval, bool computed) {
  return computed ? json_pack("[o, o]", number(interval->low), number(interval->high)) : json_null();
}

static json_t *score_json(const struct score *s) {
  return json_pack("{s:o, s:o, s:o, s:o, s:o}", "mape_percent", number(s->mape_percent), "mape_percent_without_largest",
                   number(s->mape_percent_without_largest), "pearson", number(s->pearson), "spearman",
                   number(s->spearman), "kendall", number(s->kendall));
}

static json_t *parameters_json(const struct tune *t) {
  json_t *array = json_array();
  for (size_t i = 0; i < t->setup.space->count; i++) {
    const struct space_axis *axis = &t->setup.space->axes[i];
    json_array_append_new(array, json_pack("{s:s, s:s, s:f, s:f, s:o, s:f, s:f, s:b, s:b}", "key", axis->row->key,
                                           "unit", axis->row->unit, "start", axis->start, "tuned", t->tuned[i],
                                           "interval", interval_json(&t->parameter_intervals[i], t->replicas > 0),
                                           "low", axis->low, "high", axis->high, "at_bound", tune_at_bound(t, i),
                                           "moves_predictions", !t->inert[i]));
  }
  return array;
}

/* [[factor, objective with the others fixed, with the others refitted], ...] */
static json_t *profile_json(const struct identity *identity) {
  json_t *array = json_array();
  for (int s = 0; s < PROFILE_STEPS; s++)
    json_array_append_new(array, json_pack("{s:f, s:o, s:o}", "factor", profile_factors[s], "fixed",
                                           number(identity->fixed[s]), "refitted", number(identity->refitted[s])));
  return array;
}

static json_t *correlations_json(const struct tune_report *r, size_t p) {
  const struct identification *id = r->identification;
  json_t *object = json_object();
  for (size_t a = 0; a < id->axis_count; a++)
    if (id->axes[a] != p)
      json_object_set_new(object, r->tune->setup.space->axes[id->axes[a]].row->key,
                          number(id->correlation[p][id->axes[a]]));
  return object;
}

static json_t *flat_directions_json(const struct tune_report *r) {
  const struct identification *id = r->identification;
  json_t *array = json_array();
  for (size_t i = 0; i < id->flat_count; i++) {
    json_t *direction = json_object();
    for (size_t a = 0; a < id->axis_count; a++)
      json_object_set_new(direction, r->tune->setup.space->axes[id->axes[a]].row->key,
                          number(id->flat[i][id->axes[a]]));
    json_array_append_new(array, direction);
  }
  return array;
}

static json_t *identification_json(const struct tune_report *r) {
  const struct identification *id = r->identification;
  json_t *array = json_array();
  for (size_t a = 0; a < id->axis_count; a++) {
    const size_t p = id->axes[a];
    const struct identity *identity = &id->identities[p];
    json_array_append_new(array, json_pack("{s:s, s:f, s:o, s:b, s:o, s:o}", "key",
                                           r->tune->setup.space->axes[p].row->key, "sensitivity", identity->sensitivity,
                                           "amplification", number(identity->amplification), "determined",
                                           identity->amplification < undetermined_amplification, "correlations",
                                           correlations_json(r, p), "profile", profile_json(identity)));
  }
  return json_pack("{s:o, s:o}", "parameters", array, "flat_directions", flat_directions_json(r));
}

static json_t *kernels_json(const struct tune_report *r) {
  const struct tune *t = r->tune;
  json_t *array = json_array();
  for (size_t i = 0; i < r->board->count; i++) {
    const double m = t->setup.measured[i];
    json_array_append_new(
        array, json_pack("{s:s, s:s, s:f, s:f, s:f, s:f, s:o, s:o}", "name", r->board->measurements[i].name, "workload",
                         r->board->measurements[i].workload, "measured", m, "start", t->start_predictions[i],
                         "predicted", t->predictions[i], "error_percent", 100 * (t->predictions[i] - m) / m, "held_out",
                         t->held_out != NULL ? number(t->held_out[i]) : json_null(), "interval",
                         t->replicas > 0 ? interval_json(&t->prediction_intervals[i], true) : json_null()));
  }
  return array;
}

static json_t *scores_json(const struct tune_report *r) {
  const struct tune *t = r->tune;
  const bool held_out = t->held_out != NULL;
  return json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "in_sample", score_json(&t->score), "held_out",
                   held_out ? score_json(&t->held_out_score) : json_null(), "start", score_json(&t->start_score),
                   "constant_baseline_mape_percent", number(t->score.constant_baseline_mape_percent),
                   "work_item_instructions", score_json(&r->work_items), "work_item_instructions_held_out",
                   held_out ? score_json(&r->work_items_held_out) : json_null(), "issue_slots",
                   score_json(&r->issue_slots), "issue_slots_held_out",
                   held_out ? score_json(&r->issue_slots_held_out) : json_null());
}

static json_t *subset_json(const struct tune_report *r) {
  const struct subset *s = r->subset;
  if (s == NULL)
    return json_null();
  json_t *representatives = json_array(), *parameters = json_object();
  for (size_t k = 0; k < s->count; k++) {
    json_t *members = json_array();
    for (size_t i = 0; i < r->board->count; i++)
      if (s->cluster[i] == k)
        json_array_append_new(members, json_string(r->board->measurements[i].name));
    json_array_append_new(representatives,
                          json_pack("{s:s, s:I, s:o}", "name", r->board->measurements[s->representatives[k]].name,
                                    "weight", (json_int_t)s->weights[k], "members", members));
  }
  for (size_t i = 0; i < r->tune->setup.space->count; i++)
    json_object_set_new(parameters, r->tune->setup.space->axes[i].row->key, json_real(s->tuned[i]));
  return json_pack("{s:o, s:f, s:o, s:o, s:o, s:o}", "representatives", representatives, "issue_slots_percent",
                   r->subset_work_percent, "parameters", parameters, "in_sample", score_json(&s->inside), "rest",
                   score_json(&s->rest), "all", score_json(&s->all));
}

int tune_print_json(const struct tune_report *r, struct error *error) {
  const struct tune *t = r->tune;
  json_t *document = json_pack(
      "{s:s, s:s, s:s, s:s, s:s, s:s, s:f, s:I, s:I, s:I, s:I, s:o, s:o, s:b, s:b, s:o, s:I, s:o, s:o, s:o, s:s?, s:o, "
      "s:o}",
      "schema", "reassemble.tune/1", "tool_version", REASSEMBLE_VERSION, "gpu", r->gpu->name, "board", r->board->name,
      "unit", r->board->unit, "method", t->setup.method->name, "penalty_percent", t->setup.penalty_percent, "seed",
      (json_int_t)t->setup.seed, "evaluations", (json_int_t)tune_evaluations(t), "exact_evaluations",
      (json_int_t)t->evaluator.asked, "measurements", (json_int_t)t->setup.predictor->count, "start_objective",
      number(t->start_cost), "objective_value", number(t->cost), "nothing_moves", t->nothing_moves, "forced",
      t->underdetermined, "objective", command_json_text(r->objective), "replicas", (json_int_t)t->replicas,
      "parameters", parameters_json(t), "scores", scores_json(r), "kernels", kernels_json(r), "cv", r->cv,
      "identification", identification_json(r), "subset", subset_json(r));
  return command_print_json(document, error);
}
