#include "model/isa/price_factors.h"

void price_factors_of(const struct gpu_spec *spec, double factors[OP_CLASS_COUNT]) {
  for (int i = 0; i < OP_CLASS_COUNT; i++)
    factors[i] = spec->integer_price;
  factors[OP_ADDRESS] = spec->address_price;
  factors[OP_FLOAT_ADD] = factors[OP_FLOAT_MUL] = factors[OP_FLOAT_FMA] = factors[OP_FLOAT_DIV] =
      factors[OP_FLOAT_CMP] = factors[OP_CONVERT] = spec->float_price;
  factors[OP_MATH] = spec->function_price;
  factors[OP_QUERY] = spec->query_price;
  factors[OP_BRANCH] = factors[OP_BARRIER] = spec->branch_price;
  factors[OP_LOAD] = factors[OP_STORE] = factors[OP_ATOMIC] = spec->memory_price;
}
