/* Immediate post-dominators of a code table's blocks, for reconvergence. Sets blocks[].ipdom; -1 when out of memory. */
#ifndef TRACEGEN_POST_DOMINATORS_H
#define TRACEGEN_POST_DOMINATORS_H

#include "trace/code.h"

int post_dominators(struct trace_code *code);

#endif
