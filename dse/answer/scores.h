/* Scores of designs: speed-ups over the base, the sweep's objective, and the area and energy proxies.
 *
 * speedups[d * workloads + w] = time of the base on w / time of design d. objective[d] is the sweep's one number
 * (SWEEP_OBJECTIVES); for per_workload it is the geometric mean, which only orders designs in lists. energy_ratio[d] is
 * the energy proxy of design d over the base's, of all workloads. A time of zero has no speed-up: NaN. All outcomes
 * must be known.
 * Ownership: scores_compute allocates, scores_clear frees. */
#ifndef DSE_SCORES_H
#define DSE_SCORES_H

#include "dse/evaluate/evaluate.h"
#include "dse/points/points.h"

struct scores {
  size_t design_count, workload_count;
  double *speedups, *objective, *area, *energy_ratio;
};

int scores_compute(const struct points *points, const struct outcomes *outcomes, struct scores *out,
                   struct error *error);
void scores_clear(struct scores *scores);

/* Returns the objective over one design's speed-ups and times (of base and design), for tests and for some of the
 * workloads. */
double objective_of(enum sweep_objective objective, const double *speedups, const double *base_ns, const double *ns,
                    size_t count);

#endif
