/* Every number of a simulation's result by name: JSON, tables and the library read the same rows.
 *
 * Names are paths with dots, as in `simulate --json`. Order is that of the document. Cost: O(rows). Threads: any. */
#ifndef MODEL_RESULT_VALUES_H
#define MODEL_RESULT_VALUES_H

#include <stdbool.h>
#include <stddef.h>

#include "model/result/result.h"

struct sim_measure {
  const char *name, *unit, *meaning;
  size_t offset; /* in struct sim_result */
  bool whole;    /* uint64_t, else double */
};

extern const struct sim_measure sim_measures[];
extern const size_t sim_measure_count;

double sim_measure_value(const struct sim_measure *measure, const struct sim_result *result);

#endif
