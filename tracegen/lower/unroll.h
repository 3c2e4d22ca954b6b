/* Unrolls loops of a constant count, as compilers for GPUs do. Private to tracegen/lower. */
#ifndef TRACEGEN_UNROLL_H
#define TRACEGEN_UNROLL_H

#include "tracegen/lower/ir/lowering.h"

/* Unrolls the loops of the kernel wholly whose count is a constant and whose copies have few operations, and optimises
 * again. A kernel without such loops does not change, and `#pragma unroll 1` keeps a loop. Cost: none without such
 * loops, else that of `optimise` once or twice. */
int loops_unroll(struct lowering *l);

#endif
