/* Evaluates points, each one once; the predictions are kept in memory and, if there is a journal, on disk.
 *
 * Purpose: a method asks for points in any order and repeatedly; cross-validation and bootstrap ask for the same points
 * with other weights. The predictions at a point do not depend on these, so it is simulated once. A run that was killed
 * finds its points in the journal and, being deterministic, asks for the same ones.
 * Ownership: predictions belong to the evaluator and stay in place until evaluator_clear.
 * Cost: one simulation for each kernel and new point; a look-up is a hash.
 * Threads: one caller. */
#ifndef TUNER_EVALUATOR_H
#define TUNER_EVALUATOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/hash_index.h"
#include "base/progress.h"
#include "tuner/evaluate/predictor.h"
#include "tuner/evaluate/space.h"

struct point_journal;

struct evaluation {
  double point[SPACE_MOST];
  double *predictions; /* by measurement; all are NaN if the model refuses the point */
  bool asked;          /* asked for in this run, not only read from the journal */
};

struct evaluator {
  const struct space *space;
  const struct gpu_spec *spec; /* GPU whose parameters the points change */
  const struct predictor *predictor;
  struct point_journal *journal; /* NULL: there is none */
  struct progress *progress;     /* NULL: there is none */
  struct evaluation **entries;
  size_t count, capacity;
  struct hash_table by_point; /* numbers of entries */
  size_t asked;               /* different points of this run; does not depend on the journal */
  size_t simulated;           /* number of those that the journal did not hold */
  struct error refusal;       /* reason for which the first refused point was refused */
};

/* Prepares an evaluator. It borrows all arguments. */
void evaluator_init(struct evaluator *e, const struct space *space, const struct gpu_spec *spec,
                    const struct predictor *predictor);
void evaluator_clear(struct evaluator *e);
/* Sets predictions[i] for the point at points + i * space.count. Points are normalised first. */
int evaluator_predict(struct evaluator *e, double *points, size_t count, const double **predictions,
                      struct error *error);
/* Keeps the predictions of a point that were computed in another way than by evaluator_predict; does nothing if they
 * are known. The point is normalised first. */
int evaluator_learn(struct evaluator *e, double *point, const double *predictions, struct error *error);
/* Adds a point from a journal. The arrays are copied; a point may be added once. */
int evaluator_add_known(struct evaluator *e, const double *point, const double *predictions, struct error *error);

#endif
