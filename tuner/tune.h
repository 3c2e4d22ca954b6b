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

/* The defaults of `reassemble tune`; the default method is the first of the registry. */
#define TUNE_DEFAULT_PARAMETERS SPACE_DEFAULT ",barrier"
#define TUNE_DEFAULT_OBJECTIVE  "mape"
/* The number of measurements from which there are more default parameters, and slopes come from recorded replays. */
enum { TUNE_MANY = 50 };
/* Writes the default parameters of a board and a GPU: TUNE_DEFAULT_PARAMETERS; the clock, if the board's scale is free;
 * for boards of many measurements also the prices of the ISA profile, and the rates of the scratchpad and the
 * load/store unit if the GPU has them. Returns `buffer`. */
const char *tune_default_parameters(const struct board *board, const struct gpu_spec *spec, char *buffer, size_t size);
/* Returns the penalty, in percent, that represents a parameter known to a factor of 1.5 and errors of 10 %. */
double tune_default_penalty(size_t measurements);

struct tune_setup {
  const struct gpu_spec *spec; /* the GPU before the tuning */
  const struct space *space;
  const struct objective *objective;
  const struct tune_method *method;
  const struct predictor *predictor;
  const double *measured; /* [predictor->count] */
  const size_t *weights;  /* [predictor->count]: how often each counts; NULL: once */
  uint64_t seed;
  size_t budget; /* points for each search, 0: the method's default */
  size_t starts;
  double tolerance;
  double penalty_percent; /* below 0: the default */
  bool force;             /* allow fewer measurements than parameters */
  bool exact;             /* search on exact predictions */
};

struct interval {
  double low, high; /* NaN: not computed */
};

/* Approximate predictions from replays that were recorded near a point. */
struct tune_near {
  struct predictor predictor; /* without a context if there are no approximate predictions */
  struct evaluator evaluator;
  double point[SPACE_MOST]; /* at which they are exact */
};

struct tune {
  struct tune_setup setup;
  struct evaluator evaluator;    /* exact predictions */
  struct tune_near near, before; /* recordings in use, and those in use before them */
  bool never_near;               /* no replay of this GPU can be recorded */
  size_t near_asked;             /* number of points that earlier recordings, now freed, have predicted */
  struct sample sample;          /* all measurements, each as often as it counts */
  size_t *all;                   /* the indices of all measurements */
  size_t part_asked, part_exact; /* points of a search on some measurements, and those of them that were exact */

  /* The following members are set by tune_search. */
  bool inert[SPACE_MOST]; /* no prediction changes when this parameter moves through its range */
  bool nothing_moves;     /* the cost is the same at both ends of all ranges, so that nothing was searched */
  bool underdetermined;   /* fewer measurements than parameters */
  double start_cost, cost, tuned[SPACE_MOST];
  const double *start_predictions, *predictions; /* owned by the evaluator */
  struct score start_score, score;

  /* The following members are set by tune_cross_validate. */
  double *held_out;     /* [count], NULL before */
  bool held_out_linear; /* by refits of the linear model at the tuned values */
  struct score held_out_score;
  struct conformal interval; /* of predictions, from the held-out errors */
  struct pair_order order;   /* the resolution of held-out predictions */

  /* The following member is set by tune_identify. */
  double determined; /* number of determined parameters among those that move a prediction */

  /* The following members are set by tune_bootstrap. */
  size_t replicas; /* 0 before */
  struct interval parameter_intervals[SPACE_MOST], *prediction_intervals;
};

int tune_init(struct tune *t, const struct tune_setup *setup, struct error *error);
int tune_search(struct tune *t, struct error *error);
/* In place of tune_search: compares the start with a point that a search elsewhere has found, exactly, and keeps the
 * better one. `found`: that search, whose findings about parameters that move nothing hold here too. */
int tune_take(struct tune *t, const struct tune *found, struct error *error);
void tune_clear(struct tune *t);

/* Prepares a search over a sample of the measurements with the user's settings. tune_fit_run runs it and returns its
 * error, if any. */
void tune_fit_init(struct tune *t, struct sample sample, struct fit *fit);
int tune_fit_run(const struct tune_method *method, struct fit *fit, struct error *error);

/* Makes searches that tune_fit_init prepares use cheap predictions recorded at this point, if the predictor has any and
 * does not refuse the point. The point's exact predictions are then known. */
int tune_search_near(struct tune *t, const double *point, struct error *error);
/* Makes the linear model around the tuned values. */
int tune_linear_model(struct tune *t, struct linear_model *m, struct error *error);
/* Returns the number of points that were evaluated, exactly or cheaply. */
size_t tune_evaluations(const struct tune *t);

/* Returns whether the tuned value is at an end of its range. */
bool tune_at_bound(const struct tune *t, size_t axis);

#endif
