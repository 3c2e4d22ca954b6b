/* Runs a sweep: evaluates every design on every workload that has no result yet, in parallel, and journals each result.
 *
 * The base design is evaluated first, whatever the share: its time gives the estimate, and where a journal has its
 * results already, they must be the same. What is done at once is a unit: a design, or a family of designs
 * (families.h), on one workload. Shares: the i-th of n takes every n-th unit; all shares together are the sweep.
 * run_confirm then evaluates designs exactly that were approximate.
 * Determinism: outcomes do not depend on jobs, shares or resumption.
 * Errors: the first failure stops the run; what was journalled stays. */
#ifndef DSE_RUN_H
#define DSE_RUN_H

#include "dse/points/families.h"
#include "dse/run/journal.h"

struct run {
  const struct points *points;
  const struct evaluation *evaluation;
  const struct families *families;
  struct outcomes *outcomes;
  struct journal *journal; /* NULL: none is kept */
  size_t share, shares;    /* share in 0 .. shares - 1 */
  int jobs;
  bool quiet;
  bool alone;      /* other processes of a cluster do not take part */
  uint64_t digest; /* of the journal's head: what all processes of a cluster must agree on */
};

/* A design on a workload, for an exact result that is first or confirms; or a family on a workload. */
struct run_unit {
  uint32_t is_family, confirms;
  uint32_t number; /* of the design or family */
  uint32_t workload;
};

/* Of one design, in a unit's results. */
struct run_result {
  uint32_t design;
  enum outcome_kind kind;
  double values[MOST_OUTCOME_VALUES];
};

/* Does a unit. results: [run_unit_results()]. From any number of threads. */
size_t run_unit_results(const struct families *families, const struct run_unit *unit);
int run_unit_do(const struct points *points, const struct evaluation *evaluation, const struct families *families,
                const struct run_unit *unit, struct run_result *results, struct error *error);

/* *seconds: processor time of all replays of the base, of all threads. */
int run_base(const struct run *run, double *seconds, struct error *error);
/* Returns how many results run_rest would find. *replays: so many exact replays take about as long. */
size_t run_remaining(const struct run *run, double *replays);
/* Returns how many exact replays may follow to confirm what the sweep reports, about. */
double run_confirmations(const struct run *run);
int run_rest(const struct run *run, struct error *error);
/* Exact results for these designs, all of which are then shown (struct outcomes). */
int run_confirm(const struct run *run, const uint32_t *designs, size_t count, struct error *error);
/* Takes a unit's results into outcomes and journal. From one thread at a time. */
int run_keep(const struct run *run, uint32_t workload, const struct run_result *results, size_t count,
             struct error *error);

#endif
