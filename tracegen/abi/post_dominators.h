/* Immediate post-dominators of a code table's blocks, at which warps reconverge. Private to tracegen.
 *
 * Sets blocks[].ipdom. Returns -1 when out of memory. */
#ifndef TRACEGEN_POST_DOMINATORS_H
#define TRACEGEN_POST_DOMINATORS_H

#include "trace/code.h"

int post_dominators(struct trace_code *code);

#endif
