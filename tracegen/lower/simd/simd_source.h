/* The optimised kernel, kept until a launch is long enough for SIMD groups. Private to tracegen/lower. */
#ifndef TRACEGEN_SIMD_SOURCE_H
#define TRACEGEN_SIMD_SOURCE_H

#include "tracegen/lower/ir/lowering.h"

/* Sets program->simd if the kernel can run in SIMD groups. Runs before the kernel is instrumented. Cost: a copy of the
 * module. */
int simd_source_keep(struct lowering *l);

#endif
