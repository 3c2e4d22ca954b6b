/* Runs a sweep: evaluates every design on every workload that has no result yet, in parallel, and journals each result.
 *
 * The base design is evaluated first, whatever the share: its time gives the estimate, and where a journal has its
 * results already, they must be the same. Shares: the i-th of n takes every n-th of the remaining pairs (design,
 * workload); all shares together are the sweep. Determinism: outcomes do not depend on jobs, shares or resumption.
 * Errors: the first failure stops the run; what was journalled stays. */
#ifndef DSE_RUN_H
#define DSE_RUN_H

#include "dse/journal.h"

struct run {
  const struct points *points;
  const struct evaluation *evaluation;
  struct outcomes *outcomes;
  struct journal *journal; /* NULL: none is kept */
  size_t share, shares;    /* share in 0 .. shares - 1 */
  int jobs;
  bool quiet;
  uint64_t digest; /* of the journal's head: what all processes of a cluster must agree on */
};

/* *seconds: time of all replays of the base, added up over threads. */
int run_base(const struct run *run, double *seconds, struct error *error);
/* How many pairs run_rest would evaluate. */
size_t run_remaining(const struct run *run);
int run_rest(const struct run *run, struct error *error);
/* Takes one result into outcomes and journal. From one thread at a time. */
int run_keep(const struct run *run, size_t design, size_t workload, const double *measures, bool exact,
             struct error *error);

#endif
