/* The pass that adds recording and checks to the optimised kernel. Private to tracegen/lower. */
#ifndef TRACEGEN_INSTRUMENT_H
#define TRACEGEN_INSTRUMENT_H

#include "tracegen/lower/ir/lowering.h"

/* Replaces l->kernel by a function of type kernel_entry named INSTRUMENTED_NAME. */
int instrument(struct lowering *l);

#endif
