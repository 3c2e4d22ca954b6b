/* Constraints between parameters: "l1_bytes * cores <= l2_bytes", "area <= 400".
 *
 * Grammar: sum (< | <= | > | >= | == | !=) sum; a sum is made of + - * / ( ), numbers with the suffixes of
 *          configuration files (16Ki), names of GPU parameters and `area` (the proxy of dse/area.h). Numbers are
 *          doubles; a comparison with not-a-number (x / 0 - x / 0) does not hold.
 * Limits: 1,000 characters, parentheses 32 deep. Ownership: compile allocates, destroy frees. Threads: read-only after
 * compiling. Cost of expression_holds: linear in the text. */
#ifndef DSE_EXPRESSION_H
#define DSE_EXPRESSION_H

#include <stdbool.h>

#include "base/error.h"
#include "model/params/gpu.h"

struct expression;

/* The error says what stands at which character; it has no place of its own. */
int expression_compile(const char *text, struct expression **out, struct error *error);
bool expression_holds(const struct expression *expression, const struct gpu_spec *spec);
const char *expression_text(const struct expression *expression);
void expression_destroy(struct expression *expression);

#endif
