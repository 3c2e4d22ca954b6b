/* Results of collective functions (abi/collective.h). Private to run.
 *
 * Reductions and scans take the values in order of work-items, one after the other; OpenCL leaves the order of
 * floating-point additions open. A value of a work-item that does not take part is undefined in OpenCL: the caller's
 * own value stands for it. Threads: any. */
#ifndef TRACEGEN_RUN_GROUP_COLLECTIVE_VALUES_H
#define TRACEGEN_RUN_GROUP_COLLECTIVE_VALUES_H

#include "tracegen/abi/collective.h"

/* Writes the result of each work-item that takes part. operands[i] are those of the work-item with number i in its
 * sub-group or work-group of `size` work-items; NULL: it does not take part. Cost: linear in `size`. */
void collective_compute(const struct collective *c, struct collective_operands *const *operands, uint32_t size);

#endif
