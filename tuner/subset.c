#include "tuner/subset.h"

#include <stdlib.h>
#include <string.h>

#include "tuner/learner/features.h"
#include "tuner/learner/medoids.h"
#include "tuner/learner/projection.h"

/* Computes points[i * components], the components of every kernel. The caller frees *points. */
static int project(const struct features *counts, double **points, size_t *components, struct error *error) {
  struct features logarithms;
  struct projection p;
  size_t *indices = calloc(counts->examples, sizeof *indices);
  *points = NULL;
  int status = indices ? features_view(counts, FEATURES_LOGARITHMS, 1, &logarithms, error) : error_no_memory(error);
  for (size_t i = 0; i < counts->examples && status == 0; i++)
    indices[i] = i;
  if (status == 0) {
    status = projection_fit(&p, PROJECTION_PCA, &logarithms, indices, counts->examples, NULL, error);
    if (status == 0) {
      *components = p.outputs;
      *points = calloc(counts->examples * p.outputs + 1, sizeof **points);
      if (!*points)
        status = error_no_memory(error);
      for (size_t i = 0; i < counts->examples && status == 0; i++)
        projection_apply(&p, logarithms.values + i * counts->columns, *points + i * p.outputs);
      projection_clear(&p);
    }
    features_clear(&logarithms);
  }
  free(indices);
  return status;
}

static int choose(struct subset *s, const struct features *counts, struct error *error) {
  double *points;
  size_t components = 0;
  int status = project(counts, &points, &components, error);
  if (status == 0)
    status = medoids_find(points, counts->examples, components, s->count, s->representatives, s->cluster, error);
  free(points);
  for (size_t i = 0; i < counts->examples && status == 0; i++)
    s->weights[s->cluster[i]]++;
  return status;
}

int subset_choose(struct subset *s, const struct subset_source *source, const char *option, size_t count,
                  struct error *error) {
  const size_t measurements = source->measurements;
  struct features counts;
  *s = (struct subset){.count = count};
  if (count == 0)
    return 0;
  if (count >= measurements)
    return error_at(error, ERROR_INPUT, "", 0, 0, option, "found %zu of %zu measurements, allowed 1 to %zu", count,
                    measurements, measurements - 1);
  s->representatives = calloc(2 * count + measurements, sizeof *s->representatives);
  if (!s->representatives)
    return error_no_memory(error);
  s->weights = s->representatives + count;
  s->cluster = s->representatives + 2 * count;
  if (features_count(source->traces, measurements, source->warp_size, &counts, error) != 0)
    return -1;
  const int status = choose(s, &counts, error);
  features_clear(&counts);
  return status;
}

double subset_share_percent(const struct subset *s, const double *work, size_t measurements) {
  double all = 0, some = 0;
  for (size_t i = 0; i < measurements; i++)
    all += work[i];
  for (size_t k = 0; k < s->count; k++)
    some += work[s->representatives[k]];
  return all > 0 ? 100 * some / all : 0;
}

/* Writes every representative as often as it has members: an objective then has as many measurements as there are.
 * Returns their number. */
static size_t fill_indices(const struct subset *s, size_t *indices) {
  size_t n = 0;
  for (size_t r = 0; r < s->count; r++)
    for (size_t w = 0; w < s->weights[r]; w++)
      indices[n++] = s->representatives[r];
  return n;
}

static void score_some(const struct subset *s, const struct tune *t, bool inside, double *buffer, struct score *out) {
  const size_t count = t->setup.predictor->count;
  size_t n = 0;
  for (size_t i = 0; i < count; i++)
    if ((s->representatives[s->cluster[i]] == i) == inside) {
      buffer[n] = t->setup.measured[i];
      buffer[count + n++] = s->predictions[i];
    }
  score_compute(buffer, buffer + count, n, out);
}

int subset_tune(struct subset *s, struct tune *t, struct error *error) {
  const size_t count = t->setup.predictor->count;
  size_t *indices = calloc(count, sizeof *indices);
  double *buffer = calloc(2 * count, sizeof *buffer);
  int status = indices && buffer ? 0 : error_no_memory(error);
  if (status == 0) {
    const struct sample sample = {t->setup.measured, indices, fill_indices(s, indices)};
    struct fit fit;
    tune_fit_init(t, sample, &fit);
    status = objective_check(t->setup.objective, &sample, error);
    if (status == 0 && !t->nothing_moves)
      status = tune_fit_run(t->setup.method, &fit, error);
    if (status == 0)
      status = evaluator_predict(&t->evaluator, fit.best, 1, &s->predictions, error);
    if (status == 0) {
      memcpy(s->tuned, fit.best, t->setup.space->count * sizeof *fit.best);
      score_some(s, t, true, buffer, &s->inside);
      score_some(s, t, false, buffer, &s->rest);
      score_compute(t->setup.measured, s->predictions, count, &s->all);
    }
  }
  free(indices);
  free(buffer);
  return status;
}

/* Searches on the representatives, which `part` predicts. */
static int search_part(const struct subset *s, struct tune *t, const struct predictor *part, const double *measured,
                       struct error *error) {
  struct tune found = {0};
  struct tune_setup setup = t->setup;
  setup.predictor = part;
  setup.measured = measured;
  setup.weights = s->weights;
  int status = tune_init(&found, &setup, error);
  found.evaluator.progress = t->evaluator.progress;
  if (status == 0)
    status = tune_search(&found, error);
  if (status == 0)
    status = tune_take(t, &found, error);
  tune_clear(&found);
  return status;
}

int subset_search(const struct subset *s, struct tune *t, struct error *error) {
  const struct predictor *whole = t->setup.predictor;
  struct predictor part = {0};
  double *measured = calloc(s->count + 1, sizeof *measured);
  int status =
      measured ? whole->part(whole->context, s->representatives, s->count, &part, error) : error_no_memory(error);
  for (size_t k = 0; k < s->count && status == 0; k++)
    measured[k] = t->setup.measured[s->representatives[k]];
  if (status == 0)
    status = search_part(s, t, &part, measured, error);
  if (part.release)
    part.release(&part);
  free(measured);
  return status;
}

void subset_clear(struct subset *s) {
  free(s->representatives);
  *s = (struct subset){0};
}
