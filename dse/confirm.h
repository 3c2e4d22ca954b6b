/* Makes the results of single designs exact that a sweep reports: those of the Pareto front, the cheapest that reach a
 * target, those that differ from the base in one axis, and those that the user asked for.
 *
 * Approximate results determine these designs; they are replayed exactly, which may change the front, so this is
 * repeated until all are exact. The designs confirmed in a round depend only on those confirmed before it in this call,
 * not on the contents of a journal: results are deterministic, also when resumed.
 * Cost: the exact replays. */
#ifndef DSE_CONFIRM_H
#define DSE_CONFIRM_H

#include "dse/run/run.h"

/* The number of designs that are listed for each target; further ones are only counted. */
enum { TARGETS_LISTED = 20 };

int confirm_reported(const struct run *run, const uint32_t *asked, size_t asked_count, struct error *error);

#endif
