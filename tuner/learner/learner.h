/* A learner, which predicts numbers from examples, and the registry of learned baselines.
 *
 * Purpose: a learner gets standardised inputs and targets of the training examples and predicts the targets of others.
 * Shapes: inputs[example * columns + column].
 * Determinism: by the data and `seed`.
 * Errors: out of memory.
 * Threads: any.
 *
 * A new learner is a file learner_<name>.c with one struct learner, and its entry in learner.c. */
#ifndef TUNER_LEARNER_H
#define TUNER_LEARNER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

struct examples {
  size_t examples, columns;
  const double *inputs;
  const double *targets; /* [examples]; not read for examples to be predicted */
};

struct learner {
  const char *name;
  bool (*is_there)(void); /* returns false if a library that it needs is not installed; NULL: it needs none */
  int (*predict)(const struct examples *training, const struct examples *asked, uint64_t seed, double *predicted,
                 struct error *error);
};

extern const struct learner *const learners[]; /* NULL-terminated */

#endif
