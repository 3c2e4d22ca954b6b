/* The optimiser: LLVM's O2 as a compiler for GPUs would use it. Private to tracegen/lower. */
#ifndef TRACEGEN_OPTIMISE_H
#define TRACEGEN_OPTIMISE_H

#include "tracegen/lower/ir/lowering.h"

/* Inlines and optimises the module. Cost: 1 to 10 ms for a small kernel. */
int optimise(struct lowering *l);

#endif
