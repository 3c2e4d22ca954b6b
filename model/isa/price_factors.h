/* Factors by which a GPU description scales the prices of its ISA profile, one for each kind of operation. They stand
 * for properties of the target's compiler and pipes that the profile does not hold (integer_price and the other rows
 * `*_price` in gpu_rows.def).
 *
 * Shapes: one factor for each class of operations; 1 keeps the profile's price. Cost: O(classes). Threads: any. */
#ifndef MODEL_PRICE_FACTORS_H
#define MODEL_PRICE_FACTORS_H

#include "model/params/gpu.h"
#include "trace/code.h"

void price_factors_of(const struct gpu_spec *spec, double factors[OP_CLASS_COUNT]);

#endif
