/* Simulation results as JSON, the same fields in every command that shows them. */
#ifndef CLI_RESULT_JSON_H
#define CLI_RESULT_JSON_H

#include <jansson.h>

#include "model/simulate.h"

/* {"name", "cycles", "time_ns", "work_item_instructions", ..., "cycle_stack": {...}, "l1": {...}, "l2": {...}}; a new
 * reference, NULL when out of memory. */
json_t *result_json(const char *name, const struct sim_result *result);

#endif
