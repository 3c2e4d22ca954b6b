/* The optimiser: LLVM's O2 as a compiler for GPUs would use it. Private to tracegen/lower. */
#ifndef TRACEGEN_OPTIMISE_H
#define TRACEGEN_OPTIMISE_H

#include "tracegen/lower/ir/lowering.h"

/* Inlines and optimises the module. Cost: 1 to 10 ms for a small kernel. */
int optimise(struct lowering *l);
/* Moves constants out of address arithmetic, shares what accesses have in common, and steps addresses through loops
 * instead of computing them anew, as compilers for GPUs do. Cost: 1 to 5 ms for a small kernel. */
int addresses_simplify(struct lowering *l);

#endif
