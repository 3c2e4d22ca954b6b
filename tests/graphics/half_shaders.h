/* Fragment shaders in SPIR-V, each with one operation on three vectors of floats: a sum, a function, a loop. */
#ifndef HALF_SHADERS_H
#define HALF_SHADERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The shape of an operation: its operands are the vectors a, b and c, or a component of one of them. WIDENED computes
 * with 32-bit floats in between, and has no form with RelaxedPrecision. */
enum shape { VECTORS, SCALED, TO_SCALAR, COMPARED, TO_INTEGER, MIXED, REPEATED, STORED, WIDENED };

struct half_operation {
  const char *name;
  enum shape shape;
  uint16_t opcode; /* OpExtInst: of function `number` */
  uint32_t number;
  unsigned operands;
  unsigned ulps; /* that the result may differ by, in halves */
};

extern const struct half_operation half_operations[];
extern const size_t half_operation_count;

struct half_module {
  uint32_t words[1024];
  size_t count;
  uint32_t results[32], result_count;
};

/* Makes the shader of an operation: on 16-bit floats between conversions, or on 32-bit floats. The inputs are three
 * vectors of four floats at locations 0 to 2, the output one at location 0. */
void half_module_build(struct half_module *module, const struct half_operation *operation, bool explicit_halves,
                       bool relaxes);

#endif
