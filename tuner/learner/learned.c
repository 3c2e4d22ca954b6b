#include "tuner/learner/learned.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include <gsl/gsl_statistics_double.h>

/* One fold: the measurements from which times are learned, and those that are predicted. */
struct lesson {
  size_t *indices, taught, asked; /* those to learn from come first */
  double *inputs;                 /* [indices][columns of the projection] */
  double *targets;                /* [taught] */
  double mean, deviation;         /* mean and deviation of the targets */
};

static bool is_asked(const size_t *fold, size_t folds, size_t group, size_t example) {
  return folds == 0 || fold[example] == group;
}

static void split(struct lesson *l, size_t count, const size_t *fold, size_t folds, size_t group) {
  l->taught = l->asked = 0;
  for (size_t i = 0; i < count; i++)
    if (folds == 0 || fold[i] != group)
      l->indices[l->taught++] = i;
  for (size_t i = 0; i < count; i++)
    if (is_asked(fold, folds, group, i))
      l->indices[l->taught + l->asked++] = i;
}

static void standardise_targets(struct lesson *l, const double *targets) {
  for (size_t i = 0; i < l->taught; i++)
    l->targets[i] = targets[l->indices[i]];
  l->mean = gsl_stats_mean(l->targets, 1, l->taught);
  l->deviation = l->taught > 1 ? gsl_stats_sd_m(l->targets, 1, l->taught, l->mean) : 0;
  for (size_t i = 0; i < l->taught; i++)
    l->targets[i] = l->deviation > 0 ? (l->targets[i] - l->mean) / l->deviation : 0;
}

static int learn(const struct learned_setup *s, struct lesson *l, const double *targets, double *answers,
                 struct error *error) {
  const struct features *f = s->features;
  struct projection p;
  if (projection_fit(&p, s->projection, f, l->indices, l->taught, targets, error) != 0)
    return -1;
  for (size_t i = 0; i < l->taught + l->asked; i++)
    projection_apply(&p, f->values + l->indices[i] * f->columns, l->inputs + i * p.outputs);
  standardise_targets(l, targets);
  const struct examples training = {l->taught, p.outputs, l->inputs, l->targets};
  const struct examples asked = {l->asked, p.outputs, l->inputs + l->taught * p.outputs, NULL};
  int status = 0;
  if (p.outputs > 0)
    status = s->learner->predict(&training, &asked, s->seed, answers, error);
  else
    for (size_t i = 0; i < l->asked; i++)
      answers[i] = 0; /* without any variation the answer is the mean */
  projection_clear(&p);
  return status;
}

static int predict_group(const struct learned_setup *s, struct lesson *l, const double *targets, double *answers,
                         double *predicted, struct error *error) {
  if (learn(s, l, targets, answers, error) != 0)
    return -1;
  for (size_t i = 0; i < l->asked; i++) {
    const double value = l->mean + l->deviation * answers[i];
    predicted[l->indices[l->taught + i]] = s->view >= FEATURES_LOGARITHMS ? exp(value) : value;
  }
  return 0;
}

int learned_predict(const struct learned_setup *setup, const double *measured, const size_t *fold, size_t folds,
                    double *predicted, struct error *error) {
  const size_t count = setup->features->examples;
  struct lesson l = {.indices = calloc(2 * count, sizeof *l.indices),
                     .inputs = calloc(2 * count * setup->features->columns, sizeof *l.inputs),
                     .targets = calloc(3 * count, sizeof *l.targets)};
  int status = l.indices && l.inputs && l.targets ? 0 : error_no_memory(error);
  for (size_t i = 0; i < count && status == 0; i++)
    l.targets[count + i] = setup->view >= FEATURES_LOGARITHMS ? log(measured[i]) : measured[i];
  for (size_t group = 0; group < (folds > 0 ? folds : 1) && status == 0; group++) {
    split(&l, count, fold, folds, group);
    status = predict_group(setup, &l, l.targets + count, l.targets + 2 * count, predicted, error);
  }
  free(l.indices);
  free(l.inputs);
  free(l.targets);
  return status;
}
