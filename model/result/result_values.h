/* Every number of a simulation's result by name, for JSON, tables and the library.
 *
 * Names are paths with dots, as in `simulate --json`. The order is that of the document. Cost: O(rows). Threads:
 * any. */
#ifndef MODEL_RESULT_VALUES_H
#define MODEL_RESULT_VALUES_H

#include <stdbool.h>
#include <stddef.h>

#include "model/result/result.h"

struct sim_value {
  const char *name, *unit, *meaning;
  size_t offset; /* offset in struct sim_result */
  bool whole;    /* whether it is a uint64_t; else a double */
};

extern const struct sim_value sim_values[];
extern const size_t sim_value_count;

double sim_value_of(const struct sim_value *measure, const struct sim_result *result);

#endif
