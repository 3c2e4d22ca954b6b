/* Runs a sweep: evaluates every design on every workload that has no result yet, in parallel, and journals each result.
 *
 * The base design is evaluated first, whatever the share: its time gives the estimate, and results in a journal must
 * equal it. A unit of work is a design, or a family of designs (families.h), on one workload. Shares: the i-th of n
 * takes every n-th unit; all shares together are the sweep. run_confirm then evaluates approximate designs exactly.
 * Determinism: outcomes do not depend on jobs, shares or resumption.
 * Errors: the first failure stops the run; results in the journal stay. */
#ifndef DSE_RUN_H
#define DSE_RUN_H

#include "dse/points/families.h"
#include "dse/run/sweep_journal.h"

struct run {
  const struct points *points;
  const struct evaluation *evaluation;
  const struct families *families;
  struct outcomes *outcomes;
  struct journal *journal; /* NULL: there is none */
  size_t share, shares;    /* number of this share, in 0 .. shares - 1; number of shares */
  int jobs;
  bool quiet;
  bool alone;      /* other processes of a cluster do not take part */
  double *seconds; /* [workloads] or NULL; of the caller: processor time of the base, set by run_base, used by others */
  uint64_t digest; /* hash of the journal's head, on which all processes of a cluster must agree */
};

/* A design on a workload, for an exact result that is the first or confirms; or a family on a workload. */
struct run_unit {
  uint32_t is_family, confirms;
  uint32_t number; /* number of the design or family */
  uint32_t workload;
};

/* The result of one design of a unit. */
struct run_result {
  uint32_t design;
  enum outcome_kind kind;
  double values[MOST_OUTCOME_VALUES];
};

/* Evaluates a unit. results: [run_unit_results()]. Any number of threads may call it. */
size_t run_unit_results(const struct families *families, const struct run_unit *unit);
int run_unit_do(const struct points *points, const struct evaluation *evaluation, const struct families *families,
                const struct run_unit *unit, struct run_result *results, struct error *error);

/* Evaluates the base. *seconds becomes the processor time of all its replays, of all threads. */
int run_base(const struct run *run, double *seconds, struct error *error);
/* Returns the number of results that run_rest would compute. *replays becomes the number of exact replays that take
 * about as long. */
size_t run_remaining(const struct run *run, double *replays);
/* Returns the approximate number of exact replays that confirm the reported results. */
double run_confirmations(const struct run *run);
int run_rest(const struct run *run, struct error *error);
/* Computes exact results for these designs, all of which are then shown (struct outcomes). */
int run_confirm(const struct run *run, const uint32_t *designs, size_t count, struct error *error);
/* Stores a unit's results in outcomes and journal. One thread at a time may call it. */
int run_keep(const struct run *run, uint32_t workload, const struct run_result *results, size_t count,
             struct error *error);

#endif
