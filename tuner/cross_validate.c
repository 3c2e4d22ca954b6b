#include "tuner/cross_validate.h"

#include <stdlib.h>

/* Tunes without the group and predicts it. `rows` has room for all measurements. */
static int predict_group(struct tune *t, const size_t *fold, size_t group, size_t *rows, struct error *error) {
  const size_t count = t->setup.predictor->count;
  struct sample sample = {.measured = t->setup.measured, .rows = rows};
  for (size_t i = 0; i < count; i++)
    if (fold[i] != group)
      rows[sample.count++] = i;
  if (objective_check(t->setup.objective, &sample, error) != 0)
    return -1;
  struct fit fit;
  const double *predictions;
  tune_fit_init(t, sample, &fit);
  if ((!t->nothing_moves && tune_fit_run(t->setup.method, &fit, error) != 0) ||
      evaluator_predict(&t->evaluator, fit.best, 1, &predictions, error) != 0)
    return -1;
  for (size_t i = 0; i < count; i++)
    if (fold[i] == group)
      t->held_out[i] = predictions[i];
  return 0;
}

int tune_cross_validate(struct tune *t, const struct folds *folds, struct error *error) {
  const size_t count = t->setup.predictor->count;
  size_t *rows = calloc(count, sizeof *rows);
  t->held_out = calloc(count, sizeof *t->held_out);
  int status = rows != NULL && t->held_out != NULL ? 0 : error_set(error, ERROR_WORK, "out of memory");
  for (size_t group = 0; group < folds->count && status == 0; group++)
    status = predict_group(t, folds->of, group, rows, error);
  free(rows);
  if (status == 0)
    score_compute(t->setup.measured, t->held_out, count, &t->held_out_score);
  return status;
}
