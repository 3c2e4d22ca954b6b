/* Constraints of a sweep: comparisons (base/input/expression.h) whose names are GPU parameters and `area`, the proxy of
 * dse/sweep/area.h.
 *
 * Ownership: constraint_compile allocates, expression_destroy frees.
 * Threads:   read-only after compiling. */
#ifndef DSE_CONSTRAINT_H
#define DSE_CONSTRAINT_H

#include <stdbool.h>

#include "base/input/expression.h"
#include "model/params/gpu.h"

int constraint_compile(const char *text, struct expression **out, struct error *error);
bool constraint_holds(const struct expression *constraint, const struct gpu_spec *spec);

#endif
