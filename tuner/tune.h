/* A whole tuning: from measurements and a predictor to parameters, scores and how far to believe them.
 *
 * Steps:       tune_init; tune_search; then, in any order and each optional, tune_cross_validate (cross_validate.h),
 *              tune_bootstrap (bootstrap.h), tune_identify (identify.h); tune_clear.
 * Search:      on cheap predictions where the predictor has them (predictor.h, `near`), recorded at the start values.
 *              At the point found replays are recorded, which predicts it exactly. If it is better than the start, the
 *              search is repeated from it, until it gains no more than the tolerance. If it is worse although the cheap
 *              predictions promised a gain, half of the way is tried, twice. Every score is of exact predictions, and
 *              so are slopes, from which intervals and linearly held-out predictions follow, of boards with less than
 *              TUNE_MANY measurements; of others slopes are those of replays that were recorded at the tuned values.
 * Ownership:   `struct tune` borrows what stands in its first block and owns its results.
 * Part:        a search on some of the measurements (subset_search) ends with tune_take instead, which needs two exact
 *              predictions of all of them.
 * Determinism: by the borrowed data and `seed`; a journal or the number of threads change nothing.
 * Threads:     one. */
#ifndef TUNER_TUNE_H
#define TUNER_TUNE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "tuner/board/board.h"
#include "tuner/conformal.h"
#include "tuner/evaluate/evaluator.h"
#include "tuner/method/fit.h"
#include "tuner/objective/objective.h"
#include "tuner/objective/pair_order.h"
#include "tuner/objective/score.h"
#include "tuner/evaluate/space.h"
#include "tuner/method/linear_model.h"

/* What `reassemble tune` does where the user says nothing; the method is the first of the registry. */
#define TUNE_DEFAULT_PARAMETERS SPACE_DEFAULT ",barrier"
#define TUNE_DEFAULT_OBJECTIVE  "mape"
/* Measurements from which the default has more parameters, and slopes come from recorded replays. */
enum { TUNE_MANY = 50 };
/* Writes the default parameters of a board and a GPU: TUNE_DEFAULT_PARAMETERS; the clock, where the board's scale is
 * free; for boards of many measurements the prices of the ISA profile too, and what the scratchpad and the load/store
 * unit take, where the GPU has them. Returns `buffer`. */
const char *tune_default_parameters(const struct board *board, const struct gpu_spec *spec, char *buffer, size_t size);
/* Returns the penalty, in percent, that stands for a parameter known to a factor of 1.5 and for errors of 10 %. */
double tune_default_penalty(size_t measurements);

struct tune_setup {
  const struct gpu_spec *spec; /* before */
  const struct space *space;
  const struct objective *objective;
  const struct tune_method *method;
  const struct predictor *predictor;
  const double *measured; /* [predictor->count] */
  const size_t *weights;  /* [predictor->count]: how often each counts; NULL: once */
  uint64_t seed;
  size_t budget; /* points per search, 0: the method's default */
  size_t starts;
  double tolerance;
  double penalty_percent; /* below 0: the default */
  bool force;             /* fewer measurements than parameters */
  bool exact;             /* search on exact predictions */
};

struct interval {
  double low, high; /* NaN: not computed */
};

/* Approximate predictions from replays that were recorded near a point. */
struct tune_near {
  struct predictor predictor; /* without a context: there are none */
  struct evaluator evaluator;
  double point[SPACE_MOST]; /* at which they are exact */
};

struct tune {
  struct tune_setup setup;
  struct evaluator evaluator;    /* exact */
  struct tune_near near, before; /* those in use, and those that were in use before them */
  bool never_near;               /* no replay of this GPU can be recorded */
  size_t near_asked;             /* points that earlier recordings, which are gone, have predicted */
  struct sample sample;          /* all measurements, each as often as it counts */
  size_t *all;                   /* its rows */
  size_t part_asked, part_exact; /* points of a search on some measurements, and those of them that were exact */

  /* tune_search */
  bool inert[SPACE_MOST]; /* no prediction changes when this parameter goes through its range */
  bool nothing_moves;     /* the cost is the same at both ends of all ranges: nothing was searched */
  bool underdetermined;   /* fewer measurements than parameters */
  double start_cost, cost, tuned[SPACE_MOST];
  const double *start_predictions, *predictions; /* the evaluator's */
  struct score start_score, score;

  /* tune_cross_validate */
  double *held_out;     /* [count], NULL before */
  bool held_out_linear; /* refitted on the linear model at the tuned values */
  struct score held_out_score;
  struct conformal interval; /* of predictions, from the held-out errors */
  struct pair_order order;   /* which held-out predictions can be told apart */

  /* tune_identify */
  double determined; /* numbers, of those that move a prediction */

  /* tune_bootstrap */
  size_t replicas; /* 0 before */
  struct interval parameter_intervals[SPACE_MOST], *prediction_intervals;
};

int tune_init(struct tune *t, const struct tune_setup *setup, struct error *error);
int tune_search(struct tune *t, struct error *error);
/* In place of tune_search: compares the start with a point that a search elsewhere has found, exactly, and keeps the
 * better one. `found`: that search, whose findings about parameters that move nothing hold here too. */
int tune_take(struct tune *t, const struct tune *found, struct error *error);
void tune_clear(struct tune *t);

/* A search over a sample of the measurements, set up as the user asked; fit_run ends with its error, if any. */
void tune_fit_init(struct tune *t, struct sample sample, struct fit *fit);
int tune_fit_run(const struct tune_method *method, struct fit *fit, struct error *error);

/* Makes searches that tune_fit_init sets up use cheap predictions recorded at this point, where the predictor has
 * any and does not refuse the point; the point's exact predictions are known then. */
int tune_search_near(struct tune *t, const double *point, struct error *error);
/* The linear model around the tuned values. */
int tune_linear_model(struct tune *t, struct linear_model *m, struct error *error);
/* Returns how many points were evaluated, exactly or cheaply. */
size_t tune_evaluations(const struct tune *t);

/* Returns whether the tuned value is at an end of its range. */
bool tune_at_bound(const struct tune *t, size_t axis);

#endif
