/* Files of results: one line for each point and workload, and the list of impossible points.
 *
 * CSV (RFC 4180), in the order of points and workloads; numbers with the fewest digits that give the same double again,
 * so equal results are equal bytes. Files appear whole or not at all (base/file.h). */
#ifndef DSE_RESULTS_H
#define DSE_RESULTS_H

#include "dse/evaluate/evaluate.h"
#include "dse/points/points.h"
#include "dse/answer/scores.h"

int results_write_csv(const char *path, const struct points *points, const struct evaluation *evaluation,
                      const struct outcomes *outcomes, const struct scores *scores, struct error *error);
/* Writes a line for each point: parameters, area, energy_ratio, the sweep's objective, whether all of it is exact,
 * whether its design is on the Pareto front of area and objective, and a column for the speed-up of each workload,
 * named after it. */
int results_write_designs(const char *path, const struct points *points, const struct evaluation *evaluation,
                          const struct outcomes *outcomes, const struct scores *scores, struct error *error);
/* Writes the lines "point,name,reason" of impossible points. */
int results_write_impossible(const char *path, const struct points *points, struct error *error);

/* Returns the parameters that the sweep varies, in the order of gpu_params, and their number in *count;
 * NULL when out of memory. */
const struct param **results_varied(const struct sweep *sweep, size_t *count);

/* Writes the shortest text of a number; "" for NaN. Returns `buffer`. */
const char *results_number(double value, char *buffer, size_t size);

#endif
