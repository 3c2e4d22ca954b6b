/* The predictions of all kernels as linear functions of the parameters around a point.
 *
 * The model works because latencies are weights: a kernel's cycles are a sum of counts times latencies along some path
 * through the engines, so they are piecewise linear where the order of events does not change.
 *
 * Shapes: slopes[a * measurements + m] for each unit of the parameter axes[a].
 * Ownership: init allocates, clear frees; the predictions at the point are borrowed.
 * Threads: a finished model may be read by several threads. */
#ifndef TUNER_LINEAR_MODEL_H
#define TUNER_LINEAR_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "tuner/evaluate/evaluator.h"
#include "tuner/evaluate/space.h"

struct linear_model {
  const struct space *space;
  size_t axes[SPACE_MOST], axis_count; /* axes of the space that the model has */
  size_t measurements;
  double point[SPACE_MOST];
  const double *predictions;
  double *slopes;
  bool *lacks_memory; /* shared by the copies of a model, and by threads: see linear_model_check */
};

int linear_model_init(struct linear_model *m, const struct space *space, const size_t *axes, size_t axis_count,
                      size_t measurements, struct error *error);
void linear_model_clear(struct linear_model *m);

/* Sets the slope along axes[a] from the predictions at two values of it. */
void linear_model_slope(struct linear_model *m, size_t a, double low, const double *at_low, double high,
                        const double *at_high);
/* Corrects the slopes by the least change, in search coordinates, such that the model gives the predictions at the
 * earlier point `before` (Broyden, Mathematics of Computation 19, 1965). */
void linear_model_secant(struct linear_model *m, const double *before, const double *at_before);
/* Makes the model around a point that the simulated model does not refuse, by central differences: two points for each
 * axis. With `forward`, it uses differences to one side: one point for each axis. */
int linear_model_around(struct linear_model *m, const double *point, struct evaluator *e, bool forward,
                        struct error *error);

/* Returns the change of an axis' value for each unit of its search coordinate. */
double linear_model_unit(const struct space_axis *axis, double value);
void linear_model_predict(const struct linear_model *m, const double *point, double *predictions);

/* Returns the least cost of the model's predictions at most `radius` (in search coordinates) away, and writes its point
 * to `best`. The search starts in the middle of that region and at random places. `fixed` is an axis of the space that
 * keeps its value in `best`, or SPACE_MOST. Without memory the point is the model's, and linear_model_check fails. */
double linear_model_least(const struct linear_model *m,
                          double (*cost)(const void *context, const double *point, const double *predictions),
                          const void *context, double radius, size_t fixed, uint64_t seed, double *best);

/* Says that a function had no memory to search the model. Threads: any. */
void linear_model_had_no_memory(const struct linear_model *m);
/* Returns 0, or -1 with an error if any function has had no memory to search the model: its result is of no use. Called
 * behind the threads that search it. */
int linear_model_check(const struct linear_model *m, struct error *error);

#endif
