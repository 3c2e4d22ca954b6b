/* Every number of a simulation's result by name: JSON, tables and the library read the same rows.
 *
 * Names are paths with dots, as in `simulate --json`. Order is that of the document. Cost: O(rows). Threads: any. */
#ifndef MODEL_RESULT_VALUES_H
#define MODEL_RESULT_VALUES_H

#include <stdbool.h>
#include <stddef.h>

#include "model/result/result.h"

struct sim_value {
  const char *name, *unit, *meaning;
  size_t offset; /* in struct sim_result */
  bool whole;    /* uint64_t, else double */
};

extern const struct sim_value sim_values[];
extern const size_t sim_value_count;

double sim_value_of(const struct sim_value *measure, const struct sim_result *result);

#endif
