/* Second results of built-in functions, for the version of a kernel that propagates shadow values. Private to
 * tracegen/sanitize. */
#ifndef TRACEGEN_SECOND_RESULTS_H
#define TRACEGEN_SECOND_RESULTS_H

#include "tracegen/sanitize/sanitize.h"

/* Makes each call of a function that stores a second result behind a pointer (sincos, fract, modf, frexp, remquo,
 * lgamma_r) two calls without pointers and a store. */
int second_results_split(struct lowering *l);

#endif
