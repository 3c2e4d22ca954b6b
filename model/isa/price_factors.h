/* Factors by which a GPU description scales the prices of its ISA profile, one for each kind of operation: what the
 * profile does not know of the target's compiler and pipes (integer_price and its kin in gpu_rows.def).
 *
 * Shapes: one factor for each class of operations; 1 leaves the profile's price. Cost: O(classes). Threads: any. */
#ifndef MODEL_PRICE_FACTORS_H
#define MODEL_PRICE_FACTORS_H

#include "model/params/gpu.h"
#include "trace/code.h"

void price_factors_of(const struct gpu_spec *spec, double factors[OP_CLASS_COUNT]);

#endif
