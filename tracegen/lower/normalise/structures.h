/* Structures and unions as kernel arguments. Private to tracegen/lower/normalise. */
#ifndef TRACEGEN_STRUCTURES_H
#define TRACEGEN_STRUCTURES_H

#include "tracegen/lower/ir/lowering.h"

/* Returns whether a parameter is a structure by value. */
bool structure_is_parameter(struct lowering *l, uint32_t parameter);
/* Makes such a parameter a private variable that is filled from parts of the argument, and completes `p`. */
int structure_parameter(struct lowering *l, uint32_t parameter, struct kernel_parameter *p);

#endif
