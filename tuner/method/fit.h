/* One search for the point of least cost, as a method sees it; and the registry of methods.
 *
 * Purpose:     a method asks fit_cost (or, for several points that may be evaluated side by side, fit_costs) and reads
 *              `start`, the axes it may move, `budget` and `tolerance`. The best point asked for is kept here, so a
 *              method returns nothing. A method ends when fit_stopped is true.
 * Objective:   the cost of a point is the objective plus `penalty_percent` for every squared logarithm of a parameter's
 *              change from the start; INFINITY for points that the model refuses.
 * New method:  one file method_<name>.c with one struct tune_method, and one line in method.c.
 * Determinism: by `seed` and the predictions alone.
 * Threads:     one. */
#ifndef TUNER_FIT_H
#define TUNER_FIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "tuner/evaluate/evaluator.h"
#include "tuner/objective/objective.h"
#include "tuner/evaluate/space.h"

struct fit {
  struct evaluator *evaluator;
  const struct objective *objective;
  struct sample sample;
  double penalty_percent;
  uint64_t seed;
  size_t budget;    /* points that may be asked for, known or not */
  size_t starts;    /* of methods that begin in several places */
  double tolerance; /* relative: where values count as equal */
  double start[SPACE_MOST];
  size_t axes[SPACE_MOST], axis_count; /* those that the method may move */

  double best[SPACE_MOST];
  double best_cost; /* INFINITY before the first point */
  size_t asked;
  bool stopped;
  struct error error; /* why, unless the budget was used up */
};

/* Every axis may be moved; the budget is the method's. */
void fit_init(struct fit *fit, struct evaluator *evaluator, const struct objective *objective, struct sample sample);

double fit_cost(struct fit *fit, const double *point);
void fit_costs(struct fit *fit, const double *points, size_t count, double *costs);
bool fit_stopped(const struct fit *fit);
/* Cost of predictions at a point, without asking. */
double fit_cost_of(const struct fit *fit, const double *point, const double *predictions);
/* Returns the logarithm of a parameter's change from the start value that the user gave, wherever this search begins: a
 * value below a thousandth of the start value counts as that; ln(1 + value) where the start value is 0. */
double fit_change(const struct fit *fit, size_t axis, double value);
/* Predictions of a point, counted like fit_cost; NULL when stopped. */
const double *fit_predict(struct fit *fit, const double *point);

struct tune_method {
  const char *name;
  const char *help; /* one line, no full stop */
  size_t budget;    /* default */
  void (*run)(struct fit *fit);
};

extern const struct tune_method *const tune_methods[]; /* NULL-terminated; the first is the default */
/* The error has a did-you-mean. */
const struct tune_method *tune_method_find(const char *name, struct error *error);

#endif
