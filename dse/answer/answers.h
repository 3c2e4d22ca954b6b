/* Questions about a finished sweep that need its points: one-at-a-time sensitivities, effects, and differences of two
 * designs. Ownership and threads: as documented for the structures that they fill. */
#ifndef DSE_ANSWERS_H
#define DSE_ANSWERS_H

#include "dse/answer/effects.h"
#include "dse/points/points.h"
#include "dse/answer/scores.h"

/* Returns the design that differs from the base only in one axis's value; POINT_IMPOSSIBLE when the sweep has no such
 * point. */
uint32_t answer_one_at_a_time(const struct points *points, size_t axis, size_t value);

/* Computes effects of the axes on ln(score) over the samples: a mean of ln s is the factor e^s. A sweep without samples
 * on a whole grid (one_at_a_time, variants only) has none: *any is then false. score[d] is by design. */
int answer_effects(const struct points *points, const double *score, struct effects *out, bool *any,
                   struct error *error);

/* Computes where design b spends the time that a does not spend, or the other way round: for each component of the
 * cycle stack, (b - a) / time of a, averaged over the workloads (or of one workload: `first` and `count`). The
 * components add up to *total. */
void answer_difference(const struct outcomes *outcomes, size_t a, size_t b, size_t first, size_t count,
                       double components[SIM_STACK_COUNT], double *total);

/* Returns the design of a point, which is given by its name or, as "12", its number; or as the base with the value of
 * one or more axes, "cores=16". Returns POINT_IMPOSSIBLE with an error if there is none or it is impossible. */
uint32_t answer_find_point(const struct points *points, const char *name, struct error *error);

#endif
