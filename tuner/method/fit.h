/* One search for the point of least cost, with which a method works, and the registry of methods.
 *
 * Purpose: a method calls fit_cost (or, for several points that may be evaluated in parallel, fit_costs) and reads
 * `start`, the axes it may move, `budget` and `tolerance`. The best point is kept here, so a method returns nothing. A
 * method ends when fit_stopped is true.
 * Objective: the cost of a point is the objective plus `penalty_percent` for every squared logarithm of a parameter's
 * change from the start; INFINITY for points that the model refuses.
 * New method: one file method_<name>.c with one struct tune_method, and one row in method.c.
 * Determinism: by `seed` and the predictions alone.
 * Threads: one. */
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
  size_t budget;    /* largest number of points that may be asked for, known or not */
  size_t starts;    /* for methods that begin in several places */
  double tolerance; /* relative difference up to which values count as equal */
  double start[SPACE_MOST];
  size_t axes[SPACE_MOST], axis_count; /* axes that the method may move */

  double best[SPACE_MOST];
  double best_cost; /* INFINITY before the first point */
  size_t asked;
  bool stopped;
  struct error error; /* the reason for the end, unless the budget was used up */
};

/* Prepares a search in which every axis may be moved, with the budget of the method. */
void fit_init(struct fit *fit, struct evaluator *evaluator, const struct objective *objective, struct sample sample);

double fit_cost(struct fit *fit, const double *point);
void fit_costs(struct fit *fit, const double *points, size_t count, double *costs);
bool fit_stopped(const struct fit *fit);
/* Returns the cost of given predictions at a point, without evaluating it. */
double fit_cost_of(const struct fit *fit, const double *point, const double *predictions);
/* Returns the logarithm of a parameter's change from the start value that the user gave, wherever this search begins. A
 * value below a thousandth of the start value counts as that; if the start value is 0 it is ln(1 + value). */
double fit_change(const struct fit *fit, size_t axis, double value);
/* Returns the predictions of a point, counted like fit_cost; NULL when stopped. */
const double *fit_predict(struct fit *fit, const double *point);

struct tune_method {
  const char *name;
  const char *help; /* one line, no full stop */
  size_t budget;    /* default */
  void (*run)(struct fit *fit);
};

extern const struct tune_method *const tune_methods[]; /* NULL-terminated; the first is the default */
/* Returns the method of this name. An unknown name is an error that suggests a near one. */
const struct tune_method *tune_method_find(const char *name, struct error *error);

#endif
