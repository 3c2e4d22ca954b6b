#include "tuner/tune.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static size_t measurement_count(const struct tune *t) {
  return t->setup.predictor->count;
}

const char *tune_default_parameters(const struct board *board, const struct gpu_spec *spec, char *buffer, size_t size) {
  const bool many = board->count >= TUNE_MANY, has_scratchpad = spec->local_memory == LOCAL_SCRATCHPAD;
  snprintf(buffer, size, "%s%s%s%s%s", TUNE_DEFAULT_PARAMETERS, board->free_scale ? ",clock_hz" : "",
           many ? ",integer_price,address_price,branch_price,memory_price" : "",
           many && has_scratchpad ? ",scratchpad,scratchpad_pass" : "",
           many && spec->lsu_transactions_per_cycle > 0 ? ",lsu_transactions_per_cycle" : "");
  return buffer;
}

/* Errors e (mean of their absolute values, in percent) and a logarithm of spread s weigh the same in the most probable
 * point for e / (2 s^2 measurements). */
double tune_default_penalty(size_t measurements) {
  static const double error_percent = 10, spread = 0.41; /* ln 1.5; both assumed */
  return error_percent / (2 * spread * spread * (double)measurements);
}

static int check_count(struct tune *t, struct error *error) {
  const size_t points = measurement_count(t), parameters = t->setup.space->count;
  t->underdetermined = points < parameters;
  if (!t->underdetermined || t->setup.force || t->setup.penalty_percent > 0)
    return 0;
  return error_at(error, ERROR_INPUT, "", 0, 0, "measurements",
                  "found %zu for %zu parameters: without a penalty they cannot determine them; tune fewer (--params), "
                  "or --force",
                  points, parameters);
}

int tune_init(struct tune *t, const struct tune_setup *setup, struct error *error) {
  *t = (struct tune){.setup = *setup};
  if (setup->penalty_percent < 0)
    t->setup.penalty_percent = tune_default_penalty(measurement_count(t));
  evaluator_init(&t->evaluator, setup->space, setup->spec, setup->predictor);
  t->all = calloc(measurement_count(t), sizeof *t->all);
  if (t->all == NULL)
    return error_set(error, ERROR_WORK, "out of memory");
  for (size_t i = 0; i < measurement_count(t); i++)
    t->all[i] = i;
  const struct sample sample = {setup->measured, t->all, measurement_count(t)};
  return objective_check(setup->objective, &sample, error) == 0 ? check_count(t, error) : -1;
}

static void forget_near(struct tune *t) {
  t->near_asked += t->near_evaluator.asked;
  evaluator_clear(&t->near_evaluator);
  if (t->near_predictor.near_release != NULL)
    t->near_predictor.near_release(&t->near_predictor);
}

void tune_clear(struct tune *t) {
  forget_near(t);
  evaluator_clear(&t->evaluator);
  free(t->all);
  free(t->held_out);
  free(t->prediction_intervals);
}

/* ---- searches ---- */

static bool is_near(const struct tune *t) {
  return t->near_predictor.context != NULL;
}

int tune_search_near(struct tune *t, const double *point, struct error *error) {
  const struct tune_setup *setup = &t->setup;
  if (setup->exact || setup->predictor->near == NULL || t->never_near ||
      (is_near(t) && memcmp(t->near_point, point, setup->space->count * sizeof *point) == 0))
    return 0;
  forget_near(t);
  memcpy(t->near_point, point, setup->space->count * sizeof *point);
  const struct gpu_spec spec = space_apply(setup->space, setup->spec, point);
  if (setup->predictor->near(setup->predictor->context, &spec, &t->near_predictor, error) != 0)
    return -1;
  t->never_near = !is_near(t);
  if (t->never_near)
    return 0;
  evaluator_init(&t->near_evaluator, setup->space, setup->spec, &t->near_predictor);
  t->near_evaluator.progress = t->evaluator.progress;
  return 0;
}

size_t tune_evaluations(const struct tune *t) {
  return t->evaluator.asked + t->near_asked + t->near_evaluator.asked;
}

void tune_fit_init(struct tune *t, struct sample sample, struct fit *fit) {
  const struct tune_setup *setup = &t->setup;
  fit_init(fit, is_near(t) ? &t->near_evaluator : &t->evaluator, setup->objective, sample);
  fit->penalty_percent = setup->penalty_percent;
  fit->seed = setup->seed;
  fit->starts = setup->starts;
  fit->tolerance = setup->tolerance;
  fit->budget = setup->budget > 0 ? setup->budget : setup->method->budget;
  fit->axis_count = 0;
  for (size_t i = 0; i < setup->space->count; i++)
    if (!t->inert[i])
      fit->axes[fit->axis_count++] = i;
}

int tune_fit_run(const struct tune_method *method, struct fit *fit, struct error *error) {
  if (fit->axis_count > 0)
    method->run(fit);
  if (fit->error.kind == ERROR_NONE)
    return 0;
  if (error != NULL && error->kind == ERROR_NONE)
    *error = fit->error;
  return -1;
}

/* ---- the start, and what moves ---- */

/* The GPU as it is has to be one that the model takes. */
static int evaluate_start(struct tune *t, struct error *error) {
  double point[SPACE_MOST];
  space_start(t->setup.space, point);
  if (evaluator_predict(&t->evaluator, point, 1, &t->start_predictions, error) != 0)
    return -1;
  if (isfinite(t->start_predictions[0]))
    return 0;
  return error_at(error, ERROR_INPUT, "", 0, 0, t->evaluator.refusal.key, "the model refuses the start values: %s",
                  t->evaluator.refusal.text);
}

/* Bit by bit: a refused point (NaN) differs. */
static bool same_predictions(const struct tune *t, const double *a, const double *b) {
  for (size_t i = 0; i < measurement_count(t); i++)
    if (!(a[i] == b[i]))
      return false;
  return true;
}

/* Compares predictions at one end of a parameter's range, the others at their start, with those at the start. */
static int try_end(struct tune *t, const struct fit *fit, size_t axis, double end, struct error *error) {
  double point[SPACE_MOST];
  const double *predictions;
  memcpy(point, fit->start, sizeof point);
  point[axis] = end;
  if (evaluator_predict(fit->evaluator, point, 1, &predictions, error) != 0)
    return -1;
  t->inert[axis] &= same_predictions(t, predictions, t->start_predictions);
  t->nothing_moves &= objective_cost(t->setup.objective, &fit->sample, predictions) == t->start_cost;
  return 0;
}

/* The upper end of a range is asked for only if the lower one moves nothing. */
static int find_inert(struct tune *t, const struct fit *fit, struct error *error) {
  const struct space *space = t->setup.space;
  t->nothing_moves = true;
  for (size_t i = 0; i < space->count; i++) {
    t->inert[i] = true;
    if (try_end(t, fit, i, space->axes[i].low, error) != 0)
      return -1;
    if ((t->inert[i] || t->nothing_moves) && try_end(t, fit, i, space->axes[i].high, error) != 0)
      return -1;
  }
  return 0;
}

static int keep_result(struct tune *t, const double *point, struct error *error) {
  memcpy(t->tuned, point, t->setup.space->count * sizeof *point);
  if (evaluator_predict(&t->evaluator, t->tuned, 1, &t->predictions, error) != 0)
    return -1;
  score_compute(t->setup.measured, t->start_predictions, measurement_count(t), &t->start_score);
  score_compute(t->setup.measured, t->predictions, measurement_count(t), &t->score);
  return 0;
}

/* A place that a search has reached, with its exact cost. */
struct place {
  double point[SPACE_MOST], cost;
};

enum { MOST_ROUNDS = 8 };

/* Searches once from `from`. *to: what was found, its exact cost. */
static int search_once(struct tune *t, struct sample sample, const struct place *from, struct place *to,
                       struct error *error) {
  const double *predictions;
  struct fit fit;
  tune_fit_init(t, sample, &fit);
  memcpy(fit.start, from->point, sizeof fit.start);
  memcpy(fit.best, from->point, sizeof fit.best);
  if (tune_fit_run(t->setup.method, &fit, error) != 0 ||
      evaluator_predict(&t->evaluator, fit.best, 1, &predictions, error) != 0)
    return -1;
  memcpy(to->point, fit.best, sizeof to->point);
  to->cost = fit_cost_of(&fit, fit.best, predictions);
  return 0;
}

/* On cheap predictions again and again, each time recorded where the last search ended; on exact ones once. */
static int search(struct tune *t, struct sample sample, struct place *place, struct error *error) {
  bool better = true;
  for (int round = 0; round < MOST_ROUNDS && better; round++) {
    struct place next;
    if (tune_search_near(t, place->point, error) != 0 || search_once(t, sample, place, &next, error) != 0)
      return -1;
    better = next.cost < place->cost * (1 - t->setup.tolerance) && is_near(t);
    if (next.cost < place->cost)
      *place = next;
  }
  return 0;
}

int tune_search(struct tune *t, struct error *error) {
  struct fit fit;
  struct place place;
  const struct sample sample = {t->setup.measured, t->all, measurement_count(t)};
  if (evaluate_start(t, error) != 0)
    return -1;
  space_start(t->setup.space, place.point);
  if (tune_search_near(t, place.point, error) != 0)
    return -1;
  tune_fit_init(t, sample, &fit);
  t->start_cost = place.cost = objective_cost(t->setup.objective, &sample, t->start_predictions);
  if (find_inert(t, &fit, error) != 0)
    return -1;
  if (!t->nothing_moves && search(t, sample, &place, error) != 0)
    return -1;
  if (keep_result(t, place.point, error) != 0 || tune_search_near(t, t->tuned, error) != 0)
    return -1;
  t->cost = objective_cost(t->setup.objective, &sample, t->predictions);
  return 0;
}

bool tune_at_bound(const struct tune *t, size_t axis) {
  const struct space_axis *bounds = &t->setup.space->axes[axis];
  const double near = 1e-6 * (bounds->high - bounds->low);
  return t->tuned[axis] - bounds->low < near || bounds->high - t->tuned[axis] < near;
}
