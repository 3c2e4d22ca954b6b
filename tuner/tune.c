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

/* In the most probable point, errors e (mean of their absolute values, in percent) and a logarithm of spread s weigh
 * the same for e / (2 s^2 measurements). */
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

static size_t weight_of(const struct tune *t, size_t measurement) {
  return t->setup.weights ? t->setup.weights[measurement] : 1;
}

/* Makes the sample of all measurements. Returns -1 when out of memory. */
static int list_indices(struct tune *t) {
  size_t count = 0;
  for (size_t i = 0; i < measurement_count(t); i++)
    count += weight_of(t, i);
  t->all = calloc(count + 1, sizeof *t->all);
  t->sample = (struct sample){.measured = t->setup.measured, .indices = t->all};
  for (size_t i = 0; i < measurement_count(t) && t->all; i++)
    for (size_t w = weight_of(t, i); w > 0; w--)
      t->all[t->sample.count++] = i;
  return t->all ? 0 : -1;
}

int tune_init(struct tune *t, const struct tune_setup *setup, struct error *error) {
  *t = (struct tune){.setup = *setup};
  if (setup->penalty_percent < 0)
    t->setup.penalty_percent = tune_default_penalty(measurement_count(t));
  evaluator_init(&t->evaluator, setup->space, setup->spec, setup->predictor);
  if (list_indices(t) != 0)
    return error_no_memory(error);
  return objective_check(setup->objective, &t->sample, error) == 0 ? check_count(t, error) : -1;
}

/* ---- cheap predictions ---- */

static bool is_near(const struct tune *t) {
  return t->near.predictor.context != NULL;
}

static bool is_at(const struct tune *t, const struct tune_near *near, const double *point) {
  return near->predictor.context && memcmp(near->point, point, t->setup.space->count * sizeof *point) == 0;
}

static void forget(struct tune *t, struct tune_near *near) {
  t->near_asked += near->evaluator.asked;
  evaluator_clear(&near->evaluator);
  if (near->predictor.release)
    near->predictor.release(&near->predictor);
  *near = (struct tune_near){0};
}

static void move_near(struct tune_near *to, struct tune_near *from) {
  *to = *from;
  to->evaluator.predictor = &to->predictor;
  *from = (struct tune_near){0};
}

/* Uses the earlier recordings again if they are at this point. */
static void go_back(struct tune *t, const double *point) {
  if (!is_at(t, &t->before, point))
    return;
  forget(t, &t->near);
  move_near(&t->near, &t->before);
}

void tune_clear(struct tune *t) {
  forget(t, &t->near);
  forget(t, &t->before);
  evaluator_clear(&t->evaluator);
  free(t->all);
  free(t->held_out);
  free(t->prediction_intervals);
}

/* Records at a point, whose exact predictions are then known. Nothing is recorded if the model refuses the point. */
static int record(struct tune *t, const double *point, struct tune_near *near, struct error *error) {
  const struct tune_setup *setup = &t->setup;
  const struct gpu_spec spec = space_apply(setup->space, setup->spec, point);
  struct error refusal = ERROR_INIT;
  double *predictions = calloc(measurement_count(t) + 1, sizeof *predictions);
  if (!predictions)
    return error_no_memory(error);
  memcpy(near->point, point, setup->space->count * sizeof *point);
  int status = setup->predictor->near(setup->predictor->context, &spec, &near->predictor, predictions, &refusal);
  t->never_near = status == 0 && !near->predictor.context;
  if (near->predictor.context)
    status = evaluator_learn(&t->evaluator, near->point, predictions, error);
  else if (status != 0)
    status = refusal.kind == ERROR_INPUT ? 0 : error_set(error, ERROR_WORK, "%s", refusal.text);
  free(predictions);
  return status;
}

int tune_search_near(struct tune *t, const double *point, struct error *error) {
  const struct tune_setup *setup = &t->setup;
  struct tune_near near = {0};
  if (setup->exact || !setup->predictor->near || t->never_near || is_at(t, &t->near, point))
    return 0;
  forget(t, &t->before);
  if (record(t, point, &near, error) != 0) {
    forget(t, &near);
    return -1;
  }
  if (!near.predictor.context)
    return 0;
  move_near(&t->before, &t->near);
  move_near(&t->near, &near);
  evaluator_init(&t->near.evaluator, setup->space, setup->spec, &t->near.predictor);
  t->near.evaluator.progress = t->evaluator.progress;
  return 0;
}

int tune_linear_model(struct tune *t, struct linear_model *m, struct error *error) {
  const bool near = measurement_count(t) >= TUNE_MANY && is_at(t, &t->near, t->tuned);
  return linear_model_around(m, t->tuned, near ? &t->near.evaluator : &t->evaluator, near, error);
}

size_t tune_evaluations(const struct tune *t) {
  return t->evaluator.asked + t->near_asked + t->near.evaluator.asked + t->before.evaluator.asked;
}

void tune_fit_init(struct tune *t, struct sample sample, struct fit *fit) {
  const struct tune_setup *setup = &t->setup;
  fit_init(fit, is_near(t) ? &t->near.evaluator : &t->evaluator, setup->objective, sample);
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
  if (error && error->kind == ERROR_NONE)
    *error = fit->error;
  return -1;
}

/* ---- the start, and the parameters that move predictions ---- */

/* The GPU as it is has to be one that the model takes. `searches`: its neighbours will be asked for. */
static int evaluate_start(struct tune *t, double *point, bool searches, struct error *error) {
  space_start(t->setup.space, point);
  if ((searches && tune_search_near(t, point, error) != 0) ||
      evaluator_predict(&t->evaluator, point, 1, &t->start_predictions, error) != 0)
    return -1;
  if (isfinite(t->start_predictions[0]))
    return 0;
  return error_at(error, ERROR_INPUT, "", 0, 0, t->evaluator.refusal.key, "the model refuses the start values: %s",
                  t->evaluator.refusal.text);
}

/* Returns whether predictions are equal to the bit. A refused point (NaN) differs from every point. */
static bool same_predictions(const struct tune *t, const double *a, const double *b) {
  for (size_t i = 0; i < measurement_count(t); i++)
    if (!(a[i] == b[i]))
      return false;
  return true;
}

/* Returns whether it is enough to know of an end whether it moves a prediction: an objective without a correlation then
 * changes. On few measurements the whole end is evaluated, because a search may use it. */
static bool asks_for_moves_only(const struct tune *t, const struct fit *fit) {
  return measurement_count(t) >= TUNE_MANY && fit->evaluator->predictor->moves &&
         !objective_has_correlation(t->setup.objective);
}

static int try_moves(struct tune *t, const struct predictor *predictor, const double *point, size_t axis,
                     struct error *error) {
  const struct gpu_spec spec = space_apply(t->setup.space, t->setup.spec, point);
  bool moves = false;
  if (predictor->moves(predictor->context, &spec, t->start_predictions, &moves, error) != 0)
    return -1;
  t->inert[axis] &= !moves;
  t->nothing_moves &= !moves;
  return 0;
}

/* Compares predictions at one end of a parameter's range, with the others at their start, with those at the start. */
static int try_end(struct tune *t, const struct fit *fit, size_t axis, double end, struct error *error) {
  double point[SPACE_MOST];
  const double *predictions;
  memcpy(point, fit->start, sizeof point);
  point[axis] = end;
  if (asks_for_moves_only(t, fit))
    return try_moves(t, fit->evaluator->predictor, point, axis, error);
  if (evaluator_predict(fit->evaluator, point, 1, &predictions, error) != 0)
    return -1;
  t->inert[axis] &= same_predictions(t, predictions, t->start_predictions);
  t->nothing_moves &= objective_cost(t->setup.objective, &fit->sample, predictions) == t->start_cost;
  return 0;
}

/* Finds the inert parameters. The upper end of a range is evaluated only if the lower one moves nothing. */
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

/* A point that a search has reached, with its exact cost. */
struct place {
  double point[SPACE_MOST], cost;
};

enum { MOST_ROUNDS = 8, MOST_HALVINGS = 2 };

/* Moves to a point: records there if that is possible, and predicts it exactly. */
static int go_to(struct tune *t, const struct fit *fit, const double *point, struct place *to, struct error *error) {
  const double *predictions;
  memcpy(to->point, point, sizeof to->point);
  if (tune_search_near(t, to->point, error) != 0 ||
      evaluator_predict(&t->evaluator, to->point, 1, &predictions, error) != 0)
    return -1;
  to->cost = fit_cost_of(fit, to->point, predictions);
  return 0;
}

/* Moves a point to the middle between it and another one, in search coordinates. */
static void halve_way(const struct space *space, const double *from, double *point) {
  for (size_t i = 0; i < space->count; i++) {
    const struct space_axis *axis = &space->axes[i];
    point[i] = space_from_search(axis, (space_to_search(axis, from[i]) + space_to_search(axis, point[i])) / 2);
  }
  space_normalise(space, point);
}

/* Searches once from `from`. *to becomes the point found, with its exact cost. If cheap predictions promised more than
 * there is, points nearer to where they were recorded are tried. */
static int search_once(struct tune *t, struct sample sample, const struct place *from, struct place *to,
                       struct error *error) {
  struct fit fit;
  double point[SPACE_MOST];
  tune_fit_init(t, sample, &fit);
  memcpy(fit.start, from->point, sizeof fit.start);
  memcpy(fit.best, from->point, sizeof fit.best);
  if (tune_fit_run(t->setup.method, &fit, error) != 0)
    return -1;
  const bool promised = is_near(t) && fit.best_cost < from->cost * (1 - t->setup.tolerance);
  memcpy(point, fit.best, sizeof point);
  int status = go_to(t, &fit, point, to, error);
  for (int i = 0; i < MOST_HALVINGS && status == 0 && promised && !(to->cost < from->cost); i++) {
    go_back(t, from->point);
    halve_way(t->setup.space, from->point, point);
    status = go_to(t, &fit, point, to, error);
  }
  return status;
}

/* Searches repeatedly with cheap predictions, each time recorded where the last search ended; once with exact ones. */
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

/* Starts from the values of the GPU, of which *fit and *place are told. */
static int begin(struct tune *t, bool searches, struct fit *fit, struct place *place, struct error *error) {
  if (evaluate_start(t, place->point, searches, error) != 0)
    return -1;
  tune_fit_init(t, t->sample, fit);
  t->start_cost = place->cost = objective_cost(t->setup.objective, &t->sample, t->start_predictions);
  return 0;
}

static int end(struct tune *t, const struct place *place, struct error *error) {
  if (keep_result(t, place->point, error) != 0)
    return -1;
  go_back(t, t->tuned);
  if (tune_search_near(t, t->tuned, error) != 0)
    return -1;
  t->cost = objective_cost(t->setup.objective, &t->sample, t->predictions);
  return 0;
}

int tune_search(struct tune *t, struct error *error) {
  struct fit fit;
  struct place place;
  if (begin(t, true, &fit, &place, error) != 0 || find_inert(t, &fit, error) != 0)
    return -1;
  if (!t->nothing_moves && search(t, t->sample, &place, error) != 0)
    return -1;
  return end(t, &place, error);
}

int tune_take(struct tune *t, const struct tune *found, struct error *error) {
  struct fit fit;
  struct place start, there;
  memcpy(t->inert, found->inert, sizeof t->inert);
  t->nothing_moves = found->nothing_moves;
  t->part_asked = tune_evaluations(found);
  t->part_exact = found->evaluator.asked;
  if (begin(t, false, &fit, &start, error) != 0 || go_to(t, &fit, found->tuned, &there, error) != 0)
    return -1;
  return end(t, there.cost < start.cost ? &there : &start, error);
}

bool tune_at_bound(const struct tune *t, size_t axis) {
  const struct space_axis *bounds = &t->setup.space->axes[axis];
  const double near = 1e-6 * (bounds->high - bounds->low);
  return t->tuned[axis] - bounds->low < near || bounds->high - t->tuned[axis] < near;
}
