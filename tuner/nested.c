#include "tuner/nested.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tuner/method/reweighted.h"

static const double refit_radius = 2.5; /* largest distance of a refit, in search coordinates */
enum { MOST_LEFT_OUT_ALONE = 20 };

/* A combination of a search: a GPU that was tuned, and the linear model where it ended. */
struct place {
  struct gpu_spec spec;
  struct tune tune;
  struct linear_model model;
  bool is_open, refused;
};

/* A combination of a fit. */
struct fitting {
  struct objective objective;
  double penalty_percent;
};

struct run {
  const struct nested_setup *setup;
  size_t measurements, search_count, fit_count;
  struct place *places;    /* [search_count] */
  struct fitting *fitting; /* [fit_count] */
};

/* ---- searches ---- */

static int stand_at(struct place *place, const double *point, struct error *error) {
  return linear_model_around(&place->model, point, &place->tune.evaluator, false, error);
}

static int tune_place(struct run *run, struct place *place, size_t search, struct error *error) {
  struct tune_setup setup = run->setup->tune;
  struct fit fit;
  place->spec = *setup.spec;
  setup.spec = &place->spec;
  choices_apply_search(run->setup->choices, search, &place->spec, &setup.method);
  place->is_open = true;
  if (tune_init(&place->tune, &setup, error) != 0 || tune_search(&place->tune, error) != 0)
    return -1;
  tune_fit_init(&place->tune, (struct sample){setup.measured, place->tune.all, run->measurements}, &fit);
  if (linear_model_init(&place->model, setup.space, fit.axes, fit.axis_count, run->measurements, error) != 0)
    return -1;
  return tune_linear_model(&place->tune, &place->model, error);
}

/* Tunes each combination of a search. One that the model refuses is left out. */
static int tune_places(struct run *run, struct nested *out, struct error *error) {
  struct error refusal = ERROR_INIT;
  for (size_t s = 0; s < run->search_count; s++) {
    struct error reason = ERROR_INIT;
    run->places[s].refused = tune_place(run, &run->places[s], s, &reason) != 0;
    if (!run->places[s].refused)
      continue;
    out->refused++;
    refusal = reason;
    if (reason.kind == ERROR_WORK || out->refused == run->search_count)
      return error_set(error, refusal.kind, "%s", refusal.text);
  }
  return 0;
}

/* Tunes a place to a sample alone. */
static int search_sample(struct place *place, struct sample sample, struct error *error) {
  struct fit fit;
  tune_fit_init(&place->tune, sample, &fit);
  if (!place->tune.nothing_moves && tune_fit_run(place->tune.setup.method, &fit, error) != 0)
    return -1;
  return stand_at(place, fit.best, error);
}

static int search_places(struct run *run, struct sample sample, struct error *error) {
  for (size_t s = 0; s < run->search_count; s++)
    if (!run->places[s].refused && search_sample(&run->places[s], sample, error) != 0)
      return -1;
  return 0;
}

/* ---- refits ---- */

/* Predicts all measurements by a refit to a sample. */
static void refit(struct run *run, const struct nested_choice *c, struct sample sample, double *predictions) {
  struct place *place = &run->places[c->search];
  double point[SPACE_MOST];
  struct fit fit;
  tune_fit_init(&place->tune, sample, &fit);
  fit.objective = &run->fitting[c->fit].objective;
  fit.penalty_percent = run->fitting[c->fit].penalty_percent;
  linear_fit_least(&place->model, &fit, refit_radius, SPACE_MOST, fit.seed, point);
  linear_model_predict(&place->model, point, predictions);
}

/* Returns the MAPE of the sample's measurements, each predicted without its inner fold; INFINITY where an objective is
 * not defined. Without memory, check_memory fails then. */
static double inner_mape(struct run *run, const struct nested_choice *c, struct sample sample,
                         const struct folds *inner) {
  size_t *indices = calloc(sample.count, sizeof *indices);
  double *predictions = calloc(run->measurements, sizeof *predictions), sum = 0;
  for (size_t group = 0; group < inner->count && indices && predictions; group++) {
    struct sample rest = {sample.measured, indices, 0};
    for (size_t i = 0; i < sample.count; i++)
      if (inner->of[i] != group)
        indices[rest.count++] = sample.indices[i];
    if (objective_check(&run->fitting[c->fit].objective, &rest, NULL) != 0) {
      sum = INFINITY;
      break;
    }
    refit(run, c, rest, predictions);
    for (size_t i = 0; i < sample.count; i++)
      if (inner->of[i] == group)
        sum += fabs(predictions[sample.indices[i]] / sample.measured[sample.indices[i]] - 1);
  }
  const bool complete = indices && predictions;
  if (!complete)
    linear_model_had_no_memory(&run->places[c->search].model);
  free(indices);
  free(predictions);
  return complete ? 100 * sum / (double)sample.count : INFINITY;
}

static int check_memory(const struct run *run, struct error *error) {
  for (size_t s = 0; s < run->search_count; s++)
    if (!run->places[s].refused && linear_model_check(&run->places[s].model, error) != 0)
      return -1;
  return 0;
}

/* Finds the combination with the least inner score; the first one of equal scores. */
static int choose(struct run *run, struct sample sample, struct nested_choice *best, struct error *error) {
  const size_t count = run->search_count * run->fit_count;
  const char *how = sample.count <= MOST_LEFT_OUT_ALONE ? "loo" : "kfold=10";
  struct nested_choice tried[CHOICE_COMBINATIONS] = {{.inner_mape_percent = INFINITY}};
  struct folds inner;
  if (folds_make(how, sample.count, NULL, run->setup->tune.seed, &inner, error) != 0)
    return -1;
#pragma omp parallel for schedule(dynamic, 1) num_threads(run->setup->jobs)
  for (size_t c = 0; c < count; c++) {
    tried[c] = (struct nested_choice){c / run->fit_count, c % run->fit_count, INFINITY};
    if (!run->places[tried[c].search].refused)
      tried[c].inner_mape_percent = inner_mape(run, &tried[c], sample, &inner);
  }
  folds_clear(&inner);
  if (check_memory(run, error) != 0)
    return -1;
  *best = tried[0];
  for (size_t c = 1; c < count; c++)
    if (tried[c].inner_mape_percent < best->inner_mape_percent)
      *best = tried[c];
  return isfinite(best->inner_mape_percent)
             ? 0
             : error_at(error, ERROR_INPUT, "", 0, 0, "--nested", "no combination is defined on every inner fold");
}

/* ---- outer folds ---- */

static int predict_fold(struct run *run, size_t fold, size_t *indices, double *predictions, struct nested *out,
                        struct error *error) {
  const size_t *of = run->setup->folds->of;
  struct sample sample = {run->setup->tune.measured, indices, 0};
  for (size_t i = 0; i < run->measurements; i++)
    if (of[i] != fold)
      indices[sample.count++] = i;
  if ((run->setup->search && search_places(run, sample, error) != 0) ||
      choose(run, sample, &out->folds[fold], error) != 0)
    return -1;
  refit(run, &out->folds[fold], sample, predictions);
  for (size_t i = 0; i < run->measurements; i++)
    if (of[i] == fold)
      out->held_out[i] = predictions[i];
  return check_memory(run, error);
}

static int predict_folds(struct run *run, struct nested *out, struct error *error) {
  const struct sample all = {run->setup->tune.measured, run->places[0].tune.all, run->measurements};
  size_t *indices = calloc(run->measurements, sizeof *indices);
  double *predictions = calloc(run->measurements, sizeof *predictions);
  int status = indices && predictions ? choose(run, all, &out->all, error) : error_no_memory(error);
  for (size_t f = 0; f < out->fold_count && status == 0; f++)
    status = predict_fold(run, f, indices, predictions, out, error);
  free(indices);
  free(predictions);
  if (status != 0)
    return -1;
  score_compute(all.measured, out->held_out, run->measurements, &out->score);
  out->interval = conformal_interval(all.measured, out->held_out, run->measurements);
  out->held = conformal_count_held(all.measured, out->held_out, run->measurements);
  out->order = pair_order_find(all.measured, out->held_out, run->measurements);
  return 0;
}

/* ---- the whole procedure ---- */

static void set_fitting(struct run *run) {
  const struct tune_setup *setup = &run->setup->tune;
  for (size_t f = 0; f < run->fit_count; f++) {
    run->fitting[f] = (struct fitting){*setup->objective, setup->penalty_percent};
    if (setup->penalty_percent < 0)
      run->fitting[f].penalty_percent = tune_default_penalty(run->measurements);
    choices_apply_fit(run->setup->choices, f, &run->fitting[f].objective, &run->fitting[f].penalty_percent);
  }
}

static void close_places(struct run *run, struct nested *out) {
  for (size_t s = 0; s < run->search_count && run->places; s++) {
    if (!run->places[s].is_open)
      continue;
    out->evaluations += tune_evaluations(&run->places[s].tune);
    linear_model_clear(&run->places[s].model);
    tune_clear(&run->places[s].tune);
  }
  free(run->places);
  free(run->fitting);
}

int nested_run(const struct nested_setup *setup, struct nested *out, struct error *error) {
  struct run run = {.setup = setup,
                    .measurements = setup->tune.predictor->count,
                    .search_count = choices_searches(setup->choices),
                    .fit_count = choices_fits(setup->choices)};
  *out = (struct nested){.fold_count = setup->folds->count};
  run.places = calloc(run.search_count, sizeof *run.places);
  run.fitting = calloc(run.fit_count, sizeof *run.fitting);
  out->folds = calloc(out->fold_count + 1, sizeof *out->folds);
  out->held_out = calloc(run.measurements + 1, sizeof *out->held_out);
  int status = run.places && run.fitting && out->folds && out->held_out ? 0 : error_no_memory(error);
  if (status == 0) {
    set_fitting(&run);
    status = tune_places(&run, out, error);
  }
  if (status == 0)
    status = predict_folds(&run, out, error);
  close_places(&run, out);
  return status;
}

void nested_clear(struct nested *nested) {
  free(nested->folds);
  free(nested->held_out);
  *nested = (struct nested){0};
}
