/* Makes exact what a sweep reports of single designs: those of the Pareto front, the cheapest that reach a target,
 * those that differ from the base in one axis, and those that were asked for.
 *
 * Approximate results say which designs these are; they are replayed exactly, which may change who is on the front, so
 * this is repeated until all are exact. What is confirmed in a round depends on what was confirmed before it in this
 * call only, not on what a journal has already: determinism, also when resumed.
 * Cost: the exact replays. */
#ifndef DSE_CONFIRM_H
#define DSE_CONFIRM_H

#include "dse/run/run.h"

/* Designs listed per target; of all that reach it, the others are counted only. */
enum { TARGETS_LISTED = 20 };

int confirm_reported(const struct run *run, const uint32_t *asked, size_t asked_count, struct error *error);

#endif
