#include "tuner/cross_validate.h"

#include <stdlib.h>

#include "tuner/method/reweighted.h"

static const double refit_radius = 2.5; /* largest distance of a linear refit, in search coordinates */

/* The folds that are left out in turn, and the model that predicts them. */
struct leaving_out {
  struct tune *t;
  const struct folds *folds;
  const struct linear_model *model; /* NULL: each fold is predicted by a search */
  size_t *indices;                  /* [measurements] */
  double *predictions;              /* [measurements], by the linear model */
};

/* Returns the measurements without those of a group. */
static struct sample sample_without(const struct leaving_out *l, size_t group) {
  struct sample sample = {.measured = l->t->setup.measured, .indices = l->indices};
  for (size_t i = 0; i < l->t->setup.predictor->count; i++)
    if (l->folds->of[i] != group)
      l->indices[sample.count++] = i;
  return sample;
}

static int search_without(struct leaving_out *l, struct fit *fit, const double **predictions, struct error *error) {
  struct tune *t = l->t;
  if (!t->nothing_moves && tune_fit_run(t->setup.method, fit, error) != 0)
    return -1;
  return evaluator_predict(&t->evaluator, fit->best, 1, predictions, error);
}

static int refit_without(struct leaving_out *l, const struct fit *fit, const double **predictions,
                         struct error *error) {
  double point[SPACE_MOST];
  linear_fit_least(l->model, fit, refit_radius, SPACE_MOST, fit->seed, point);
  linear_model_predict(l->model, point, l->predictions);
  *predictions = l->predictions;
  return linear_model_check(l->model, error);
}

/* Tunes without the group and predicts it. */
static int predict_group(struct leaving_out *l, size_t group, struct error *error) {
  struct tune *t = l->t;
  const struct sample sample = sample_without(l, group);
  const double *predictions = NULL;
  struct fit fit;
  if (objective_check(t->setup.objective, &sample, error) != 0)
    return -1;
  tune_fit_init(t, sample, &fit);
  if ((l->model ? refit_without(l, &fit, &predictions, error) : search_without(l, &fit, &predictions, error)) != 0)
    return -1;
  for (size_t i = 0; i < t->setup.predictor->count; i++)
    if (l->folds->of[i] == group)
      t->held_out[i] = predictions[i];
  return 0;
}

static int leave_out(struct tune *t, const struct folds *folds, const struct linear_model *model, struct error *error) {
  const size_t count = t->setup.predictor->count;
  struct leaving_out l = {.t = t,
                          .folds = folds,
                          .model = model,
                          .indices = calloc(count, sizeof *l.indices),
                          .predictions = calloc(count, sizeof *l.predictions)};
  t->held_out = calloc(count, sizeof *t->held_out);
  int status = l.indices && l.predictions && t->held_out ? 0 : error_no_memory(error);
  for (size_t group = 0; group < folds->count && status == 0; group++)
    status = predict_group(&l, group, error);
  free(l.indices);
  free(l.predictions);
  if (status != 0)
    return -1;
  score_compute(t->setup.measured, t->held_out, count, &t->held_out_score);
  t->interval = conformal_interval(t->setup.measured, t->held_out, count);
  t->order = pair_order_find(t->setup.measured, t->held_out, count);
  return 0;
}

int tune_cross_validate(struct tune *t, const struct folds *folds, struct error *error) {
  return leave_out(t, folds, NULL, error);
}

int tune_cross_validate_linear(struct tune *t, const struct folds *folds, struct error *error) {
  struct fit fit;
  struct linear_model m;
  tune_fit_init(t, (struct sample){t->setup.measured, t->all, t->setup.predictor->count}, &fit);
  if (linear_model_init(&m, t->setup.space, fit.axes, fit.axis_count, t->setup.predictor->count, error) != 0)
    return -1;
  t->held_out_linear = true;
  int status = tune_linear_model(t, &m, error);
  if (status == 0)
    status = leave_out(t, folds, &m, error);
  linear_model_clear(&m);
  return status;
}
