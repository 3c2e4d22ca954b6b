#include "tuner/method/fit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/progress.h"

void fit_init(struct fit *fit, struct evaluator *evaluator, const struct objective *objective, struct sample sample) {
  *fit = (struct fit){.evaluator = evaluator,
                      .objective = objective,
                      .sample = sample,
                      .starts = 1,
                      .tolerance = 0.01,
                      .best_cost = INFINITY,
                      .axis_count = evaluator->space->count};
  space_start(evaluator->space, fit->start);
  memcpy(fit->best, fit->start, sizeof fit->best);
  for (size_t i = 0; i < fit->axis_count; i++)
    fit->axes[i] = i;
}

bool fit_stopped(const struct fit *fit) {
  return fit->stopped;
}

double fit_change(const struct fit *fit, size_t axis, double value) {
  const double start = fit->evaluator->space->axes[axis].start;
  return start > 0 ? log(fmax(value, start / 1000) / start) : log1p(value);
}

static double penalty(const struct fit *fit, const double *point) {
  double sum = 0;
  for (size_t i = 0; i < fit->evaluator->space->count && fit->penalty_percent > 0; i++) {
    const double change = fit_change(fit, i, point[i]);
    sum += change * change;
  }
  return fit->penalty_percent * sum;
}

double fit_cost_of(const struct fit *fit, const double *point, const double *predictions) {
  return objective_cost(fit->objective, &fit->sample, predictions) + penalty(fit, point);
}

static void keep_best(struct fit *fit, const double *point, double cost) {
  if (!(cost < fit->best_cost))
    return;
  fit->best_cost = cost;
  if (fit->evaluator->progress)
    progress_best(fit->evaluator->progress, cost);
  memcpy(fit->best, point, fit->evaluator->space->count * sizeof *point);
}

/* Takes `count` points from the budget. Returns false if the search has ended. */
static bool take(struct fit *fit, size_t count) {
  if (fit->asked >= fit->budget)
    fit->stopped = true;
  fit->asked += fit->stopped ? 0 : count;
  return !fit->stopped;
}

static int ask(struct fit *fit, const double *points, size_t count, const double **predictions, double *costs) {
  const size_t n = fit->evaluator->space->count;
  double *normal = malloc(count * n * sizeof *normal);
  if (!normal)
    return error_no_memory(&fit->error);
  memcpy(normal, points, count * n * sizeof *normal);
  const int status = evaluator_predict(fit->evaluator, normal, count, predictions, &fit->error);
  for (size_t i = 0; i < count && status == 0; i++) {
    costs[i] = fit_cost_of(fit, normal + i * n, predictions[i]);
    keep_best(fit, normal + i * n, costs[i]);
  }
  free(normal);
  return status;
}

/* The number of points that are evaluated together: it keeps all threads busy, and a killed run loses little. */
enum { BATCH = 64 };

void fit_costs(struct fit *fit, const double *points, size_t count, double *costs) {
  const double *predictions[BATCH];
  for (size_t done = 0; done < count; done += BATCH) {
    const size_t size = count - done < BATCH ? count - done : BATCH;
    for (size_t i = 0; i < size; i++)
      costs[done + i] = INFINITY;
    if (take(fit, size) && ask(fit, points + done * fit->evaluator->space->count, size, predictions, costs + done) != 0)
      fit->stopped = true;
  }
}

double fit_cost(struct fit *fit, const double *point) {
  double cost;
  fit_costs(fit, point, 1, &cost);
  return cost;
}

const double *fit_predict(struct fit *fit, const double *point) {
  const double *predictions = NULL;
  double cost;
  if (!take(fit, 1))
    return NULL;
  if (ask(fit, point, 1, &predictions, &cost) != 0)
    fit->stopped = true;
  return fit->stopped ? NULL : predictions;
}
