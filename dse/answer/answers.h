/* Questions to a finished sweep that need its points: one-at-a-time sensitivities, effects, and where two designs
 * differ. Ownership and threads: as the structures they fill say. */
#ifndef DSE_ANSWERS_H
#define DSE_ANSWERS_H

#include "dse/answer/effects.h"
#include "dse/points/points.h"
#include "dse/answer/scores.h"

/* The design that is the base but for one axis's value; POINT_IMPOSSIBLE when the sweep has no such point. */
uint32_t answer_one_at_a_time(const struct points *points, size_t axis, size_t value);

/* Effects of the axes on ln(score) over the samples: a mean of ln s is the factor e^s. A sweep without samples on a
 * whole grid (one_at_a_time, variants only) has none: *any is then false. score[d]: by design. */
int answer_effects(const struct points *points, const double *score, struct effects *out, bool *any,
                   struct error *error);

/* Where the time of b goes that a does not spend, or the other way round: per component of the cycle stack, (b - a) /
 * time of a, averaged over the workloads (or of one workload: `first` and `count`). They add up to *total. */
void answer_difference(const struct outcomes *outcomes, size_t a, size_t b, size_t first, size_t count,
                       double components[SIM_STACK_COUNT], double *total);

/* The point of this name or, "12", number; or the base with the value of one or some axes, "cores=16". Returns
 * POINT_IMPOSSIBLE with an error when there is none or it is impossible. */
uint32_t answer_find_point(const struct points *points, const char *name, struct error *error);

#endif
