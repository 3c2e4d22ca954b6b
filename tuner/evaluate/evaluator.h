/* Evaluates points: each one once, kept in memory and, where there is a journal, on disk.
 *
 * Purpose:   a method asks for points in any order and again; cross-validation and bootstrap ask for the same points
 *            with other weights. What a point predicts does not depend on them, so it is simulated once. A run that was
 *            killed finds its points in the journal and, being deterministic, asks for the same ones.
 * Ownership: predictions belong to the evaluator and stay in place until evaluator_clear.
 * Cost:      one simulation per kernel and new point; a look-up is a hash.
 * Threads:   one caller. */
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
  double *predictions; /* by measurement; all NaN where the model refuses the point */
  bool asked;          /* in this run, not only found in the journal */
};

struct evaluator {
  const struct space *space;
  const struct gpu_spec *spec; /* what the points change */
  const struct predictor *predictor;
  struct point_journal *journal; /* NULL for none */
  struct progress *progress;     /* NULL for none */
  struct evaluation **entries;
  size_t count, capacity;
  struct hash_table by_point; /* entries */
  size_t asked;               /* different points of this run; does not depend on the journal */
  size_t simulated;           /* of those, not found in the journal */
  struct error refusal;       /* the first refused point's reason */
};

/* Borrows all it is given. */
void evaluator_init(struct evaluator *e, const struct space *space, const struct gpu_spec *spec,
                    const struct predictor *predictor);
void evaluator_clear(struct evaluator *e);
/* predictions[i] for points + i * space.count, which are normalised first. */
int evaluator_predict(struct evaluator *e, double *points, size_t count, const double **predictions,
                      struct error *error);
/* Keeps the predictions of a point that were found in another way than by evaluator_predict, as if it had asked for
 * them; nothing where they are known. The point is normalised first. */
int evaluator_learn(struct evaluator *e, double *point, const double *predictions, struct error *error);
/* A point that is known already, from a journal. Takes over nothing; a point may come once. */
int evaluator_add_known(struct evaluator *e, const double *point, const double *predictions, struct error *error);

#endif
